package dev.restitch.topology;

import dev.restitch.control.ControlBook;
import dev.restitch.control.Directive;
import dev.restitch.control.Scope;
import dev.restitch.control.Setting;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.NavigableSet;
import java.util.TreeSet;
import java.util.function.BiConsumer;
import org.apache.kafka.streams.KeyValue;
import org.apache.kafka.streams.state.KeyValueIterator;
import org.apache.kafka.streams.state.KeyValueStore;

/**
 * What is set, as the judges of one partition know it, and how far the open incidents have been
 * told of each change. Both stand in a logged store, so that a restart goes on where the last
 * commit was: the book is never older than what has been judged by it. Not thread-safe.
 */
final class ControlWork {

  /** In the place of the last instance told: all have been. */
  private static final String DONE = "\uffff";

  private final KeyValueStore<String, byte[]> store;
  private final ControlBook book;
  private final NavigableSet<String> unfinished = new TreeSet<>();

  private record Entry(Directive directive, long at, String through) {}

  ControlWork(KeyValueStore<String, byte[]> store, ControlBook book) {
    this.store = store;
    this.book = book;
    List<String> unknown = new ArrayList<>();
    try (KeyValueIterator<String, byte[]> all = store.all()) {
      while (all.hasNext()) {
        KeyValue<String, byte[]> stored = all.next();
        Entry entry = decode(stored.value);
        if (entry == null) {
          unknown.add(stored.key);
          continue;
        }
        book.put(entry.directive());
        if (!entry.through().equals(DONE)) {
          unfinished.add(stored.key);
        }
      }
    }
    unknown.forEach(store::delete);
  }

  /** Takes a setting; the open incidents are told of it by {@link #run}. */
  void add(Directive directive, long at) {
    book.put(directive);
    store.put(directive.key(), encode(new Entry(directive, at, "")));
    unfinished.add(directive.key());
  }

  /** Forgets a setting that concerns nothing any more. */
  void remove(String key) {
    book.remove(key);
    store.delete(key);
    unfinished.remove(key);
  }

  /** What an instance is told: a setting, and when it was recorded. */
  record Word(Directive directive, long at) {}

  /**
   * Tells at most so many instances.
   *
   * @param open the instances with an open incident, which may change while they are told
   */
  void run(int most, NavigableSet<String> open, BiConsumer<String, Word> tell) {
    int left = most;
    while (left > 0 && !unfinished.isEmpty()) {
      String key = unfinished.first();
      Entry entry = decode(store.get(key));
      List<String> next = new ArrayList<>();
      for (String instance : open.tailSet(entry.through(), false)) {
        if (next.size() == left) {
          break;
        }
        next.add(instance);
      }
      Word word = new Word(entry.directive(), entry.at());
      next.forEach(instance -> tell.accept(instance, word));
      boolean all = next.size() < left;
      left -= next.size();
      String through = all ? DONE : next.get(next.size() - 1);
      store.put(key, encode(new Entry(entry.directive(), entry.at(), through)));
      if (all) {
        unfinished.remove(key);
      }
    }
  }

  private static byte[] encode(Entry entry) {
    Directive d = entry.directive();
    ByteArrayOutputStream bytes = new ByteArrayOutputStream(128);
    try (DataOutputStream out = new DataOutputStream(bytes)) {
      out.writeUTF(d.setting().label());
      out.writeUTF(d.scope().toString());
      out.writeUTF(d.value());
      out.writeUTF(d.owner());
      out.writeUTF(d.cause());
      out.writeLong(d.atMillis());
      out.writeLong(entry.at());
      out.writeUTF(entry.through());
    } catch (IOException e) {
      throw new UncheckedIOException("nothing is written but memory", e);
    }
    return bytes.toByteArray();
  }

  /** Null where the setting is of another version of this program. */
  private static Entry decode(byte[] bytes) {
    try (DataInputStream in = new DataInputStream(new ByteArrayInputStream(bytes))) {
      Setting setting = Setting.of(in.readUTF()).orElse(null);
      Scope scope = Scope.parse(in.readUTF());
      String value = in.readUTF();
      String owner = in.readUTF();
      String cause = in.readUTF();
      long setAt = in.readLong();
      long at = in.readLong();
      return setting == null
          ? null
          : new Entry(new Directive(setting, scope, value, owner, cause, setAt), at, in.readUTF());
    } catch (IllegalArgumentException e) {
      return null;
    } catch (IOException e) {
      throw new UncheckedIOException("nothing is read but memory", e);
    }
  }
}
