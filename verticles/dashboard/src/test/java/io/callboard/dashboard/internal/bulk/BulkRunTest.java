package io.callboard.dashboard.internal.bulk;

import static org.assertj.core.api.Assertions.assertThat;

import io.callboard.dashboard.internal.bulk.BulkStatus.State;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class BulkRunTest {
  private static final long SECOND = Duration.ofSeconds(1).toNanos();
  private static final int SEEDS = 500;

  private static List<String> ids(int count) {
    return IntStream.range(0, count).mapToObj(i -> "job-" + i).toList();
  }

  private static BulkFailure failure(String job) {
    return new BulkFailure(job, "UNAVAILABLE", "no answer");
  }

  /** Time of a run, with what is under way. */
  private static final class World {
    final BulkRun run;
    final Deque<String> underWay = new ArrayDeque<>();
    final List<String> begun = new ArrayList<>();
    long now;

    World(int jobs, double rate) {
      run = new BulkRun(ids(jobs), rate, 0);
    }

    void begin() {
      List<String> some = run.begin(now);
      begun.addAll(some);
      underWay.addAll(some);
    }
  }

  @Test
  void eachJobIsTriedOnceAndNoFasterThanTheRate() {
    for (int seed = 0; seed < SEEDS; seed++) {
      SplittableRandom random = new SplittableRandom(seed);
      int jobs = random.nextInt(120);
      double rate = 1 + random.nextInt(100);
      World world = new World(jobs, rate);
      int failed = 0;
      while (!world.run.isOver()) {
        world.begin();
        assertThat(world.underWay.size()).isLessThanOrEqualTo(BulkRun.MOST_AT_ONCE);
        assertThat(world.begun.size())
            .as("seed %d, at %d ns", seed, world.now)
            .isLessThanOrEqualTo((int) (world.now * rate / SECOND) + 1);
        boolean answers = !world.underWay.isEmpty() && random.nextBoolean();
        if (answers) {
          String job = world.underWay.poll();
          if (random.nextInt(5) == 0) {
            failed++;
            world.run.failed(failure(job), true);
          } else {
            world.run.succeeded();
          }
        } else {
          long wait = world.run.waits(world.now).map(Duration::toNanos).orElse(SECOND);
          world.now += wait + random.nextLong(SECOND);
        }
      }
      assertThat(world.run.state()).isEqualTo(State.ENDED);
      assertThat(world.begun).as("seed %d", seed).isEqualTo(ids(jobs));
      assertThat(new HashSet<>(world.begun)).hasSize(jobs);
      assertThat(world.run.failed()).isEqualTo(failed);
      assertThat(world.run.done() + world.run.failed()).isEqualTo(jobs);
      assertThat(world.run.failures()).hasSizeLessThanOrEqualTo(BulkRun.MOST_LISTED);
    }
  }

  @Test
  void aDelayedRunCatchesUpOnlyForATenthOfASecond() {
    World world = new World(100, 50);
    world.begin();
    assertThat(world.begun).hasSize(1);
    world.now += 60 * SECOND;
    world.begin();
    assertThat(world.begun.size()).isBetween(2, 8);
    assertThat(world.run.waits(world.now)).isPresent();
  }

  @Test
  void aRunWaitsForAnAnswerWhenManyAreUnderWay() {
    World world = new World(100, 1_000);
    for (int i = 0; i < 100; i++) {
      world.now += SECOND / 100;
      world.begin();
    }
    assertThat(world.underWay).hasSize(BulkRun.MOST_AT_ONCE);
    assertThat(world.run.waits(world.now)).isEmpty();
    world.run.succeeded();
    assertThat(world.run.waits(world.now)).contains(Duration.ZERO);
  }

  @Test
  void aRunGivesUpWhenTheNodeIsToBlameManyTimesInARow() {
    World world = new World(200, 1_000);
    for (int i = 0; i < 200 && world.run.state() == State.RUNNING; i++) {
      world.now += SECOND;
      world.begin();
      boolean ofJob = i < 2;
      List.copyOf(world.underWay)
          .forEach(
              job -> {
                world.underWay.remove(job);
                world.run.failed(failure(job), ofJob);
              });
    }
    assertThat(world.run.state()).isEqualTo(State.GAVE_UP);
    assertThat(world.run.isOver()).isTrue();
    assertThat(world.run.why()).contains("no answer").contains("were not tried");
    assertThat(world.run.begin(world.now + SECOND)).isEmpty();
  }

  @Test
  void aStopBeginsNoFurtherItemsAndWaitsForThoseUnderWay() {
    World world = new World(10, 100);
    world.begin();
    world.run.stop("it was stopped");
    assertThat(world.run.isOver()).isFalse();
    world.now += SECOND;
    world.begin();
    assertThat(world.begun).hasSize(1);
    world.run.succeeded();
    assertThat(world.run.isOver()).isTrue();
    assertThat(world.run.state()).isEqualTo(State.STOPPED);
    assertThat(world.run.why()).isEqualTo("it was stopped; 9 were not tried");
  }

  @Test
  void aRunOverNoItemsIsOverAtOnce() {
    assertThat(new BulkRun(List.of(), 1, 0).state()).isEqualTo(State.ENDED);
  }
}
