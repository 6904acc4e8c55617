package io.callboard.grid;

import static io.callboard.testkit.Futures.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import io.callboard.ActorOptions;
import io.callboard.ActorRef;
import io.callboard.DurableStateActor;
import io.callboard.Protocol;
import io.callboard.grid.TestGrid.GridMember;
import io.callboard.store.StoreException;
import io.callboard.supervision.Backoff;
import io.callboard.supervision.SupervisionOptions;
import io.callboard.testkit.Eventually;
import io.callboard.zone.ZoneDefaults;
import io.vertx.core.Future;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Test of what the grid monitor finds and heals, on a real server. */
@Tag("real")
class GridMonitorTest {

  private TestGrid grid;

  record Order(String what) {}

  record Done(long orders) {}

  /** Works on one node only. */
  private static final class Picky extends DurableStateActor<Order, Done> {
    private final boolean works;

    Picky(boolean works) {
      this.works = works;
    }

    @Override
    protected Done initial() {
      if (!works) {
        throw new IllegalStateException("not here");
      }
      return new Done(0);
    }

    @Override
    protected void protocol(Protocol<Order> on) {
      on.message(
          Order.class,
          order -> {
            update(new Done(state().orders() + 1));
            reply(state());
          });
    }
  }

  @BeforeEach
  void open() throws Exception {
    grid = new TestGrid("monitor");
  }

  @AfterEach
  void close() {
    grid.close();
  }

  private RoleStatus role(String node, String name) {
    return await(grid.node(node).grid().roles()).stream()
        .filter(role -> role.name().equals(name))
        .findFirst()
        .orElseThrow(() -> new AssertionError("no role " + name + " yet"));
  }

  @Test
  void clocksAnHourApartAreAFindingUntilTheNodeHasLeft() {
    Grid one = grid.open("one").grid();
    grid.open("two", options -> options, new TimeAhead(Duration.ofHours(1)));
    grid.open("three");
    Eventually.assertThat(
        () ->
            assertThat(await(one.findings()).items())
                .filteredOn(found -> found.kind() == Finding.Kind.CLOCKS_DIFFER)
                .extracting(Finding::what)
                .containsExactly("one, two", "three, two"));
    assertThat(await(one.findings()).items())
        .extracting(Finding::detail)
        .anyMatch(
            detail -> detail.matches(".*the second is 3(600|599|601) s ahead of the first.*"));
    grid.close("two");
    Eventually.assertThat(() -> assertThat(await(one.findings()).items()).isEmpty());
  }

  @Test
  void eventsOutliveTheHolderAndAreNotInItsMembership() {
    GridMember one = grid.open("one");
    one.grid().note(GridEvent.TYPE_PAUSED, "etl", "by an operator");
    Eventually.assertThat(() -> assertThat(await(document(one))).contains("etl", "NODE_JOINED"));
    GridMember two = grid.open("two");
    Eventually.assertThat(() -> assertThat(role("two", GridMonitor.ROLE).holder()).contains("one"));
    grid.close("one");
    Eventually.assertThat(
        () -> {
          assertThat(role("two", GridMonitor.ROLE).holder()).contains("two");
          assertThat(await(two.grid().events()))
              .extracting(GridEvent::kind, GridEvent::subject)
              .contains(
                  tuple(GridEvent.TYPE_PAUSED, "etl"),
                  tuple(GridEvent.NODE_JOINED, "one"),
                  tuple(GridEvent.NODE_LEFT, "one"));
          assertThat(await(document(two))).contains("NODE_LEFT");
        });
    assertThat(await(two.callboard().members()).get(0).facts().values())
        .noneMatch(fact -> fact.contains("NODE_LEFT"));
  }

  /** As during the first upgrade, node by node. */
  @Test
  void untilThereIsADocumentEventsAreThoseThatAnOlderHolderPublishes() {
    GridMember one = grid.openWithoutScans("one");
    Eventually.assertThat(() -> assertThat(role("one", GridMonitor.ROLE).holder()).contains("one"));
    GridMember two = grid.openWithoutScans("two");
    assertThat(await(two.grid().events())).as("a cell that has just begun").isEmpty();
    // as nodes before the document wrote it
    String older =
        "{\"f\":1,\"events\":[{\"id\":\"e1\",\"at\":\"2026-11-26T12:00:00Z\",\"kind\":\"NODE_LOST\",\"subject\":\"three\",\"detail\":\"\"}]}";
    await(one.callboard().publish("grid.events", older));
    Eventually.isTrue(
        "the other node knows the fact",
        () ->
            await(two.callboard().members()).stream()
                .anyMatch(member -> member.facts().containsValue(older)));
    two.grid().note(GridEvent.TYPE_PAUSED, "etl", "by an operator");
    Eventually.assertThat(
        () ->
            assertThat(await(two.grid().events()))
                .extracting(GridEvent::kind, GridEvent::subject)
                .containsExactly(
                    tuple(GridEvent.NODE_LOST, "three"), tuple(GridEvent.TYPE_PAUSED, "etl")));
    await(one.callboard().publish("grid.events", "{"));
    Eventually.assertThat(
        () ->
            assertThatThrownBy(() -> await(two.grid().events()))
                .isInstanceOf(StoreException.class)
                .hasMessageContaining("the events of node one"));
  }

  private static Future<String> document(GridMember node) {
    return node.callboard()
        .leases()
        .document(GridMonitor.ROLE)
        .map(stored -> stored.map(b -> new String(b, StandardCharsets.UTF_8)).orElse(""));
  }

  @Test
  void aRoleWhoseActorIsGivenUpGoesToAnotherNode() {
    ActorOptions brief =
        new ActorOptions()
            .supervision(
                new SupervisionOptions()
                    .backoff(Backoff.exponential(Duration.ofMillis(5), Duration.ofMillis(5)))
                    .intensity(2, Duration.ofMinutes(1)));
    Grid one = grid.open("one").grid();
    var unused = one.role("picky", () -> new Picky(false), brief);
    Eventually.assertThat(() -> assertThat(role("one", "picky").holder()).contains("one"));
    await(grid.open("two").grid().role("picky", () -> new Picky(true), new ActorOptions()));
    Eventually.assertThat(() -> assertThat(role("one", "picky").holder()).contains("two"));
    Done done = await(one.roleRef("picky", Order.class).ask(new Order("x"), Done.class));
    assertThat(done.orders()).isEqualTo(1);
  }

  @Test
  void anActorOfTheToolkitThatWasStoppedIsFoundUntilItIsResumed() {
    GridMember one = grid.open("one");
    ActorOptions own = new ActorOptions().zone(ZoneDefaults.TOOLKIT);
    await(one.callboard().spawn("/tools/gate", () -> new Picky(true), own));
    await(one.callboard().admin().suspend("/tools/gate"));
    Eventually.assertThat(
        () ->
            assertThat(await(one.grid().findings()).items())
                .extracting(Finding::kind, Finding::what)
                .containsExactly(tuple(Finding.Kind.TOOLKIT_ACTOR_DOWN, "tools/gate")));
    await(one.callboard().admin().resume("/tools/gate"));
    Eventually.assertThat(() -> assertThat(await(one.grid().findings()).items()).isEmpty());
  }

  @Test
  void anActorOfTheToolkitThatWasGivenUpComesBackByItself() {
    GridMember one = grid.open("one");
    AtomicBoolean works = new AtomicBoolean();
    ActorOptions own =
        new ActorOptions()
            .zone(ZoneDefaults.TOOLKIT)
            .supervision(
                new SupervisionOptions()
                    .backoff(Backoff.exponential(Duration.ofMillis(5), Duration.ofMillis(5)))
                    .intensity(2, Duration.ofMinutes(1)));
    var unused = one.callboard().spawn("/tools/gate", () -> new Picky(works.get()), own);
    Eventually.assertThat(
        () ->
            assertThat(await(one.grid().findings()).items())
                .extracting(Finding::kind, Finding::what)
                .containsExactly(tuple(Finding.Kind.TOOLKIT_ACTOR_DOWN, "tools/gate")));
    works.set(true);
    Eventually.assertThat(() -> assertThat(await(one.grid().findings()).items()).isEmpty());
    Done done =
        await(
            one.callboard().durableRef("/tools/gate", Order.class).ask(new Order("x"), Done.class));
    assertThat(done.orders()).isEqualTo(1);
  }

  /** Mail waits meanwhile, and the actor is resumed again and again. */
  @Test
  void aHostedActorThatGaveUpIsFoundWithItsCauseAndComesBackByItself() {
    GridMember one = grid.open("one");
    AtomicBoolean works = new AtomicBoolean();
    ActorOptions brief =
        new ActorOptions()
            .supervision(
                new SupervisionOptions()
                    .backoff(Backoff.exponential(Duration.ofMillis(5), Duration.ofMillis(5)))
                    .intensity(2, Duration.ofMinutes(1)));
    await(one.callboard().host("/shops", () -> new Picky(works.get()), brief));
    ActorRef<Order> shop = one.callboard().durableRef("/shops/north", Order.class);
    await(shop.tell(new Order("waits")));
    Eventually.assertThat(
        () ->
            assertThat(await(one.grid().findings()).items())
                .singleElement()
                .satisfies(
                    found -> {
                      assertThat(found.kind()).isEqualTo(Finding.Kind.HOSTED_ACTOR_FAILED);
                      assertThat(found.what()).isEqualTo("shops/north");
                      assertThat(found.detail())
                          .contains("it failed permanently on node one", "not here");
                    }));
    works.set(true);
    Eventually.assertThat(() -> assertThat(await(one.grid().findings()).items()).isEmpty());
    assertThat(await(shop.ask(new Order("x"), Done.class)).orders()).isEqualTo(2);
  }

  @Test
  void mailForWhichTheOwnerRunsNoActorIsFound() {
    GridMember one = grid.open("one", options -> options.sweepEvery(Duration.ofMillis(600)));
    ActorOptions defaults = new ActorOptions();
    await(one.callboard().host("/shops/north", () -> new Picky(true), defaults));
    await(one.callboard().durableRef("/shops/south/x", Order.class).tell(new Order("early")));
    Eventually.assertThat(
        () ->
            assertThat(await(one.grid().findings()).items())
                .extracting(Finding::kind, Finding::what)
                .containsExactly(tuple(Finding.Kind.MAIL_FOR_NOBODY, "shops/south/x")));
    await(one.callboard().host("/shops/south", () -> new Picky(true), defaults));
    Eventually.assertThat(() -> assertThat(await(one.grid().findings()).items()).isEmpty());
  }

  @Test
  void everyNodeCanTellTheFindingsOfTheMonitor() {
    grid.open("one");
    Grid two = grid.open("two").grid();
    Eventually.assertThat(
        () ->
            assertThat(role("two", GridMonitor.ROLE).standby())
                .isPresent()
                .isNotEqualTo(role("two", GridMonitor.ROLE).holder()));
    await(
        grid.node("one")
            .callboard()
            .durableRef("/nobody/there", Order.class)
            .tell(new Order("lost")));
    Eventually.assertThat(
        () ->
            assertThat(await(two.findings()).items())
                .extracting(Finding::kind, Finding::what)
                .containsExactly(tuple(Finding.Kind.MAIL_FOR_NOBODY, "nobody")));
    String holder = role("two", GridMonitor.ROLE).holder().orElseThrow();
    grid.close(holder);
    String left = holder.equals("one") ? "two" : "one";
    Eventually.assertThat(
        () -> {
          assertThat(role(left, GridMonitor.ROLE).holder()).isEqualTo(Optional.of(left));
          Findings findings = await(grid.node(left).grid().findings());
          assertThat(findings.by()).contains(left);
          assertThat(findings.items()).hasSize(1);
        });
    await(grid.node(left).callboard().host("/nobody", () -> new Picky(true), new ActorOptions()));
    Eventually.assertThat(
        () -> assertThat(await(grid.node(left).grid().findings()).items()).isEmpty());
  }
}
