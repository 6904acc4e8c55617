package io.callboard.testkit;

import static io.callboard.testkit.Futures.await;
import static org.assertj.core.api.Assertions.assertThat;

import io.callboard.ActorOptions;
import io.callboard.ActorRef;
import io.callboard.Callboard;
import io.callboard.codecs.Partition;
import io.callboard.placement.Ranking;
import io.callboard.store.Lease;
import io.callboard.testkit.SampleActors.Add;
import io.callboard.testkit.SampleActors.Total;
import io.callboard.time.Time;
import io.vertx.core.Context;
import java.time.Clock;
import java.time.Duration;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Roles of several nodes: where they are held, and how they move without losing their mail. */
class RoleSpreadTest {
  private static final int ROLES = 4;

  @RegisterExtension final NodesExtension nodes = new NodesExtension();
  private final SkippedTime time = new SkippedTime();

  /** The system's, of which some is left out: what waits by the clock waits no longer for it. */
  private static final class SkippedTime implements Time {
    private final AtomicLong skipped = new AtomicLong();

    void skip(Duration some) {
      skipped.addAndGet(some.toNanos());
    }

    @Override
    public Clock clock() {
      return Time.SYSTEM.clock();
    }

    @Override
    public long nanoTime() {
      return Time.SYSTEM.nanoTime() + skipped.get();
    }

    @Override
    public Alarm after(Context context, Duration delay, Runnable task) {
      return Time.SYSTEM.after(context, delay, task);
    }
  }

  private Callboard open(String name, String machine) {
    Callboard node = nodes.open(name, options -> options.machine(machine).time(time));
    for (int i = 0; i < ROLES; i++) {
      await(node.spawn("/roles/cashier-" + i, SampleActors.Counter::new, new ActorOptions()));
    }
    return node;
  }

  private static Map<String, Integer> held(Callboard any) {
    Map<String, Integer> held = new TreeMap<>();
    for (Lease lease : await(any.leases().stored()).values()) {
      held.merge(lease.owner(), 1, Integer::sum);
    }
    return held;
  }

  /** Advances the nodes as if that time had passed. */
  private void passes(Duration some, Callboard... all) {
    time.skip(some);
    for (Callboard node : all) {
      await(node.leases().look());
    }
  }

  private static ActorRef<Add> cashier(Callboard node, int number) {
    return node.durableRef("/roles/cashier-" + number, Add.class);
  }

  @Test
  void rolesMoveOneByOneToANodeThatStaysAndBackWhenItReturned() {
    Callboard one = open("one", "a");
    for (int i = 0; i < ROLES; i++) {
      await(cashier(one, i).tell(new Add(1)));
    }
    Callboard two = open("two", "b");
    passes(Duration.ofSeconds(30), one, two);
    assertThat(held(one)).as("nothing moves before a while").containsExactly(Map.entry("one", 4));
    passes(Duration.ofSeconds(40), one, two);
    Eventually.assertThat(
        () -> assertThat(held(one)).containsEntry("one", 3).containsEntry("two", 1));
    Eventually.assertThat(
        () -> {
          passes(Duration.ofSeconds(10), one, two);
          assertThat(held(one)).containsEntry("one", 2).containsEntry("two", 2);
        });
    passes(Duration.ofMinutes(10), one, two);
    assertThat(held(one)).containsEntry("one", 2).containsEntry("two", 2);
    nodes.close(two);
    Eventually.assertThat(() -> assertThat(held(one)).containsExactly(Map.entry("one", 4)));
    for (int i = 0; i < ROLES; i++) {
      assertThat(await(cashier(one, i).ask(new Add(1), Total.class))).isEqualTo(new Total(2));
    }
    Callboard back = open("two", "b");
    passes(Duration.ofSeconds(70), one, back);
    Eventually.assertThat(
        () -> {
          passes(Duration.ofSeconds(10), one, back);
          assertThat(held(one)).containsEntry("one", 2).containsEntry("two", 2);
        });
  }

  @Test
  void theStandbyIsOnAnotherMachineAndTakesOver() {
    Callboard one = open("a-1", "a");
    open("a-2", "a");
    Callboard other = open("b-1", "b");
    Partition role = Partition.ofRole("cashier-0");
    assertThat(Ranking.of(await(one.members())).standby(role, one.bootId()))
        .hasValueSatisfying(standby -> assertThat(standby.name()).isEqualTo("b-1"));
    nodes.close(one);
    Eventually.assertThat(
        () -> assertThat(await(other.admin().owner("/roles/cashier-0"))).contains("b-1"));
  }
}
