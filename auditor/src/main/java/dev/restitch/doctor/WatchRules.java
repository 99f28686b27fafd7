package dev.restitch.doctor;

import dev.restitch.doctor.NodeFacts.Listening;
import dev.restitch.doctor.NodeFacts.Rights;
import dev.restitch.doctor.Right.Denial;
import dev.restitch.watch.WatchNeeds;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/** Whether a server can be watched and read. Pure. */
final class WatchRules {

  private static final String NOTIFICATIONS = "notifications";
  private static final String RIGHTS = "rights";

  private WatchRules() {}

  /** Role: commands must reach a primary. */
  static Finding role(NodeFacts f) {
    String role = f.info("role");
    String server =
        f.info("valkey_version").isEmpty()
            ? "Redis " + f.info("redis_version")
            : "Valkey " + f.info("valkey_version");
    if (role.isEmpty()) {
      return Finding.warning(
          "role",
          f.where(),
          "its role is not known, as INFO is not allowed; a node that may be a replica proves"
              + " nothing",
          f.address().cli("ACL SETUSER " + user(f) + " +info"));
    }
    if (role.equals("master") || f.replica()) {
      return Finding.ok(
          "role", f.where(), (role.equals("master") ? "primary, " : "replica, ") + server);
    }
    return Finding.error(
        "role",
        f.where(),
        "is a replica of "
            + f.info("master_host")
            + ":"
            + f.info("master_port")
            + ": what it shows may be old, and repairs would be refused",
        "in stores."
            + f.needs().store().name()
            + " name the primary: "
            + new ServerAddress(
                    f.info("master_host"),
                    parse(f.info("master_port")),
                    f.address().tls(),
                    f.address().database(),
                    null,
                    false)
                .uri());
  }

  /** Notification flags. */
  static Finding notifications(NodeFacts f) {
    String needed = WatchNeeds.flags(f.needs().sides());
    if (f.settings().blocked() != null) {
      return blocked(f, needed);
    }
    String set = f.settings().get(WatchNeeds.SETTING).orElse("");
    String missing = WatchNeeds.missing(needed, set);
    if (missing.isEmpty()) {
      return Finding.ok(NOTIFICATIONS, f.where(), WatchNeeds.SETTING + " is '" + set + "'");
    }
    String mend = f.address().cli("CONFIG SET " + WatchNeeds.SETTING + " '" + set + missing + "'");
    String what =
        WatchNeeds.SETTING
            + " is '"
            + set
            + "' and lacks '"
            + missing
            + "': "
            + (f.replica()
                ? "after a failover to this replica the audit would be blind for its slots"
                : "the audit is blind for this node")
            + "; keep the setting in the server's configuration file too, since a restart forgets"
            + " what CONFIG SET says";
    return f.replica()
        ? Finding.warning(NOTIFICATIONS, f.where(), what, mend)
        : Finding.error(NOTIFICATIONS, f.where(), what, mend);
  }

  private static Finding blocked(NodeFacts f, String needed) {
    if (f.listening().events() > 0) {
      return Finding.ok(
          NOTIFICATIONS,
          f.where(),
          "key events arrive; the setting itself cannot be seen: " + f.settings().blocked());
    }
    String what =
        "the setting cannot be seen ("
            + f.settings().blocked()
            + "), and no key event came just now: that may be silence or blindness; "
            + WatchNeeds.SETTING
            + " must contain "
            + needed;
    return Finding.warning(
        NOTIFICATIONS,
        f.where(),
        what,
        f.settings().forbidden()
            ? f.address().cli("ACL SETUSER " + user(f) + " '+config|get'")
            : "set "
                + WatchNeeds.SETTING
                + " to '"
                + needed
                + "' in the service's console; on Amazon ElastiCache: aws elasticache"
                + " modify-cache-parameter-group --cache-parameter-group-name GROUP"
                + " --parameter-name-values ParameterName="
                + WatchNeeds.SETTING
                + ",ParameterValue="
                + needed);
  }

  /** Subscription to key events. */
  static Finding subscription(NodeFacts f) {
    Listening l = f.listening();
    if (l.refused() == null) {
      return Finding.ok(
          "subscription",
          f.where(),
          "subscribed to " + l.channels().size() + " channel pattern(s)");
    }
    String mend =
        l.refused().startsWith("NOPERM")
            ? f.address()
                .cli(
                    "ACL SETUSER "
                        + user(f)
                        + " +psubscribe +punsubscribe "
                        + l.channels().stream()
                            .map(c -> "'&" + c + "'")
                            .collect(Collectors.joining(" ")))
            : f.address().cli("PSUBSCRIBE '" + l.channels().get(0) + "'");
    return Finding.error(
        "subscription",
        f.where(),
        "the server refuses the subscription to key events, so that the audit is blind for it: "
            + l.refused(),
        mend);
  }

  /** Commands and keys that the user is not allowed. */
  static List<Finding> rights(NodeFacts f) {
    Rights r = f.rights();
    List<Denial> auditor = r.denied().stream().filter(d -> !d.right().worker()).toList();
    List<Denial> worker = r.denied().stream().filter(d -> d.right().worker()).toList();
    List<Finding> findings = new ArrayList<>(2);
    if (!auditor.isEmpty()) {
      findings.add(
          Finding.error(
              RIGHTS,
              f.where(),
              "user " + r.user() + " may not do what the auditor must: " + words(auditor),
              grant(f, auditor)));
    }
    if (!worker.isEmpty()) {
      findings.add(
          Finding.warning(
              RIGHTS,
              f.where(),
              "user " + r.user() + " may not do what repairs need: " + words(worker),
              grant(f, worker)));
    }
    if (findings.isEmpty()) {
      findings.add(
          Finding.ok(
              RIGHTS,
              f.where(),
              "user "
                  + r.user()
                  + (r.dryRun()
                      ? " may do all that auditor and repair worker need"
                      : " may read; whether it may write cannot be tried without writing, since ACL"
                          + " DRYRUN is not to be had")));
    }
    return findings;
  }

  private static String words(List<Denial> denied) {
    Set<String> words = new LinkedHashSet<>();
    for (Denial d : denied) {
      words.add(d.right().command() + (d.ofKey() ? " on " + d.right().glob() : ""));
    }
    return String.join(", ", words);
  }

  private static String grant(NodeFacts f, List<Denial> denied) {
    Set<String> rules = new LinkedHashSet<>();
    for (Denial d : denied) {
      rules.add("'" + (d.ofKey() ? "~" + d.right().glob() : d.right().rule()) + "'");
    }
    return f.address().cli("ACL SETUSER " + user(f) + " " + String.join(" ", rules));
  }

  private static String user(NodeFacts f) {
    return f.rights().user();
  }

  private static int parse(String port) {
    return port.matches("\\d{1,5}") ? Integer.parseInt(port) : 6379;
  }
}
