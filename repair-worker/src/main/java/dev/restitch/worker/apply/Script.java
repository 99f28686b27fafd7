package dev.restitch.worker.apply;

import dev.restitch.config.Relations.Side;
import dev.restitch.stamp.Stamp;
import dev.restitch.writer.Expiry;
import dev.restitch.writer.io.ServerScript;
import io.lettuce.core.ScriptOutputType;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionStage;

/** A script that changes one side, and how it is talked to. Immutable. */
record Script(ServerScript code) {

  static final byte[] NOTHING = {};

  static Script load(String resource) {
    return new Script(ServerScript.load(Script.class, resource));
  }

  CompletionStage<List<Object>> run(Servers servers, Side side, byte[]... arguments) {
    return servers.on(
        side.key(),
        commands -> code.run(commands, ScriptOutputType.MULTI, side.key().key(), arguments));
  }

  /**
   * What the script did.
   *
   * @param code 1: changed, 2: nothing to change, 0: something else stood there
   * @param target the new stamp; empty where the side was to be removed
   */
  static Change change(Side side, Object code, Standing before, Optional<Stamp> target) {
    Change.Kind kind;
    if ((Long) code == 1) {
      kind = Change.Kind.WRITTEN;
    } else if ((Long) code == 2) {
      kind = Change.Kind.ALREADY;
    } else {
      boolean newer =
          target.isPresent()
              && before.stamp().isPresent()
              && Order.newer(side.relation(), before.stamp().get(), target.get());
      kind = newer ? Change.Kind.SUPERSEDED : Change.Kind.CONFLICT;
    }
    return new Change(side.key(), kind, before, target.map(Stamp::toString).orElse("absent"));
  }

  static byte[] word(Expiry expiry) {
    return ascii(
        switch (expiry.kind()) {
          case NONE -> "";
          case KEEP -> "KEEPTTL";
          case AFTER -> "PX";
        });
  }

  static byte[] ascii(Object text) {
    return String.valueOf(text).getBytes(StandardCharsets.US_ASCII);
  }
}
