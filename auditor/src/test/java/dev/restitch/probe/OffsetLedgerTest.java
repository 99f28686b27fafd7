package dev.restitch.probe;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.Test;

class OffsetLedgerTest {

  private static final TopicPartition P = new TopicPartition("probes", 0);

  private final OffsetLedger ledger = new OffsetLedger();

  private static Map<TopicPartition, OffsetAndMetadata> at(long offset) {
    return Map.of(P, new OffsetAndMetadata(offset));
  }

  @Test
  void shouldCommitUpToTheFirstThatIsNotDone() {
    ledger.begin(P, 5);
    ledger.begin(P, 6);
    ledger.begin(P, 9);
    ledger.done(P, 6);
    assertThat(ledger.due()).isEqualTo(at(5));

    ledger.done(P, 5);
    assertThat(ledger.due()).isEqualTo(at(9));

    ledger.done(P, 9);
    assertThat(ledger.due()).isEqualTo(at(10));
    assertThat(ledger.open()).isZero();
  }

  @Test
  void shouldNotCommitTwice() {
    ledger.begin(P, 5);
    ledger.done(P, 5);
    ledger.committed(ledger.due());

    assertThat(ledger.due()).isEmpty();
  }

  @Test
  void shouldForgetWhatIsAnothersNow() {
    ledger.begin(P, 5);
    ledger.forget(List.of(P));
    ledger.done(P, 5);

    assertThat(ledger.due()).isEmpty();
    assertThat(ledger.open()).isZero();
  }
}
