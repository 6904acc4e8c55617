package io.callboard.soak;

import static io.callboard.testkit.Futures.await;
import static org.assertj.core.api.Assertions.assertThat;

import io.callboard.Actor;
import io.callboard.ActorOptions;
import io.callboard.Callboard;
import io.callboard.DurableStateActor;
import io.callboard.Protocol;
import io.callboard.admin.ActorStatus;
import io.callboard.admin.ActorStatus.State;
import io.callboard.admin.FailureZoneStatus;
import io.callboard.store.memory.MemoryCell;
import io.callboard.store.memory.MemoryStore;
import io.callboard.supervision.Backoff;
import io.callboard.supervision.Directive;
import io.callboard.supervision.FailureZone;
import io.callboard.supervision.LimitAction;
import io.callboard.supervision.Rules;
import io.callboard.supervision.Strategy;
import io.callboard.supervision.SupervisionOptions;
import io.callboard.testkit.Eventually;
import io.callboard.testkit.NodesExtension;
import io.vertx.core.Future;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * Test that after any mixture of commands, failures and lost sessions on two nodes an operator who
 * resumes everything shown as {@code FAILED}, {@code STOPPED} or {@code RESTS} has everything
 * running, without a sweep that would mend it. {@code -Doperators.rounds=500} runs longer, {@code
 * -Doperators.seed=N} with another mixture.
 */
class OperatorsTest {
  private static final int ROUNDS = Integer.getInteger("operators.rounds", 12);
  private static final long SEED = Long.getLong("operators.seed", 1);
  private static final int COMMANDS = 30;
  private static final List<String> ZONES = List.of("/shop", "/shop/till", "/shop/store");
  private static final List<String> DURABLE =
      List.of(
          "/shop/ledger",
          "/shop/till/drawer",
          "/shop/store/shelf-1",
          "/shop/store/shelf-2",
          "/alone");
  private static final List<String> VOLATILE = List.of("/shop/clerk", "/shop/till/scanner");

  private static final SupervisionOptions QUICK =
      new SupervisionOptions()
          .backoff(
              Backoff.exponential(
                  Duration.ofMillis(1), Duration.ofMillis(20), Backoff.Jitter.FULL));

  sealed interface Order {
    record Fail(String how) implements Order {}

    record Count() implements Order {}
  }

  private static void fails(String how) {
    throw "park".equals(how) ? new IllegalArgumentException(how) : new IllegalStateException(how);
  }

  private static final class Clerk extends Actor<Order> {
    @Override
    protected void protocol(Protocol<Order> on) {
      on.message(Order.Fail.class, fail -> fails(fail.how()))
          .message(Order.Count.class, count -> reply(1));
    }
  }

  private static final class Ledger extends DurableStateActor<Order, Integer> {
    @Override
    protected Integer initial() {
      return 0;
    }

    @Override
    protected void protocol(Protocol<Order> on) {
      on.message(Order.Fail.class, fail -> fails(fail.how()))
          .message(Order.Count.class, count -> reply(1));
    }
  }

  private final MemoryCell cell = new MemoryCell();
  @RegisterExtension final NodesExtension opened = new NodesExtension(cell);
  private final List<MemoryStore> stores = new ArrayList<>();
  private final List<Callboard> nodes = new ArrayList<>();

  private static FailureZone zone(Strategy strategy) {
    return new FailureZone()
        .strategy(strategy)
        .intensity(3, Duration.ofMillis(300))
        .whenOver(LimitAction.PARK)
        .rules(Rules.RESTART.on(IllegalArgumentException.class, Directive.PARK));
  }

  private void start(int node) throws Exception {
    MemoryStore store = new MemoryStore(cell);
    Callboard callboard =
        opened.open(
            "node-" + node, options -> options.store(() -> store).sweepEvery(Duration.ofHours(1)));
    stores.add(store);
    nodes.add(callboard);
    await(
        callboard.supervise("/shop", zone(Strategy.ONE_FOR_ONE).whenOver(LimitAction.PARK), QUICK));
    await(callboard.supervise("/shop/till", zone(Strategy.REST_FOR_ONE), QUICK));
    await(callboard.supervise("/shop/store", zone(Strategy.ALL_FOR_ONE), QUICK));
    ActorOptions options = new ActorOptions().attempts(2).supervision(QUICK);
    for (String path : DURABLE) {
      await(callboard.<Order>spawn(path, Ledger::new, options));
    }
    for (String path : VOLATILE) {
      await(callboard.<Order>spawn(path, Clerk::new, options));
    }
  }

  @Test
  void allActorsRunOnceThoseThatAreShownDownAreResumed() throws Exception {
    start(0);
    start(1);
    long longest = 0;
    for (int round = 0; round < ROUNDS; round++) {
      long seed = SEED + round;
      mixture(new Random(seed));
      long began = System.nanoTime();
      Eventually.assertThat(
          () -> {
            resumeWhatIsDown();
            assertThat(notRunning()).as("seed %d", seed).isEmpty();
            DURABLE.forEach(path -> answers(path, seed));
          });
      longest = Math.max(longest, System.nanoTime() - began);
    }
    System.out.printf(
        "operators: %d rounds from seed %d, %d commands each, longest time to quiet %d ms%n",
        ROUNDS, SEED, COMMANDS, TimeUnit.NANOSECONDS.toMillis(longest));
  }

  private void answers(String path, long seed) {
    Future<Integer> answer =
        owner(path)
            .durableRef(path, Order.class)
            .ask(new Order.Count(), Integer.class, Duration.ofSeconds(2));
    assertThat(answer.otherwise(0).await()).as("%s, seed %d", path, seed).isEqualTo(1);
  }

  /**
   * Returns the node that owns the actor: as the nodes share no event bus, only that one can answer
   * for it.
   */
  private Callboard owner(String path) {
    return nodes.stream()
        .filter(
            node ->
                node.admin().running().await().stream()
                    .anyMatch(
                        actor ->
                            actor.path().toString().equals(path) && actor.state() == State.RUNNING))
        .findFirst()
        .orElseThrow(() -> new AssertionError(path + " runs nowhere"));
  }

  private void mixture(Random random) throws Exception {
    for (int i = 0; i < COMMANDS; i++) {
      Callboard node = nodes.get(random.nextInt(2));
      List<String> all = new ArrayList<>(DURABLE);
      all.addAll(VOLATILE);
      String actor = all.get(random.nextInt(all.size()));
      String any = random.nextInt(4) == 0 ? ZONES.get(random.nextInt(ZONES.size())) : actor;
      Future<?> unused =
          switch (random.nextInt(8)) {
            case 0 -> node.admin().suspend(any);
            case 1 -> node.admin().resume(any);
            case 2 -> node.admin().restart(any);
            case 3 ->
                random.nextInt(4) == 0 ? expire(random.nextInt(2)) : node.admin().suspend(any);
            default -> {
              Order fail = new Order.Fail(random.nextInt(4) == 0 ? "park" : "crash");
              yield DURABLE.contains(actor)
                  ? node.durableRef(actor, Order.class).tell(fail)
                  : node.ref(actor, Order.class).tell(fail);
            }
          };
      if (random.nextInt(3) == 0) {
        await(unused.otherwiseEmpty()); // refused, or at once the next one
      }
    }
  }

  /** Expires the node's session; its next commit begins a new one. */
  private Future<Void> expire(int node) {
    return stores
        .get(node)
        .expire()
        .compose(v -> nodes.get(node).durableRef("/alone", Order.class).tell(new Order.Count()));
  }

  private void resumeWhatIsDown() {
    for (Callboard node : nodes) {
      for (FailureZoneStatus zone : node.admin().failureZones()) {
        if (zone.state() == FailureZoneStatus.State.FAILED
            || zone.state() == FailureZoneStatus.State.STOPPED
            || zone.state() == FailureZoneStatus.State.RESTS) {
          node.admin().resume(zone.path().toString()).otherwiseEmpty().await();
        }
      }
      for (ActorStatus actor : node.admin().running().await()) {
        if (actor.state().needsResume()) {
          node.admin().resume(actor.path().toString()).otherwiseEmpty().await();
        }
      }
    }
  }

  private List<String> notRunning() {
    List<String> found = new ArrayList<>();
    List<String> runs = new ArrayList<>();
    for (Callboard node : nodes) {
      for (FailureZoneStatus zone : node.admin().failureZones()) {
        if (zone.state() != FailureZoneStatus.State.RUNNING) {
          found.add(zone.toString());
        }
      }
      for (ActorStatus actor : node.admin().running().await()) {
        if (actor.state() == State.RUNNING && actor.queued() == 0) { // else it may fail again
          runs.add(actor.path().toString());
        } else if (actor.state() != State.ELSEWHERE) {
          found.add(actor.toString());
        }
      }
    }
    List<String> wanted = new ArrayList<>(DURABLE);
    wanted.addAll(VOLATILE);
    wanted.addAll(VOLATILE);
    runs.forEach(wanted::remove);
    wanted.forEach(missing -> found.add(missing + " runs nowhere"));
    return found;
  }
}
