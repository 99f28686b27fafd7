package dev.restitch.doctor;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Whether the registry holds, or takes, the contract's schemas. Pure. */
final class RegistryRules {

  private static final String CHECK = "registry";

  /** How a schema stands with its subject. */
  enum Standing {
    REGISTERED,
    /** Not there yet; the registry would take it. */
    TAKEN,
    REFUSED
  }

  private RegistryRules() {}

  static List<Finding> judge(String address, Map<String, Standing> subjects) {
    List<Finding> findings = new ArrayList<>();
    subjects.forEach(
        (subject, standing) -> {
          if (standing == Standing.REFUSED) {
            findings.add(
                Finding.error(
                    CHECK,
                    subject,
                    "holds a schema that this version's is not compatible with: no record of this"
                        + " type can be written",
                    "curl -s "
                        + address
                        + "/subjects/"
                        + subject
                        + "/versions/latest   # shows it; another application may use the same"
                        + " topic prefix, see topics.prefix"));
          }
        });
    long registered = subjects.values().stream().filter(s -> s == Standing.REGISTERED).count();
    long taken = subjects.values().stream().filter(s -> s == Standing.TAKEN).count();
    if (findings.isEmpty()) {
      findings.add(
          Finding.ok(
              CHECK,
              address,
              registered
                  + " of "
                  + subjects.size()
                  + " schemas are registered"
                  + (taken == 0 ? "" : "; the others are when the auditor starts")));
    }
    return findings;
  }
}
