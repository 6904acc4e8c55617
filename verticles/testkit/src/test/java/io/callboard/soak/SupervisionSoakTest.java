package io.callboard.soak;

import static io.callboard.testkit.Futures.await;
import static org.assertj.core.api.Assertions.assertThat;

import io.callboard.ActorRef;
import io.callboard.Callboard;
import io.callboard.admin.ZoneStatus;
import io.callboard.testkit.NodesExtension;
import io.vertx.core.Vertx;
import io.vertx.core.internal.VertxInternal;
import java.lang.ref.Reference;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * A tree of 10,000 actors in 100 failure zones on real verticles, under random faults, round after
 * round; after each what is is what is to be, and at the end nothing is left that was not there
 * before. {@code -Dsoak.seconds=600} goes on for so long, {@code -Dsoak.seed=N} with other faults,
 * {@code -Dsoak.faults=N} of them in a round.
 */
@Tag("long")
class SupervisionSoakTest {
  private static final Duration LENGTH = Duration.ofSeconds(Long.getLong("soak.seconds", 6));
  private static final long SEED = Long.getLong("soak.seed", 1);
  private static final int FAULTS = Integer.getInteger("soak.faults", 1000);

  /**
   * Tolerated number of surplus objects of a class, as some of the last lives may not have been
   * collected yet. More than before: the kit of other tests keeps nodes open in this process.
   */
  private static final int SLACK = 500;

  /**
   * Time within which a closed node is let go of: what its event loops still have in hand when its
   * close ends may hold actors for a moment.
   */
  private static final Duration RELEASE = Duration.ofSeconds(10);

  /** Tolerated heap for an actor's history of failures and operations, in bytes. */
  private static final long HEAP_PER_ACTOR = 30_000;

  @RegisterExtension final NodesExtension nodes = new NodesExtension();

  @Test
  void afterAnyFaultsTheTreeIsAsItIsToBeAndNothingIsLeft() throws Exception {
    Map<String, Integer> others = Level.counted();
    Callboard callboard = nodes.open("soak");
    Vertx vertx = callboard.vertx();
    try (Findings findings = new Findings()) {
      Set<String> own = Set.copyOf(vertx.deploymentIDs());
      Tree tree = new Tree(SEED, findings);
      tree.build(callboard);
      Faults faults = new Faults(SEED, callboard, tree, findings, own);
      soak(callboard, tree, faults, findings);
      await(callboard.close());
      expectNothing((VertxInternal) vertx, callboard.admin().zones(), tree, others);
      findings.expectNone();
    }
  }

  private static void soak(Callboard callboard, Tree tree, Faults faults, Findings findings)
      throws Exception {
    Quiet quiet = new Quiet(callboard, tree, faults);
    Duration unused = quiet.await();
    long restarts = quiet.restarts();
    Level before = Level.of(callboard);
    assertThat(before.seats()).isEqualTo(tree.parts().size());
    long end = System.nanoTime() + LENGTH.toNanos();
    Duration longest = Duration.ZERO;
    int rounds = 0;
    while (rounds == 0 || System.nanoTime() - end < 0) {
      faults.inject(FAULTS);
      var told = await(faults.told());
      Duration took = quiet.await();
      longest = took.compareTo(longest) > 0 ? took : longest;
      findings.expectNone();
      rounds++;
    }
    Level after = Level.of(callboard);
    assertThat(quiet.checked()).as("zones seen at rest").isPositive();
    report(rounds, faults, quiet.restarts() - restarts, findings, longest, before, after);
    expectSame(before, after);
  }

  private static void report(
      int rounds,
      Faults faults,
      long restarts,
      Findings findings,
      Duration longest,
      Level before,
      Level after) {
    System.out.printf(
        "supervision soak: seed %d, %d rounds, %d faults %s, %d restarts of actors, %d of zones,"
            + " longest time to quiet %d ms; before and after:%n  %s%n  %s%n",
        SEED,
        rounds,
        faults.total(),
        faults.counts(),
        restarts,
        findings.escalations(),
        longest.toMillis(),
        before,
        after);
  }

  private static void expectSame(Level before, Level after) {
    assertThat(after.deployments()).isEqualTo(before.deployments());
    assertThat(after.below()).isEqualTo(before.below());
    assertThat(after.seats()).isEqualTo(before.seats());
    before
        .objects()
        .forEach(
            (type, count) ->
                assertThat(after.objects().get(type)).as(type).isLessThan(count + SLACK));
    assertThat(after.heapBytes()).isLessThan(before.heapBytes() + before.seats() * HEAP_PER_ACTOR);
  }

  private static void expectNothing(
      VertxInternal vertx, List<ZoneStatus> zones, Tree tree, Map<String, Integer> others)
      throws Exception {
    assertThat(tree.parts().values()).filteredOn(part -> part.live() != 0).isEmpty();
    ActorRef<Cue> kept = tree.forget(); // of an actor that has ended: it holds no other one
    Level left = afterRelease(vertx, zones, others);
    Reference.reachabilityFence(kept);
    System.out.println("  after close: " + left);
    assertThat(left.deployments()).isZero();
    assertThat(left.seats()).isZero();
    left.objects()
        .forEach(
            (type, count) ->
                assertThat(count).as("%s of %s", type, left).isLessThan(others.get(type) + SLACK));
    assertThat(threads(left)).isEmpty();
  }

  /** Returns the toolkit's threads, without those of open nodes of other tests' kit. */
  private static List<String> threads(Level level) {
    return level.threads().keySet().stream()
        .filter(name -> name.startsWith("callboard") && !name.startsWith("callboard-tested-"))
        .toList();
  }

  /** Collects garbage until little is left and no thread, or the time for it is over. */
  private static Level afterRelease(
      VertxInternal vertx, List<ZoneStatus> zones, Map<String, Integer> others) throws Exception {
    long end = System.nanoTime() + RELEASE.toNanos();
    while (true) {
      Level left = Level.of(vertx, zones);
      boolean released =
          threads(left).isEmpty()
              && left.objects().entrySet().stream()
                  .allMatch(each -> each.getValue() < others.get(each.getKey()) + SLACK);
      if (released || System.nanoTime() - end > 0) {
        return left;
      }
      System.out.println("  not released yet: " + left);
    }
  }
}
