package io.callboard.grid;

import static org.assertj.core.api.Assertions.assertThat;

import io.callboard.codecs.ActorPath;
import io.callboard.grid.CrashLoopBackoff.Resume;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class CrashLoopBackoffTest {
  private static final ActorPath ACTOR = ActorPath.of("/tools/gate");
  private static final Set<ActorPath> DOWN = Set.of(ACTOR);
  private static final Set<ActorPath> WELL = Set.of();

  private final CrashLoopBackoff backoff =
      new CrashLoopBackoff(Duration.ofSeconds(10), Duration.ofSeconds(60));
  private long now = -5;

  private List<Resume> after(int seconds, Set<ActorPath> down) {
    now += Duration.ofSeconds(seconds).toNanos();
    return backoff.look(down, now);
  }

  @Test
  void thePauseGrowsUpToTheLongest() {
    List<Integer> resumedAt = new ArrayList<>();
    for (int second = 0; second <= 270; second++) {
      if (!after(1, DOWN).isEmpty()) {
        resumedAt.add(second);
      }
    }
    assertThat(resumedAt).containsExactly(10, 30, 70, 130, 190, 250);
  }

  @Test
  void theBackoffStartsOverAfterALongEnoughLife() {
    after(0, DOWN);
    assertThat(after(10, DOWN)).containsExactly(new Resume(ACTOR, 1, Duration.ofSeconds(20)));
    after(1, WELL);
    after(59, DOWN); // just before
    assertThat(after(19, DOWN)).isEmpty();
    assertThat(after(1, DOWN)).extracting(Resume::attempt).containsExactly(2);
    after(1, WELL);
    after(60, WELL);
    after(0, DOWN);
    assertThat(after(10, DOWN)).extracting(Resume::attempt).containsExactly(1);
  }

  @Test
  void manyAreResumedAFewAtATime() {
    Set<ActorPath> all =
        IntStream.range(0, CrashLoopBackoff.MOST + 5)
            .mapToObj(i -> ActorPath.of("/tools/t" + i))
            .collect(Collectors.toSet());
    after(0, all);
    List<Resume> first = after(10, all);
    List<Resume> second = after(1, all);
    assertThat(first).hasSize(CrashLoopBackoff.MOST);
    assertThat(second).hasSize(5);
    first.addAll(second);
    assertThat(first).extracting(Resume::actor).doesNotHaveDuplicates();
  }
}
