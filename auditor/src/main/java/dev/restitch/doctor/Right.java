package dev.restitch.doctor;

import dev.restitch.key.KeyPattern;
import dev.restitch.watch.WatchNeeds;
import java.util.List;
import java.util.Locale;

/**
 * One command that must be allowed.
 *
 * @param command its name
 * @param glob matches the keys that it must be allowed on; null: it has none
 * @param arguments what it is tried with
 * @param worker true: the repair worker needs it; false: the auditor does
 */
record Right(String command, String glob, List<String> arguments, boolean worker) {

  /** A command without a key. */
  static Right of(String command, String argument) {
    return new Right(command, null, List.of(argument), false);
  }

  /** A command of the auditor on a key. */
  static Right of(String command, String glob, String... arguments) {
    return new Right(command, glob, List.of(arguments), false);
  }

  /** A command of the repair worker on a key. */
  static Right worker(String command, String glob, String... arguments) {
    return new Right(command, glob, List.of(arguments), true);
  }

  static String glob(KeyPattern pattern) {
    return WatchNeeds.glob(pattern);
  }

  /** As an ACL rule allows it. */
  String rule() {
    String name = command.toLowerCase(Locale.ROOT);
    return "CLUSTER".equals(command)
        ? "+" + name + "|" + arguments.get(0).toLowerCase(Locale.ROOT)
        : "+" + name;
  }

  /** A right that is lacking, with what the server said. */
  record Denial(Right right, String said) {

    /** The command is allowed, but not on such a key. */
    boolean ofKey() {
      return said.contains("key") && !said.contains("run the");
    }
  }
}
