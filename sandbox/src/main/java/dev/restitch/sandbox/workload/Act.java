package dev.restitch.sandbox.workload;

/** What the workload does to one instance. */
public sealed interface Act permits Act.Ordinary, Tear, Decoy {

  /** True if this can be done to an instance of the relation. */
  boolean suits(String relation);

  /** One whole logical write. */
  record Ordinary() implements Act {
    @Override
    public boolean suits(String relation) {
      return true;
    }

    @Override
    public String toString() {
      return "ORDINARY";
    }
  }
}
