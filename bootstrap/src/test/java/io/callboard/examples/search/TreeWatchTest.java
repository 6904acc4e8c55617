package io.callboard.examples.search;

import static org.assertj.core.api.Assertions.assertThat;

import io.callboard.ActorStatus.State;
import io.callboard.examples.search.TreeWatch.Sight;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class TreeWatchTest {
  private final Tree tree = new Tree("a", 2, Path.of("nowhere"));
  private final TreeWatch watch = new TreeWatch(tree, 2, Duration.ofSeconds(10));

  private List<Sight> seen(int restarts0, int restarts1) {
    return List.of(
        new Sight(tree.head(), State.RUNNING, 0),
        new Sight(tree.node(0), State.RUNNING, restarts0),
        new Sight(tree.node(1), State.WAITS, restarts1),
        new Sight("/search/trees/b/nodes/0", State.FAILED, 50));
  }

  @Test
  void aFewRestartsAreWell() {
    assertThat(watch.look(0, seen(0, 0))).isEmpty();
    assertThat(watch.look(100, seen(1, 1))).isEmpty();
    assertThat(watch.look(200, seen(1, 1))).isEmpty();
  }

  @Test
  void moreThanThatWithinTheWindowAreNot() {
    assertThat(watch.look(0, seen(1, 1))).isEmpty();
    assertThat(watch.look(9_999, seen(2, 1))).contains("more than 2 restarts within PT10S");
  }

  @Test
  void theWindowSlides() {
    assertThat(watch.look(0, seen(1, 1))).isEmpty();
    assertThat(watch.look(10_000, seen(2, 1))).isEmpty();
    assertThat(watch.look(10_001, seen(3, 2))).isPresent();
  }

  @Test
  void anActorThatIsGoneOrFailedIsNot() {
    List<Sight> failed = new ArrayList<>(seen(0, 0));
    failed.set(1, new Sight(tree.node(0), State.FAILED, 0));
    assertThat(watch.look(0, failed)).contains(tree.node(0) + " has failed for good");
    assertThat(watch.look(0, failed.subList(1, 4))).contains(tree.head() + " is gone");
  }

  @Test
  void aNewBeginningForgets() {
    assertThat(watch.look(0, seen(2, 0))).isEmpty();
    watch.begin();
    assertThat(watch.look(1, seen(1, 1))).isEmpty();
  }
}
