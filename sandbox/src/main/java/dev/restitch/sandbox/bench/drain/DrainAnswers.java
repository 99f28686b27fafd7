package dev.restitch.sandbox.bench.drain;

import dev.restitch.avro.Incident;
import dev.restitch.model.Bytes;
import dev.restitch.sandbox.bench.WrongAnswerException;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/** Compares the declared incidents of a round with the torn instances of the data. Thread-safe. */
final class DrainAnswers {

  private final DrainData data;
  private final Set<String> missing;
  private final TreeMap<String, String> wrong = new TreeMap<>();
  private final Map<String, String> found = new HashMap<>();

  DrainAnswers(DrainData data) {
    this.data = data;
    this.missing = new HashSet<>(data.tornInstances());
  }

  synchronized void declared(Incident incident) {
    String instance = incident.getInstance();
    String token = incident.getToken() == null ? "" : Bytes.copyOf(incident.getToken()).toString();
    List<String> behind =
        incident.getBehind().stream().map(k -> Bytes.copyOf(k.getKey()).toString()).toList();
    boolean right =
        DrainData.isTorn(instance)
            && incident.getVerdict().equals("TORN_MISSING")
            && token.equals(data.lastToken(instance))
            && behind.size() == data.sides() - 1;
    if (!right) {
      wrong.put(instance, incident.getVerdict() + " of " + token + ", behind " + behind);
    } else if (!found.computeIfAbsent(instance, i -> incident.getId()).equals(incident.getId())) {
      wrong.put(instance, "declared twice");
    }
    missing.remove(instance);
  }

  synchronized boolean complete() {
    return missing.isEmpty() || !wrong.isEmpty();
  }

  synchronized int found() {
    return found.size();
  }

  /**
   * Looks at all that was declared.
   *
   * @throws WrongAnswerException if that is not what is torn
   */
  synchronized void check() {
    if (!wrong.isEmpty() || !missing.isEmpty()) {
      throw new WrongAnswerException(
          "judge: %d of %d tears were found, and %d answers are wrong: %s"
              .formatted(
                  found.size(),
                  data.tornInstances().size(),
                  wrong.size(),
                  wrong.entrySet().stream().limit(5).toList()));
    }
  }
}
