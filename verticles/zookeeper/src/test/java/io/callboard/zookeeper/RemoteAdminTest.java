package io.callboard.zookeeper;

import static io.callboard.testkit.Futures.await;
import static io.callboard.testkit.SampleActors.hearing;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.callboard.ActorOptions;
import io.callboard.ActorRef;
import io.callboard.Callboard;
import io.callboard.CallboardException;
import io.callboard.admin.RemoteAdmin;
import io.callboard.codecs.Json;
import io.callboard.store.Member;
import io.callboard.supervision.Backoff;
import io.callboard.supervision.FailureZone;
import io.callboard.supervision.SupervisionOptions;
import io.callboard.testkit.Eventually;
import io.callboard.zone.ZoneDefaults;
import io.vertx.core.Future;
import io.vertx.core.eventbus.ReplyException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** What one node can ask another, which has neither jobs nor a dashboard. */
@Tag("real")
class RemoteAdminTest {
  private static final int MANY = 30;

  @RegisterExtension final TwoNodes nodes = new TwoNodes("remote-admin");
  private final Callboard here = nodes.here;
  private final Callboard there = nodes.there;
  private RemoteAdmin remote;

  record Fail(String why) {}

  private static void fail(Fail fail) {
    throw new IllegalStateException(fail.why());
  }

  @BeforeEach
  void open() throws Exception {
    Member member =
        await(here.members()).stream()
            .filter(each -> each.name().equals("there"))
            .findFirst()
            .orElseThrow();
    remote = here.admin().of(member);
    // where a node is asked is known here a moment after it has begun
    Eventually.assertThat(() -> assertThat(answer(remote.rollUp())).isNotNull());
  }

  /** Returns the answer; that there is none in time is an assertion that may hold later. */
  private static <T> T answer(Future<T> asked) {
    try {
      return await(asked);
    } catch (CallboardException e) {
      throw new AssertionError(e);
    }
  }

  private void fails(String path, String why) {
    SupervisionOptions late =
        new SupervisionOptions()
            .backoff(
                Backoff.exponential(
                    Duration.ofMinutes(5), Duration.ofMinutes(5), Backoff.Jitter.NONE));
    ActorRef<Fail> ref =
        await(
            there.spawn(
                path,
                hearing(Fail.class, RemoteAdminTest::fail),
                new ActorOptions().supervision(late)));
    Future<Void> unused = ref.tell(new Fail(why));
  }

  @Test
  void aRollUpHasCountsAndTheWorstWithinItsLimits() {
    await(there.supervise("/zone", new FailureZone()));
    for (int i = 0; i < MANY; i++) {
      fails("/a" + i, "x".repeat(5_000));
    }
    Eventually.assertThat(
        () -> {
          ObjectNode rollUp = answer(remote.rollUp());
          assertThat(rollUp.path("f").asInt()).isEqualTo(1);
          assertThat(rollUp.at("/actors/byState/WAITS").asInt()).isEqualTo(MANY);
          assertThat(rollUp.path("down").asInt()).isEqualTo(MANY);
          assertThat(rollUp.path("worst")).hasSize(RemoteAdmin.MOST);
          assertThat(rollUp.at("/worst/0/lastFailure").asText()).hasSizeLessThan(400);
          assertThat(rollUp.at("/zones/RUNNING").asInt()).isEqualTo(1);
          assertThat(rollUp.path("threads")).isNotEmpty();
          assertThat(rollUp.at("/threads/0/full").isBoolean()).isTrue();
          assertThat(rollUp.path("openCircuits").isInt()).isTrue();
          assertThat(rollUp.path("circuits").isArray()).isTrue();
          assertThat(rollUp.path("oldest").isArray()).isTrue();
        });
  }

  @Test
  void anActorOfAnotherNodeIsFoundAndResumed() {
    fails("/a", "it slipped");
    Eventually.assertThat(
        () -> {
          ObjectNode found = answer(remote.find("/a")).orElseThrow();
          assertThat(found.path("state").asText()).isEqualTo("WAITS");
          assertThat(found.path("node").asText()).isEqualTo("there");
          assertThat(found.at("/history/0/cause").asText()).contains("it slipped");
        });
    await(remote.resume("/a"));
    Eventually.assertThat(
        () ->
            assertThat(answer(remote.find("/a")).orElseThrow().path("state").asText())
                .isEqualTo("RUNNING"));
    await(remote.suspend("/a"));
    await(remote.restart("/a"));
    assertThat(await(remote.find("/none"))).isEmpty();
  }

  @Test
  void childrenOfAZoneOfAnotherNodeAreToldWithTheirFailures() {
    await(there.supervise("/shop", new FailureZone()));
    await(there.supervise("/shop/store", new FailureZone()));
    fails("/shop/van", "it slipped");
    fails("/shop/store/box", "it fell");
    Eventually.assertThat(
        () -> {
          Map<String, ObjectNode> rows = answer(remote.contents(List.of("/shop"), 100));
          assertThat(rows.keySet()).containsExactly("zone:/shop/store", "/shop/van");
          assertThat(rows.get("/shop/van").path("state").asText()).isEqualTo("WAITS");
          assertThat(rows.get("/shop/van").path("node").asText()).isEqualTo("there");
          assertThat(rows.get("zone:/shop/store").at("/inside/byState/WAITS").asInt()).isEqualTo(1);
          assertThat(answer(remote.find("/shop")).orElseThrow().path("history").isArray()).isTrue();
        });
    assertThat(answer(remote.contents(List.of("/shop", "/shop/store"), 100)).keySet())
        .contains("/shop/store/box");
    assertThat(answer(remote.contents(List.of("/none"), 100))).isEmpty();
    assertThatThrownBy(() -> await(remote.contents(List.of(), 100)))
        .hasMessage("node there: the question \"contents\" must name 1 to 20 failure zones");
  }

  @Test
  void manyOpenViewsKeepNoOperatorFromAnAction() {
    await(there.supervise("/shop", new FailureZone()));
    ActorRef<Fail> unused =
        await(there.spawn("/shop/van", hearing(Fail.class, RemoteAdminTest::fail)));
    List<Future<Map<String, ObjectNode>>> asked = new ArrayList<>();
    for (int i = 0; i < 2 * MANY; i++) {
      asked.add(remote.contents(List.of("/shop"), 100));
    }
    await(remote.suspend("/shop/van"));
    await(remote.restart("/shop/van"));
    asked.forEach(each -> assertThat(await(each)).containsKey("/shop/van"));
  }

  @Test
  void anActorOfTheToolkitIsNotStoppedFromElsewhere() {
    ActorOptions toolkit = new ActorOptions().zone(ZoneDefaults.TOOLKIT);
    ActorRef<Fail> unused =
        await(there.spawn("/needed", hearing(Fail.class, RemoteAdminTest::fail), toolkit));
    assertThatThrownBy(() -> await(remote.suspend("/needed")))
        .isInstanceOfSatisfying(
            CallboardException.class,
            e -> assertThat(e.code()).isEqualTo(CallboardException.Code.CONFLICT))
        .hasMessageContaining("not stopped");
  }

  @Test
  void questionsThatCannotBeReadAreNotCountedForGood() {
    byte[] noPath =
        "{\"f\":1,\"what\":\"find\",\"path\":\"\",\"by\":\"here\"}"
            .getBytes(StandardCharsets.UTF_8);
    for (int i = 0; i < 40; i++) {
      assertThatThrownBy(
              () ->
                  await(
                      here.vertx().eventBus().request("callboard.admin." + there.bootId(), noPath)))
          .isInstanceOf(ReplyException.class);
    }
    assertThat(await(remote.rollUp()).path("f").asInt()).isEqualTo(1);
  }

  @Test
  void aFailureNamesTheNodeAndWhy() {
    assertThatThrownBy(() -> await(remote.restart("/none")))
        .isInstanceOfSatisfying(
            CallboardException.class,
            e -> assertThat(e.code()).isEqualTo(CallboardException.Code.NO_SUCH_ACTOR))
        .hasMessageContaining("node there: ");
    Member gone = new Member("gone", "no-such-boot", Instant.EPOCH, Map.of());
    assertThatThrownBy(() -> await(here.admin().of(gone).rollUp()))
        .hasMessageContaining("node gone answers no questions");
  }

  @Test
  void aQuestionOfALaterVersionIsRefusedInWords() {
    byte[] later = "{\"f\":1,\"what\":\"dance\",\"by\":\"here\"}".getBytes(StandardCharsets.UTF_8);
    assertThatThrownBy(
            () ->
                await(here.vertx().eventBus().request("callboard.admin." + there.bootId(), later)))
        .isInstanceOf(ReplyException.class)
        .hasMessageContaining("this version does not know the question \"dance\"");
    byte[] noJson = "no".getBytes(StandardCharsets.UTF_8);
    assertThatThrownBy(
            () ->
                await(here.vertx().eventBus().request("callboard.admin." + there.bootId(), noJson)))
        .isInstanceOf(ReplyException.class);
    assertThat(Json.bytes(await(remote.rollUp()))).hasSizeLessThan(RemoteAdmin.MOST_BYTES);
  }
}
