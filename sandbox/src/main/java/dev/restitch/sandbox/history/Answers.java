package dev.restitch.sandbox.history;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Compares what was declared with what is known to be torn. Not thread-safe. */
public final class Answers {

  private static final int EXAMPLES = 3;

  private final Map<String, KnownTear> missing = new LinkedHashMap<>();
  private final List<String> examples = new ArrayList<>();
  private int wrong;
  private int unexpected;

  public Answers(List<KnownTear> tears) {
    tears.forEach(t -> missing.put(t.instance(), t));
  }

  /** Takes one incident; of an instance that is torn, its verdict and token must be the known. */
  public void declared(String instance, String verdict, String token) {
    KnownTear tear = missing.remove(instance);
    String declared = instance + " " + verdict + " " + token;
    if (tear == null) {
      unexpected++;
      example("false: " + declared);
    } else if (!tear.verdict().name().equals(verdict) || !tear.token().equals(token)) {
      wrong++;
      example("wrong: " + declared + ", expected " + tear.verdict() + " " + tear.token());
    }
  }

  private void example(String text) {
    if (examples.size() < EXAMPLES) {
      examples.add(text);
    }
  }

  /** Tears that were not declared. */
  public int missed() {
    return missing.size();
  }

  /** Incidents where nothing is torn. */
  public int falsely() {
    return unexpected;
  }

  /** Tears declared under another verdict or token. */
  public int wrong() {
    return wrong;
  }

  public boolean allRight() {
    return missed() + falsely() + wrong() == 0;
  }

  @Override
  public String toString() {
    List<String> all = new ArrayList<>(examples);
    missing.values().stream().limit(EXAMPLES).forEach(t -> all.add("missed: " + t));
    return "missed %d, false %d, wrong %d%s"
        .formatted(missed(), falsely(), wrong(), all.isEmpty() ? "" : ", such as " + all);
  }
}
