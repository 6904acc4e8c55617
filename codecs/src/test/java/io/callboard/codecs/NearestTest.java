package io.callboard.codecs;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class NearestTest {
  private static final List<String> NAMES =
      List.of("command", "env", "labels", "priority", "runAt");

  @Test
  void findsTheNameThatWasMeant() {
    assertThat(Nearest.of("comand", NAMES)).contains("command");
    assertThat(Nearest.of("COMMAND", NAMES)).contains("command");
    assertThat(Nearest.of("label", NAMES)).contains("labels");
    assertThat(Nearest.of("prioirty", NAMES)).contains("priority");
    assertThat(Nearest.of("run_at", NAMES)).contains("runAt");
  }

  @Test
  void doesNotGuess() {
    assertThat(Nearest.of("workingDirectory", NAMES)).isEmpty();
    assertThat(Nearest.of("x".repeat(100_000), NAMES)).isEmpty();
    assertThat(Nearest.hint("zzzzzz", NAMES))
        .isEqualTo("; there are command, env, labels, priority, runAt");
  }

  @Test
  void countsAswapAsOne() {
    assertThat(Nearest.distance("abcd", "abdc")).isEqualTo(1);
    assertThat(Nearest.distance("", "abc")).isEqualTo(3);
  }
}
