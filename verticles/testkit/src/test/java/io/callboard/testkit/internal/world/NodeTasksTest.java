package io.callboard.testkit.internal.world;

import static org.assertj.core.api.Assertions.assertThat;

import io.callboard.time.Time.Alarm;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class NodeTasksTest {
  private final WorldTime time = new WorldTime();
  private final NodeTasks tasks = new NodeTasks(time);
  private final List<String> ran = new ArrayList<>();

  private Alarm task(String name, long delayNs) {
    return tasks.after(delayNs, () -> ran.add(name + "@" + time.now() / WorldTime.SECOND));
  }

  @BeforeEach
  void frozen() {
    tasks.freeze(30 * WorldTime.SECOND);
  }

  @Test
  void tasksThatComeDueInAFreezeRunWhenTheNodeThaws() {
    task("b", 2 * WorldTime.SECOND);
    task("a", WorldTime.SECOND);
    task("c", 31 * WorldTime.SECOND);
    time.runUntil(60 * WorldTime.SECOND);
    assertThat(ran).containsExactly("a@30", "b@30", "c@31");
  }

  @Test
  void anEarlierThawLetsTheTasksGoOnThen() {
    task("a", WorldTime.SECOND);
    time.runUntil(5 * WorldTime.SECOND);
    tasks.thaw();
    time.runUntil(6 * WorldTime.SECOND);
    assertThat(ran).containsExactly("a@5");
    assertThat(tasks.haveGoneOnFor()).isEqualTo(WorldTime.SECOND);
  }

  @Test
  void anotherFreezeHoldsThemLonger() {
    task("a", WorldTime.SECOND);
    time.runUntil(20 * WorldTime.SECOND);
    tasks.freeze(20 * WorldTime.SECOND);
    time.runUntil(60 * WorldTime.SECOND);
    assertThat(ran).containsExactly("a@40");
  }

  @Test
  void tasksThatTheFirstFreezesOrCancelsDoNotRunWithIt() {
    List<Alarm> later = new ArrayList<>();
    tasks.after(
        WorldTime.SECOND,
        () -> {
          later.get(0).cancel();
          tasks.freeze(10 * WorldTime.SECOND);
        });
    later.add(task("cancelled", 2 * WorldTime.SECOND));
    task("held", 3 * WorldTime.SECOND);
    time.runUntil(60 * WorldTime.SECOND);
    assertThat(ran).containsExactly("held@40");
  }

  @Test
  void aDeadNodeRunsNone() {
    task("a", WorldTime.SECOND);
    task("b", 40 * WorldTime.SECOND);
    time.runUntil(5 * WorldTime.SECOND);
    tasks.die();
    time.runUntil(60 * WorldTime.SECOND);
    assertThat(ran).isEmpty();
  }
}
