package io.callboard.jobs.internal.gate;

import static org.assertj.core.api.Assertions.assertThat;

import io.callboard.jobs.internal.protocol.BacklogCommand;
import io.callboard.jobs.internal.protocol.BacklogEvent;
import io.callboard.jobs.internal.protocol.BacklogLane;
import io.callboard.jobs.internal.protocol.WaitingRun;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** The order in which a backlog returns its runs, past lanes that are left out. */
class BacklogIndexTest {
  private static final List<String> ACME = List.of("customer=acme");
  private static final List<String> BOTH = List.of("customer=acme", "db");

  private BacklogState state = BacklogState.EMPTY;
  private BacklogIndex index = new BacklogIndex(state);
  private long number;

  private void keeps(String job, int priority, Map<String, String> labels) {
    keeps(job, priority, labels, Map.of());
  }

  private void keeps(
      String job, int priority, Map<String, String> labels, Map<String, String> requires) {
    number++;
    WaitingRun run =
        new WaitingRun(1, "etl", priority, Instant.EPOCH, null, null, number, labels, requires);
    state = state.apply(new BacklogEvent.Kept(job, run));
    index.add(job, run);
  }

  private static BacklogCommand.Pull pull(int most, @Nullable Boolean only, BacklogLane... lanes) {
    return new BacklogCommand.Pull(5, most, List.of(lanes), only);
  }

  private List<String> pulls(BacklogCommand.Pull pull) {
    Map<String, WaitingRun> runs = index.first(state, pull);
    runs.forEach(index::remove);
    state = state.apply(new BacklogEvent.Left(List.copyOf(runs.keySet())));
    return List.copyOf(runs.keySet());
  }

  private void keepsSome() {
    keeps("acme1", 5, Map.of("customer", "acme"));
    keeps("both1", 5, Map.of("customer", "acme", "db", "x"));
    keeps("plain1", 5, Map.of("order", "1"));
    keeps("acme2", 5, Map.of("customer", "acme", "order", "2"));
    keeps("db1", 5, Map.of("db", "y"));
    keeps("plain2", 5, Map.of());
    keeps("urgent", 9, Map.of("customer", "acme"));
  }

  @Test
  void aPullThatNamesNoLaneGetsTheFirst() {
    keepsSome();
    assertThat(pulls(new BacklogCommand.Pull(5, 3))).containsExactly("acme1", "both1", "plain1");
    assertThat(index.stock(state).due().get(5)).isEqualTo(3);
  }

  @Test
  void runsWithManyLabelsArePulledInParts() {
    Map<String, String> many = new HashMap<>();
    for (int i = 0; i < 32; i++) {
      many.put("a-label-of-a-job-%02d".formatted(i), "x".repeat(200));
    }
    for (int i = 0; i < 60; i++) {
      keeps("job" + i, 5, many);
    }
    BacklogCommand.Pull pull = new BacklogCommand.Pull(5, 60);
    List<String> pulled = new ArrayList<>(pulls(pull));
    assertThat(pulled.size()).isBetween(10, 30);
    while (index.stock(state).due().get(5) > 0) {
      pulled.addAll(pulls(pull));
    }
    assertThat(pulled).hasSize(60).doesNotHaveDuplicates().startsWith("job0").endsWith("job59");
  }

  @Test
  void runsArePulledPastALaneThatIsLeftOut() {
    keepsSome();
    BacklogCommand.Pull pull = pull(10, null, new BacklogLane(5, ACME, 0));
    assertThat(pulls(pull)).containsExactly("plain1", "db1", "plain2");
    assertThat(index.left(pull)).containsExactly(new BacklogLane(5, ACME, 3));
    assertThat(index.stock(state).due().get(5)).isEqualTo(3);
    assertThat(index.stock(state).due().get(9)).isEqualTo(1);
  }

  @Test
  void aLaneHasTheRunsThatAllItsLimitsAndNoOthersCount() {
    keepsSome();
    BacklogCommand.Pull pull =
        pull(10, null, new BacklogLane(5, ACME, 0), new BacklogLane(5, BOTH, 1));
    assertThat(pulls(pull)).containsExactly("both1", "plain1", "db1", "plain2");
    assertThat(index.left(pull)).containsExactly(new BacklogLane(5, ACME, 2));
  }

  @Test
  void aPullReturnsNoMoreOfALaneThanItAsksFor() {
    keepsSome();
    List<String> only = pulls(pull(10, true, new BacklogLane(5, ACME, 2)));
    assertThat(only).containsExactly("acme1", "both1");
    List<String> any = pulls(pull(2, null, new BacklogLane(5, ACME, 10)));
    assertThat(any).containsExactly("plain1", "acme2");
  }

  @Test
  void lanesOfOtherPrioritiesAreOnlyCounted() {
    keepsSome();
    BacklogCommand.Pull pull = pull(1, null, new BacklogLane(9, ACME, 0));
    assertThat(pulls(pull)).containsExactly("acme1");
    assertThat(index.left(pull)).containsExactly(new BacklogLane(9, ACME, 1));
  }

  @Test
  void aJobKeptAfterItsLaneWasNamedIsInIt() {
    keepsSome();
    BacklogCommand.Pull pull = pull(10, null, new BacklogLane(5, ACME, 0));
    assertThat(pulls(pull)).hasSize(3);
    keeps("acme3", 5, Map.of("customer", "acme"));
    assertThat(pulls(pull)).isEmpty();
    assertThat(index.left(pull)).containsExactly(new BacklogLane(5, ACME, 4));
    index.remove("acme3", state.runs().get("acme3"));
    assertThat(index.left(pull)).containsExactly(new BacklogLane(5, ACME, 3));
  }

  @Test
  void requirementsMakeLanesLikeLimitsAloneAndTogether() {
    Map<String, String> acme = Map.of("customer", "acme");
    Map<String, String> requires = Map.of("gpu", "yes", "arch", "arm");
    String word = RunLane.word(requires);
    assertThat(word).isEqualTo("@4:arch3:arm3:gpu3:yes");
    keeps("gpu1", 5, Map.of(), requires);
    keeps("both1", 5, acme, requires);
    keeps("acme1", 5, acme);
    keeps("other1", 5, Map.of(), Map.of("gpu", "yes"));
    keeps("gpu2", 5, Map.of("order", "1"), requires);
    BacklogLane gpu = new BacklogLane(5, List.of(word), 0);
    BacklogLane both = new BacklogLane(5, List.of(word, "customer=acme"), 1);
    BacklogCommand.Pull pull = pull(10, null, gpu, both);
    assertThat(pulls(pull)).containsExactly("both1", "acme1", "other1");
    assertThat(index.left(pull)).containsExactly(new BacklogLane(5, gpu.limits(), 2));
    keeps("gpu3", 5, Map.of(), requires);
    assertThat(pulls(pull(2, true, new BacklogLane(5, gpu.limits(), 2))))
        .containsExactly("gpu1", "gpu2");
    assertThat(pulls(new BacklogCommand.Pull(5, 3))).containsExactly("gpu3");
    assertThat(index.stock(state).due().get(5)).isZero();
  }

  @Test
  void theWordOfARequirementIsShortAndNoLabel() {
    Map<String, String> large = Map.of("model", "x".repeat(10_000));
    String word = RunLane.word(large);
    assertThat(word.length()).isLessThan(101);
    assertThat(RunLane.word(Map.of("model", "x".repeat(9_999)))).isNotEqualTo(word);
    keeps("large", 5, Map.of(), large);
    keeps("same", 5, Map.of(word, "x", "@gpu", "yes"));
    BacklogCommand.Pull pull =
        pull(9, null, new BacklogLane(5, List.of(word), 0), lane("@gpu=yes"), lane("@gpu"));
    assertThat(pulls(pull)).as("its labels only look like it").containsExactly("same");
    assertThat(index.left(pull)).containsExactly(new BacklogLane(5, List.of(word), 1));
  }

  private static BacklogLane lane(String name) {
    return new BacklogLane(5, List.of(name), 0);
  }

  /** More labels than it parts by at once, one after another. */
  @Test
  void labelsThatWereNamedLongAgoAreForgotten() {
    int all = BacklogLanes.MOST_LABELS + 100;
    for (int i = 0; i < all; i++) {
      keeps("j" + i, 5, Map.of("customer", "c" + i));
    }
    for (int i = 0; i < all; i += 50) {
      List<BacklogLane> lanes = new ArrayList<>();
      for (int j = i; j < i + 50; j++) {
        lanes.add(new BacklogLane(5, List.of("customer=c" + j), 1));
      }
      assertThat(pulls(new BacklogCommand.Pull(5, 100, lanes, true))).hasSize(50);
    }
    assertThat(index.stock(state).due().get(5)).isZero();
  }

  /** Compared with a search through all runs. */
  @Test
  void theFirstRunsBesideTheLanesThatAreLeftOutAreReturned() {
    for (long seed = 0; seed < 200; seed++) {
      SplittableRandom random = new SplittableRandom(seed);
      state = BacklogState.EMPTY;
      index = new BacklogIndex(state);
      for (int i = 0; i < 60; i++) {
        Map<String, String> labels = new HashMap<>();
        if (random.nextBoolean()) {
          labels.put("customer", "c" + random.nextInt(3));
        }
        if (random.nextInt(4) == 0) {
          labels.put("order", "o" + i);
        }
        keeps("j" + i, 5, labels);
        if (random.nextInt(10) == 0) {
          String out = "customer=c" + random.nextInt(3);
          BacklogCommand.Pull pull =
              pull(1 + random.nextInt(5), null, new BacklogLane(5, List.of(out), 0));
          List<String> expected = search(out, pull.most());
          assertThat(pulls(pull)).as("seed %d", seed).isEqualTo(expected);
        }
      }
    }
  }

  private List<String> search(String out, int most) {
    return state.runs().entrySet().stream()
        .filter(run -> !out.equals("customer=" + run.getValue().labels().get("customer")))
        .sorted(Comparator.comparingLong(run -> run.getValue().number()))
        .limit(most)
        .map(Map.Entry::getKey)
        .toList();
  }
}
