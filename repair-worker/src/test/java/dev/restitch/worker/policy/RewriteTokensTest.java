package dev.restitch.worker.policy;

import static org.assertj.core.api.Assertions.assertThat;

import dev.restitch.model.Bytes;
import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.Test;

class RewriteTokensTest {

  @Test
  void shouldGiveEveryGenerationATokenOfItsOwnThatAnyWorkerFinds() {
    Set<Bytes> tokens = new HashSet<>();
    for (int i = 0; i < RewriteTokens.GENERATIONS; i++) {
      Bytes token = new RewriteTokens("c1").of(i);
      tokens.add(token);
      assertThat(token.toString()).matches("[0-9a-f]{32}");
      assertThat(new RewriteTokens("c1").generation(token)).hasValue(i);
      assertThat(new RewriteTokens("c2").generation(token)).isEmpty();
    }
    assertThat(tokens).hasSize(RewriteTokens.GENERATIONS);
  }

  @Test
  void shouldHashTheCommandsIdForTheFirst() {
    // echo -n c1 | sha256sum
    assertThat(new RewriteTokens("c1").of(0)).hasToString("d0f631ca1ddba8db3bcfcb9e057cdc98");
  }
}
