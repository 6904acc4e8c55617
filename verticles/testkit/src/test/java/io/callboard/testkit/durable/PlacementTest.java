package io.callboard.testkit.durable;

import static io.callboard.testkit.Futures.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.callboard.ActorOptions;
import io.callboard.ActorRef;
import io.callboard.Callboard;
import io.callboard.DurableStateActor;
import io.callboard.Protocol;
import io.callboard.codecs.Partition;
import io.callboard.placement.Ranking;
import io.callboard.store.Lease;
import io.callboard.store.memory.MemoryCell;
import io.callboard.store.memory.MemoryStore;
import io.callboard.testkit.Eventually;
import io.callboard.testkit.NodesExtension;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.json.JsonObject;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * Test of durable actors on several nodes of one cell: which node runs them, and what becomes of
 * their mail.
 */
class PlacementTest {
  private static final int COUNTERS = 100;

  @RegisterExtension final NodesExtension nodes = new NodesExtension();
  private final Map<String, Member> members = new LinkedHashMap<>();
  private final Map<String, Promise<Void>> gates = new ConcurrentHashMap<>();

  private record Member(Callboard callboard, MemoryStore store) {}

  /** Message to a counter; one with a gate waits for it. */
  sealed interface Count {
    record Up(long number, String gate) implements Count {}

    record Read() implements Count {}
  }

  record Counted(long count, long last, boolean ordered) {}

  record Seen(long count, boolean ordered, String node) {}

  /** Actor that counts, and notices messages that are doubled or out of order. */
  final class Counter extends DurableStateActor<Count, Counted> {
    private final String node;

    Counter(String node) {
      this.node = node;
    }

    @Override
    protected Counted initial() {
      return new Counted(0, 0, true);
    }

    @Override
    protected void protocol(Protocol<Count> on) {
      on.async(
          Count.Up.class,
          up -> {
            boolean next = up.number() == state().last() + 1;
            update(new Counted(state().count() + 1, up.number(), state().ordered() && next));
            Promise<Void> gate = gates.get(up.gate());
            return gate == null ? Future.succeededFuture() : gate.future();
          });
      on.message(
          Count.Read.class, read -> reply(new Seen(state().count(), state().ordered(), node)));
    }
  }

  private Callboard open(String name) {
    return open(name, Map.of(), new ActorOptions());
  }

  private Callboard open(String name, Map<String, String> labels, ActorOptions hosted) {
    MemoryStore store = new MemoryStore(nodes.cell());
    Callboard callboard = nodes.open(name, options -> options.labels(labels).store(() -> store));
    members.put(name, new Member(callboard, store));
    await(callboard.host("/count", () -> new Counter(name), hosted));
    return callboard;
  }

  private void close(String name) {
    nodes.close(Objects.requireNonNull(members.remove(name)).callboard());
  }

  @AfterEach
  void close() {
    gates.values().forEach(Promise::tryComplete);
  }

  private static ActorRef<Count> counter(Callboard callboard, int number) {
    return callboard.durableRef("/count/c" + number, Count.class);
  }

  private static void tellAll(Callboard from, long number) {
    List<Future<Void>> tells = new ArrayList<>();
    for (int i = 0; i < COUNTERS; i++) {
      tells.add(counter(from, i).tell(new Count.Up(number, "")));
    }
    await(Future.all(tells));
  }

  private Map<Partition, String> owners(Callboard callboard) {
    Map<Partition, String> owners = new HashMap<>();
    for (Map.Entry<Partition, Lease> each : await(callboard.leases().stored()).entrySet()) {
      owners.put(each.getKey(), each.getValue().owner());
    }
    return owners;
  }

  /**
   * Asserts the counts, asked where the actors are, as there is no event bus between these nodes.
   */
  private void allHave(Callboard callboard, long count) {
    for (int i = 0; i < COUNTERS; i++) {
      String owner = await(callboard.admin().owner("/count/c" + i)).orElseThrow();
      Callboard there = Objects.requireNonNull(members.get(owner)).callboard();
      Seen seen = await(counter(there, i).ask(new Count.Read(), Seen.class));
      assertThat(seen.count()).as("counter %d", i).isEqualTo(count);
      assertThat(seen.ordered()).as("counter %d", i).isTrue();
    }
  }

  /**
   * Asserts that each partition is owned by the first of its ranking, and that each node has some.
   */
  private void isShared(Callboard callboard, String... names) {
    Eventually.assertThat(
        () -> {
          Map<Partition, String> owners = owners(callboard);
          List<io.callboard.store.Member> members = await(callboard.members());
          assertThat(owners).hasSize(MemoryCell.DEFAULT_PARTITIONS);
          owners.forEach(
              (partition, owner) ->
                  assertThat(owner)
                      .as("%s", partition)
                      .isEqualTo(Ranking.of(members).of(partition).get(0).name()));
          assertThat(owners.values()).containsOnly(names);
        });
  }

  @Test
  void nodesThatJoinAndLeaveMoveTheLeastAndLoseNothing() {
    Callboard one = open("one");
    tellAll(one, 1);
    Map<Partition, String> alone = owners(one);
    assertThat(alone.values()).containsOnly("one");
    open("two");
    tellAll(one, 2);
    isShared(one, "one", "two");
    tellAll(one, 3);
    Map<Partition, String> two = owners(one);
    Callboard three = open("three");
    isShared(one, "one", "two", "three");
    owners(one)
        .forEach(
            (partition, owner) ->
                assertThat(owner).as("%s", partition).isIn("three", two.get(partition)));
    tellAll(three, 4);
    close("two");
    tellAll(three, 5);
    isShared(one, "one", "three");
    allHave(three, 5);
  }

  @Test
  void aNodeThatDrainsGivesAllAwayAndTakesItBackAfterwards() {
    Callboard one = open("one");
    Callboard two = open("two");
    isShared(one, "one", "two");
    await(one.leases().drain(true));
    isShared(two, "two");
    tellAll(one, 1);
    allHave(one, 1);
    await(one.leases().drain(false));
    isShared(one, "one", "two");
    allHave(two, 1);
  }

  /** Every node runs the same program; its labels decide. */
  @Test
  void anActorThatRequiresLabelsRunsOnlyWhereTheyAre() {
    ActorOptions onSsd = new ActorOptions().requiredLabels(Map.of("disk", "ssd"));
    Callboard plain = open("plain", Map.of("disk", "hdd"), onSsd);
    await(plain.spawn("/roles/cashier", () -> new Counter("plain"), onSsd));
    await(counter(plain, 0).tell(new Count.Up(1, "")));
    assertThat(owners(plain)).as("nobody can run it yet").isEmpty();
    List<io.callboard.store.Member> alone = await(plain.members());
    assertThat(Ranking.of(alone).roles()).containsExactly("cashier");
    assertThat(Ranking.of(alone).of(Partition.ofRole("cashier"))).isEmpty();
    assertThat(Ranking.of(alone).lacking("cashier")).contains("disk=ssd");

    Callboard fit = open("fit", Map.of("disk", "ssd", "zone", "eu-1"), onSsd);
    isShared(fit, "fit");
    await(fit.spawn("/roles/cashier", () -> new Counter("fit"), onSsd));
    assertThat(await(counter(fit, 0).ask(new Count.Read(), Seen.class)))
        .isEqualTo(new Seen(1, true, "fit"));
    assertThat(await(plain.admin().owner("/roles/cashier"))).contains("fit");
    List<io.callboard.store.Member> both = await(plain.members());
    assertThat(Ranking.of(both).of(Partition.ofRole("cashier")))
        .extracting(io.callboard.store.Member::name)
        .containsExactly("fit");
  }

  @Test
  void labelsThatCanMeanNothingAreRefused() {
    Callboard one = open("one");
    ActorOptions onSsd = new ActorOptions().requiredLabels(Map.of("disk", "ssd"));
    assertThatThrownBy(() -> await(one.spawn("/roles/r/child", () -> new Counter("c"), onSsd)))
        .hasMessageContaining("it runs where its role is held: let /roles/r require them");
    assertThatThrownBy(() -> await(one.host("/roles/r", () -> new Counter("c"), onSsd)))
        .hasMessageContaining("let /roles/r require them");
    assertThatThrownBy(() -> new ActorOptions().requiredLabels(Map.of("a b", "c")))
        .hasMessageContaining("\"a b\" is not the key of a label");
    assertThatThrownBy(() -> ActorOptions.of(new JsonObject("{\"requiredLabels\":{\"disk\":1}}")))
        .hasMessage("actor options: /requiredLabels: must be an object of up to 1,000 texts");
    assertThat(
            ActorOptions.of(new JsonObject("{\"requiredLabels\":{\"disk\":\"ssd\"}}"))
                .requiredLabels())
        .containsExactly(Map.entry("disk", "ssd"));
  }

  @Test
  void aTurnUnderWayIsFinishedBeforeItsActorMoves() {
    Callboard one = open("one");
    gates.put("slow", Promise.promise());
    for (int i = 0; i < COUNTERS; i++) {
      await(counter(one, i).tell(new Count.Up(1, "slow")));
    }
    Callboard two = open("two");
    for (int i = 0; i < COUNTERS; i++) {
      await(counter(two, i).tell(new Count.Up(2, "")));
    }
    Future<Void> drained = one.leases().drain(true);
    assertThat(drained).isNotNull();
    gates.values().forEach(Promise::complete);
    isShared(two, "two");
    allHave(two, 2);
    assertThat(one.admin().counts().failed()).isZero();
  }

  @Test
  void aPartitionThatWouldNotComeToRestMovesAllTheSame() {
    Callboard one = open("one");
    gates.put("stuck", Promise.promise());
    await(counter(one, 0).tell(new Count.Up(1, "stuck")));
    Callboard two = open("two");
    gates.remove("stuck");
    await(one.leases().drain(true));
    isShared(two, "two");
    Seen seen = await(counter(two, 0).ask(new Count.Read(), Seen.class));
    assertThat(seen).isEqualTo(new Seen(1, true, "two"));
  }

  @Test
  void aRoleThatIsStoppedAndDeclaredAgainRuns() {
    Callboard one = open("one");
    for (int i = 1; i <= 20; i++) {
      ActorRef<Count> role =
          await(one.spawn("/roles/counter", () -> new Counter("one"), new ActorOptions()));
      await(role.tell(new Count.Up(i, "")));
      await(one.stop("/roles/counter"));
    }
    ActorRef<Count> role =
        await(one.spawn("/roles/counter", () -> new Counter("one"), new ActorOptions()));
    assertThat(await(role.ask(new Count.Read(), Seen.class))).isEqualTo(new Seen(20, true, "one"));
  }

  @Test
  void actorsBelowARoleGoWithIt() {
    Callboard one = open("one");
    await(one.host("/roles/counter/by", () -> new Counter("one"), new ActorOptions()));
    await(one.spawn("/roles/counter", () -> new Counter("one"), new ActorOptions()));
    ActorRef<Count> child = one.durableRef("/roles/counter/by/7", Count.class);
    await(child.tell(new Count.Up(1, "")));
    assertThat(await(child.ask(new Count.Read(), Seen.class)).node()).isEqualTo("one");
    assertThat(await(one.leases().stored()).keySet())
        .filteredOn(Partition::isRole)
        .containsExactly(Partition.ofRole("counter"));
    assertThatThrownBy(
            () -> await(one.host("/roles", () -> new Counter("one"), new ActorOptions())))
        .hasMessageContaining("cannot be hosted");
  }

  @Test
  void rolesRestWhileNothingIsHeardOfTheStore() {
    Callboard one = open("one");
    ActorRef<Count> role =
        await(one.spawn("/roles/counter", () -> new Counter("one"), new ActorOptions()));
    await(role.tell(new Count.Up(1, "")));
    MemoryStore store = Objects.requireNonNull(members.get("one")).store();
    await(store.inTouch(false));
    Eventually.assertThat(
        () ->
            assertThat(await(one.admin().running()))
                .filteredOn(status -> status.path().isRole())
                .extracting(status -> status.state().name())
                .containsExactly("ELSEWHERE"));
    await(role.tell(new Count.Up(2, "")));
    await(counter(one, 1).tell(new Count.Up(1, "")));
    Seen other = await(counter(one, 1).ask(new Count.Read(), Seen.class));
    assertThat(other.count()).as("others go on").isEqualTo(1);
    await(store.inTouch(true));
    assertThat(await(role.ask(new Count.Read(), Seen.class))).isEqualTo(new Seen(2, true, "one"));
  }
}
