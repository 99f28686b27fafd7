package dev.restitch.topology;

import dev.restitch.avro.ProbeRequest;
import dev.restitch.avro.RepairCommand;
import dev.restitch.judge.Decision;
import dev.restitch.judge.Evidence;
import org.apache.avro.specific.SpecificRecord;

/** The judge's shell as a simulation needs it: records in, records out, and its time. */
public final class JudgeRecords {

  private JudgeRecords() {}

  public static Evidence evidence(SpecificRecord record, long at, int partition, long offset) {
    return EvidenceReader.read(record, at, partition, offset);
  }

  public static RepairCommand command(Decision.Repair repair) {
    return DecisionWriter.repair(repair);
  }

  public static ProbeRequest probe(Decision.Ask ask) {
    return DecisionWriter.probe(ask);
  }

  /** The judge's real clock. */
  public static final class Time {

    private final JudgeClock clock = new JudgeClock();

    public void record(long appendMillis, long wallMillis) {
      clock.record(appendMillis, wallMillis);
    }

    public long tick(long wallMillis) {
      return clock.tick(wallMillis);
    }
  }
}
