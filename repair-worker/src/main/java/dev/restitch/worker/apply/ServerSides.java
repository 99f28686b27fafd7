package dev.restitch.worker.apply;

import dev.restitch.config.Relations.Side;
import dev.restitch.config.SideType;
import dev.restitch.model.Bytes;
import dev.restitch.model.StoreKey;
import dev.restitch.stamp.Stamp;
import dev.restitch.writer.Expiry;
import io.lettuce.core.SetArgs;
import java.util.Arrays;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/** The sides and markers on real servers, each form of value by its own script. */
public final class ServerSides implements SideStore {

  private static final byte[] COMMITTED = {'1'};

  private final Servers servers;
  private final StringSides strings;
  private final HashSides hashes;
  private final LogSides logs;

  public ServerSides(Servers servers) {
    this.servers = servers;
    this.strings = new StringSides(servers);
    this.hashes = new HashSides(servers);
    this.logs = new LogSides(servers);
  }

  @Override
  public CompletionStage<Standing> read(Side side) {
    return switch (type(side)) {
      case STRING -> strings.read(side);
      case HASH -> hashes.read(side);
      case LIST, ZSET -> logs.read(side);
    };
  }

  @Override
  public CompletionStage<Boolean> carries(Side side, Stamp stamp) {
    return type(side).log()
        ? logs.carries(side, stamp.token())
        : read(side).thenApply(standing -> standing.carries(stamp));
  }

  @Override
  public CompletionStage<Held> hold(Side side) {
    return switch (type(side)) {
      case STRING -> strings.hold(side);
      case HASH -> hashes.hold(side);
      case LIST, ZSET -> throw new IllegalArgumentException("a log is not held as a whole");
    };
  }

  @Override
  public CompletionStage<Long> ttlMillis(StoreKey side) {
    return servers.on(side, commands -> commands.pttl(side.key().toArray()));
  }

  @Override
  public CompletionStage<Change> compareAndSet(
      Side side, Expectation expected, Stamp target, Payload payload, Expiry expiry) {
    if (type(side) == SideType.HASH && payload instanceof Payload.Fields fields) {
      return hashes.compareAndSet(side, expected, target, fields.fields(), expiry);
    }
    if (type(side) == SideType.STRING && payload instanceof Payload.Value value) {
      return strings.compareAndSet(side, expected, target, value.bytes(), expiry);
    }
    throw new IllegalArgumentException("the payload is not of the side's form");
  }

  @Override
  public CompletionStage<Change> compareAndDelete(Side side, Expectation expected) {
    return switch (type(side)) {
      case STRING -> strings.compareAndDelete(side, expected);
      case HASH -> hashes.compareAndDelete(side, expected);
      case LIST, ZSET -> throw new IllegalArgumentException("a log is not removed");
    };
  }

  @Override
  public CompletionStage<Change> append(
      Side log,
      Expectation.Tail expected,
      Stamp stamp,
      Bytes payload,
      Double score,
      Expiry expiry) {
    return logs.append(log, expected, stamp, payload, score, expiry);
  }

  @Override
  public CompletionStage<Change> withdraw(Side log, Stamp stamp, Bytes payload) {
    return logs.withdraw(log, stamp, payload);
  }

  @Override
  public CompletionStage<Optional<Double>> scoreOf(Side log, Bytes token) {
    return logs.scoreOf(log, token);
  }

  @Override
  public CompletionStage<Change> mark(StoreKey marker, Expiry expiry) {
    SetArgs arguments = SetArgs.Builder.nx();
    if (expiry.kind() == Expiry.Kind.AFTER) {
      arguments.px(expiry.millis());
    }
    byte[] key = marker.key().toArray();
    return servers
        .<String>on(marker, commands -> commands.set(key, COMMITTED, arguments))
        .thenCompose(
            ok ->
                ok != null
                    ? CompletableFuture.completedStage(marked(marker, Change.Kind.WRITTEN, false))
                    : standing(marker, key));
  }

  private CompletionStage<Change> standing(StoreKey marker, byte[] key) {
    return servers
        .<byte[]>on(marker, commands -> commands.get(key))
        .thenApply(
            value ->
                marked(
                    marker,
                    Arrays.equals(value, COMMITTED) ? Change.Kind.ALREADY : Change.Kind.CONFLICT,
                    true));
  }

  private static Change marked(StoreKey marker, Change.Kind kind, boolean stood) {
    return new Change(marker, kind, new Standing(stood, Optional.empty()), "marker");
  }

  private static SideType type(Side side) {
    return side.relation().sides().get(side.index()).type();
  }
}
