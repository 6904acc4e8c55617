package io.callboard.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class RoundsTest {
  private static final Stage STAGE = new Stage(true, Path.of("target", "no-files"));

  @Test
  void contendersTakeTurnsAndWarmUpsDoNotCount() throws Exception {
    List<String> turns = new ArrayList<>();
    double[] next = {0};
    Rounds rounds =
        new Rounds(STAGE)
            .warmups(1)
            .with("ours", warmup -> sample(turns, "ours", warmup, ++next[0]))
            .with("peer", warmup -> sample(turns, "peer", warmup, 1))
            .play();
    assertThat(turns)
        .containsExactly(
            "ours, warm-up", "peer, warm-up", "ours", "peer", "ours", "peer", "ours", "peer");
    assertThat(rounds.of("ours", 0)).isEqualTo(new Measurement(3, 2, 4, 3));
    assertThat(rounds.rates("a case", "op/s", "ours", List.of("peer")).ratio())
        .containsEntry("peer", 3.0);
  }

  private static double[] sample(List<String> turns, String name, boolean warmup, double value) {
    turns.add(warmup ? name + ", warm-up" : name);
    return new double[] {value};
  }

  @Test
  void aNameIsTakenOnceAndMustBeKnown() {
    Rounds rounds = new Rounds(STAGE).with("ours", warmup -> new double[1]);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> rounds.with("ours", warmup -> new double[1]))
        .withMessageContaining("ours");
    assertThatIllegalArgumentException().isThrownBy(() -> rounds.of("theirs", 0));
  }

  @Test
  void aLoadIsStoppedAlsoIfItFails() {
    AtomicBoolean stopped = new AtomicBoolean();
    Load broken =
        new Load() {
          @Override
          public void start() {}

          @Override
          public long done() {
            throw new IllegalStateException("broken");
          }

          @Override
          public void stop() {
            stopped.set(true);
          }
        };
    assertThatThrownBy(() -> new Rounds(STAGE).with("ours", broken).play()).hasMessage("broken");
    assertThat(stopped).isTrue();
  }

  @Test
  void aStarvedLoadIsGivenTimeSoThatNoRateIsZero() throws Exception {
    AtomicInteger looks = new AtomicInteger();
    Load slow =
        new Load() {
          @Override
          public void start() {}

          @Override
          public long done() {
            return looks.incrementAndGet() < 20 ? 0 : 100;
          }

          @Override
          public void stop() {}
        };
    assertThat(slow.rate(Duration.ofMillis(5))).isPositive();
  }
}
