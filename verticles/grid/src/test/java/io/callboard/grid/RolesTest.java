package io.callboard.grid;

import static io.callboard.testkit.Futures.await;
import static io.callboard.testkit.SampleActors.idle;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.callboard.ActorOptions;
import io.callboard.ActorRef;
import io.callboard.DurableStateActor;
import io.callboard.Protocol;
import io.callboard.store.Failover;
import io.callboard.testkit.Eventually;
import io.vertx.core.Future;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Roles on three nodes over a real server. */
@Tag("real")
class RolesTest {
  @AutoClose private TestGrid grid;
  private final Set<String> running = ConcurrentHashMap.newKeySet();

  /** Messages of a cashier. */
  sealed interface Cash {
    record Take(long amount) implements Cash {}

    record Count() implements Cash {}
  }

  record Till(long sum, long takes) {}

  record Counted(long sum, long takes, String node) {}

  /** The one cashier of the cell. */
  final class Cashier extends DurableStateActor<Cash, Till> {
    private final String node;

    Cashier(String node) {
      this.node = node;
    }

    @Override
    protected Till initial() {
      return new Till(0, 0);
    }

    @Override
    protected Future<?> started() {
      running.add(node);
      return Future.succeededFuture();
    }

    @Override
    protected Future<?> stopped() {
      running.remove(node);
      return Future.succeededFuture();
    }

    @Override
    protected void protocol(Protocol<Cash> on) {
      on.message(
          Cash.Take.class,
          take -> update(new Till(state().sum() + take.amount(), state().takes() + 1)));
      on.message(
          Cash.Count.class, count -> reply(new Counted(state().sum(), state().takes(), node)));
    }
  }

  @BeforeEach
  void open() throws Exception {
    grid = new TestGrid("roles");
  }

  private ActorRef<Cash> candidate(String name) {
    return await(
        grid.open(name).grid().role("cashier", () -> new Cashier(name), new ActorOptions()));
  }

  private RoleStatus role(String seenBy) {
    List<RoleStatus> roles = await(grid.node(seenBy).grid().roles());
    assertThat(roles).extracting(RoleStatus::name).containsExactly("cashier", "grid-monitor");
    return roles.get(0);
  }

  private static Counted count(ActorRef<Cash> cashier) {
    return await(cashier.ask(new Cash.Count(), Counted.class));
  }

  @Test
  void aRoleHasOneHolderAndAStandbyAndNewcomersDoNotPreempt() {
    ActorRef<Cash> cashier = candidate("one");
    assertThat(role("one").standby()).isEmpty();
    candidate("two");
    candidate("three");
    Eventually.assertThat(
        () -> {
          RoleStatus role = role("two");
          assertThat(role.holder()).contains("one");
          assertThat(role.epoch()).isEqualTo(1);
          assertThat(role.candidates()).containsExactlyInAnyOrder("one", "two", "three");
          assertThat(role.standby()).isPresent().isNotEqualTo(Optional.of("one"));
          assertThat(role.failovers()).extracting(Failover::cause).containsExactly("NONE_BEFORE");
        });
    assertThat(count(cashier).node()).isEqualTo("one");
    assertThat(running).containsExactly("one");
  }

  @Test
  void aRoleIsHandedOverWhenAskedWithoutLosingItsMail() {
    ActorRef<Cash> fromHolder = candidate("one");
    ActorRef<Cash> fromOther = candidate("two");
    Eventually.assertThat(() -> assertThat(role("one").standby()).contains("two"));
    List<Future<Void>> tells = new ArrayList<>();
    for (int i = 0; i < 200; i++) {
      tells.add((i % 2 == 0 ? fromHolder : fromOther).tell(new Cash.Take(i)));
      if (i == 100) {
        await(grid.node("two").grid().failover("cashier")); // the holder is another node
      }
    }
    await(Future.all(tells));
    Eventually.assertThat(
        () -> {
          RoleStatus role = role("one");
          assertThat(role.holder()).contains("two");
          assertThat(role.epoch()).isEqualTo(2);
          assertThat(role.failovers()).hasSize(2);
        });
    Eventually.assertThat(
        () -> assertThat(count(fromOther)).isEqualTo(new Counted(19_900, 200, "two")));
    assertThat(running).containsExactly("two");
    Failover last = role("two").failovers().get(1);
    assertThat(last.from()).isEqualTo("one");
    assertThat(last.to()).isEqualTo("two");
    assertThat(last.cause()).isEqualTo("GIVEN_BACK");
    assertThat(last.gap().orElseThrow()).isLessThan(TestGrid.SESSION);
    System.out.println("roles: handed over in " + last.gap().get().toMillis() + " ms");
  }

  @Test
  void aNodeThatClosesHandsItsRolesOver() {
    candidate("one");
    ActorRef<Cash> cashier = candidate("two");
    await(cashier.tell(new Cash.Take(5)));
    grid.close("one");
    assertThat(count(cashier)).isEqualTo(new Counted(5, 1, "two"));
    Eventually.assertThat(() -> assertThat(role("two").failovers()).hasSize(2));
    Failover last = role("two").failovers().get(1);
    assertThat(last.cause()).isEqualTo("GIVEN_BACK");
    assertThat(last.gap().orElseThrow()).isLessThan(TestGrid.SESSION);
    System.out.println("roles: closed and taken over in " + last.gap().get().toMillis() + " ms");
  }

  @Test
  void aMessageWaitsWhileNobodyHoldsTheRole() {
    candidate("one");
    grid.open("bystander");
    ActorRef<Cash> cashier = grid.node("bystander").grid().roleRef("cashier", Cash.class);
    await(cashier.tell(new Cash.Take(1)));
    grid.close("one");
    await(cashier.tell(new Cash.Take(2)));
    assertThat(role("bystander").holder()).isEmpty();
    candidate("two");
    assertThat(count(cashier)).isEqualTo(new Counted(3, 2, "two"));
  }

  @Test
  void anImpossibleRoleIsRefusedWithTheReason() {
    candidate("one");
    Grid one = grid.node("one").grid();
    assertThatThrownBy(() -> await(one.failover("cashier"))).hasMessageContaining("no standby");
    assertThatThrownBy(() -> await(one.failover("nobody"))).hasMessageContaining("no role nobody");
    assertThatThrownBy(() -> await(one.failover("a/b"))).hasMessageContaining("no role a/b");
    assertThatThrownBy(() -> await(Grid.start(grid.node("one").callboard(), GridOptions.DEFAULT)))
        .hasMessageContaining("runs already");
    assertThatThrownBy(() -> await(one.drain("stranger", true)))
        .hasMessageContaining("no node stranger");
    assertThatThrownBy(
            () -> await(one.role("node@one", () -> new Cashier("one"), new ActorOptions())))
        .hasMessageContaining("reserved for the grid");
    assertThatThrownBy(
            () -> await(one.role("volatile", idle(Cash.Count.class), new ActorOptions())))
        .hasMessageContaining("is not durable");
  }

  @Test
  void aNodeThatDrainsGivesItsRolesAwayAndDrainsOnAfterItsRestart() {
    candidate("one");
    candidate("two");
    await(grid.node("two").grid().drain("one", true));
    Eventually.assertThat(
        () -> {
          assertThat(role("two").holder()).contains("two");
          assertThat(role("two").candidates()).containsExactly("two");
        });
    grid.close("one");
    candidate("one");
    Eventually.assertThat(() -> assertThat(role("one").candidates()).containsExactly("two"));
    await(grid.node("two").grid().drain("one", false));
    Eventually.assertThat(() -> assertThat(role("one").standby()).contains("one"));
  }

  /** An operator need not wait for a node that is away. */
  @Test
  void aRequestToANodeWaitsUntilItIsBack() {
    candidate("one");
    candidate("two");
    grid.close("two");
    await(grid.node("one").grid().drain("two", true));
    candidate("two");
    Eventually.assertThat(() -> assertThat(role("one").candidates()).containsExactly("one"));
  }

  @Test
  void aNodeThatStopsTheActorOfARoleIsNoCandidateAnyMore() {
    candidate("one");
    ActorRef<Cash> cashier = candidate("two");
    await(grid.node("one").callboard().stop("/roles/cashier"));
    assertThat(count(cashier).node()).isEqualTo("two");
    Eventually.assertThat(() -> assertThat(role("one").candidates()).containsExactly("two"));
    await(grid.node("two").callboard().stop("/roles/cashier"));
    Eventually.assertThat(() -> assertThat(role("one").holder()).isEmpty());
    assertThat(running).isEmpty();
  }
}
