package io.callboard.dashboard;

import static io.callboard.testkit.Futures.await;
import static io.callboard.testkit.SampleActors.hearing;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.callboard.ActorOptions;
import io.callboard.ActorRef;
import io.callboard.guard.Guard;
import io.callboard.guard.GuardOptions;
import io.callboard.jobs.model.JobSpec;
import io.callboard.jobs.model.JobType;
import io.callboard.jobs.model.RetryPolicy;
import io.callboard.store.Store;
import io.callboard.store.memory.MemoryStore;
import io.callboard.supervision.Backoff;
import io.callboard.supervision.FailureZone;
import io.callboard.supervision.LimitAction;
import io.callboard.supervision.SupervisionOptions;
import io.callboard.testkit.Eventually;
import io.callboard.testkit.Intercepted;
import io.callboard.testkit.Intercepted.Call;
import io.vertx.core.Future;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What a real node says is wrong, from when it begins until it is over. */
@Tag("real")
class AttentionTest {

  record Sale(int number) {}

  private final MemoryStore store = new MemoryStore();
  private final AtomicBoolean away = new AtomicBoolean();
  private final AtomicInteger looks = new AtomicInteger();
  private final Clock clock = TestNode.ahead(looks);

  @AutoClose
  private final TestNode node =
      TestNode.start(
          TestNode.options().clock(clock), Intercepted.of(Store.class, store, this::inFront));

  /** Fails at every second sale. */
  private static void slip(Sale sale) {
    if (sale.number() % 2 == 0) {
      throw new IllegalStateException("it slipped");
    }
  }

  /** Forwards to the store, which says nothing of the members while it is away. */
  private Object inFront(Call call) throws Throwable {
    if (away.get() && call.is("members")) {
      return Future.failedFuture("ZooKeeper does not answer");
    }
    return call.proceed();
  }

  @BeforeEach
  void start() {
    allIsWell();
  }

  /** Reads it a second later, by the clock of what is read. */
  private JsonNode look(String path) {
    looks.incrementAndGet();
    return TestNode.json(node.get("/api/v1" + path));
  }

  private JsonNode items() {
    return look("/attention").path("items");
  }

  private void allIsWell() {
    Eventually.assertThat(() -> assertThat(items()).isEmpty());
  }

  private Optional<JsonNode> trouble(String rule) {
    return StreamSupport.stream(items().spliterator(), false)
        .filter(item -> item.path("rule").asText().equals(rule))
        .findFirst();
  }

  /** Waits until there is one of this rule, and returns it. */
  private JsonNode appears(String rule, String subject) {
    Eventually.assertThat(
        () ->
            assertThat(trouble(rule))
                .hasValueSatisfying(
                    item -> assertThat(item.at("/subject/name").asText()).isEqualTo(subject)));
    JsonNode item = trouble(rule).orElseThrow();
    assertThat(Instant.parse(item.path("since").asText())).isBefore(clock.instant());
    return item;
  }

  private void act(JsonNode trouble) {
    String path = trouble.at("/action/post").asText();
    assertThat(node.post("/api/v1" + path).statusCode()).as(path).isIn(200, 202);
  }

  private JsonNode stats(String section) {
    return look("/stats").path(section);
  }

  @Test
  void aStoreThatIsAwayIsTheTroubleAndSectionsKeepWhatWasRead() {
    assertThat(stats("members").path("count").asInt()).isEqualTo(1);
    away.set(true);
    JsonNode trouble = appears("STORE_UNREACHABLE", "main");
    assertThat(trouble.path("cause").asText()).endsWith("ZooKeeper does not answer");
    assertThat(items()).hasSize(1);
    JsonNode old = stats("members");
    assertThat(old.path("count").asInt()).as("what was read before").isEqualTo(1);
    assertThat(old.path("error").asText()).isEqualTo("ZooKeeper does not answer");
    Eventually.assertThat(
        // whole seconds: what is read goes on, what is not stands still
        () -> {
          JsonNode asOf = stats("asOf");
          assertThat(Instant.parse(asOf.path("members").asText()))
              .isBefore(Instant.parse(asOf.path("messages").asText()));
        });
    away.set(false);
    allIsWell();
    assertThat(stats("members").has("error")).isFalse();
  }

  @Test
  void aFailureZoneOverItsBudgetIsFailedWithItsCauseAndItsChildrenRest() {
    await(
        node.callboard.supervise(
            "/shop",
            new FailureZone().intensity(0, Duration.ofMinutes(1)).whenOver(LimitAction.PARK)));
    await(node.callboard.spawn("/shop/till", hearing(Sale.class, AttentionTest::slip)));
    ActorRef<Sale> van =
        await(node.callboard.spawn("/shop/van", hearing(Sale.class, AttentionTest::slip)));
    await(van.tell(new Sale(2)));
    Eventually.assertThat(
        () ->
            assertThat(appears("FAILURE_ZONE_FAILED", "/shop").path("cause").asText())
                .contains("the last was", "van", "it slipped", "2 actors rest with it"));
    JsonNode trouble = appears("FAILURE_ZONE_FAILED", "/shop");
    assertThat(items()).as("its children are no further troubles").hasSize(1);
    JsonNode zone = TestNode.json(node.get("/api/v1/actors/shop"));
    assertThat(zone.path("lastFailure").asText()).contains("it slipped");
    for (String child : List.of("till", "van")) {
      JsonNode row = TestNode.json(node.get("/api/v1/actors/shop/" + child));
      assertThat(row.path("state").asText()).as(child).isEqualTo("RESTS");
      assertThat(row.path("needs").asText()).isEqualTo("/shop");
      assertThat(row.has("nextAttempt")).isFalse();
    }
    assertThat(stats("actors").at("/zones/FAILED").asInt()).isEqualTo(1);
    act(trouble);
    allIsWell();
  }

  @Test
  void anActorThatWasGivenUpIsFailedUntilItIsResumed() {
    ActorOptions once =
        new ActorOptions()
            .supervision(
                new SupervisionOptions()
                    .intensity(0, Duration.ofMinutes(1))
                    .whenOver(LimitAction.PARK));
    ActorRef<Sale> alone =
        await(node.callboard.spawn("/alone", hearing(Sale.class, AttentionTest::slip), once));
    await(alone.tell(new Sale(2)));
    JsonNode trouble = appears("ACTOR_FAILED", "/alone");
    assertThat(trouble.path("severity").asText()).isEqualTo("CRITICAL");
    assertThat(trouble.path("cause").asText()).contains("it slipped");
    act(trouble);
    allIsWell();
  }

  @Test
  void anActorThatWaitsLongForItsRestartIsSeen() {
    Duration hour = Duration.ofHours(1);
    ActorOptions slow = new ActorOptions().backoff(Backoff.exponential(hour, hour));
    ActorRef<Sale> alone =
        await(node.callboard.spawn("/alone", hearing(Sale.class, AttentionTest::slip), slow));
    await(alone.tell(new Sale(2)));
    JsonNode trouble = appears("LONG_WAIT", "/alone");
    assertThat(trouble.path("cause").asText()).contains("it slipped", "the next attempt is at");
    act(trouble);
    allIsWell();
  }

  @Test
  void anOpenCircuitIsSeenAsLongAsTheGuardRuns() {
    Duration far = Duration.ofHours(1);
    GuardOptions<Sale> options =
        new GuardOptions<Sale>().backoff(Backoff.exponential(far, far, Backoff.Jitter.NONE));
    ActorRef<Sale> guard =
        await(
            node.callboard.spawn(
                "/risky",
                Guard.of(hearing(Sale.class, AttentionTest::slip), options),
                new ActorOptions().onBus(false)));
    await(guard.tell(new Sale(2)));
    assertThat(appears("CIRCUIT_OPEN", "/risky").path("cause").asText())
        .contains("its circuit is open after 1 failures in a row");
    await(node.callboard.stop("/risky"));
    allIsWell();
  }

  @Test
  void aPausedTypeIsSeenWhileJobsWait() {
    await(node.jobs.putType(new JobType("ocr", JobType.PROCESS, 2, true, RetryPolicy.ONCE)));
    allIsWell();
    await(node.jobs.submit(JobSpec.process("ocr", List.of("true"))));
    JsonNode trouble = appears("TYPE_PAUSED", "ocr");
    assertThat(trouble.path("severity").asText()).isEqualTo("NOTICE");
    assertThat(trouble.path("cause").asText())
        .startsWith("it is paused, and 1 job waits; paused since ");
    assertThat(trouble.at("/action/command").asText()).isEqualTo("callboard resume ocr");
    act(trouble);
    allIsWell();
  }

  @Test
  void deadJobsAreSeenByTheirCauseUntilTheyAreDeleted() {
    String first = await(node.jobs.submit(JobSpec.process("process", List.of("false")))).job().id();
    String second =
        await(node.jobs.submit(JobSpec.process("process", List.of("false")))).job().id();
    appears("JOBS_DEAD", "process");
    Eventually.assertThat(
        () ->
            assertThat(trouble("JOBS_DEAD").orElseThrow().path("cause").asText())
                .startsWith("2 jobs have died in the last hour: "));
    await(node.jobs.delete(first));
    await(node.jobs.delete(second));
    allIsWell();
  }

  @Test
  void parkedMessagesAreSeenByTheirCauseAndCountedAsTheyLie() {
    await(
        node.callboard.spawn(
            "/shop/shelf", ParkedMessagesTest.SHELF, new ActorOptions().attempts(1)));
    ActorRef<ParkedMessagesTest.Put> shelf =
        node.callboard.durableRef("/shop/shelf", ParkedMessagesTest.Put.class);
    await(shelf.tell(new ParkedMessagesTest.Put("bad figs")));
    JsonNode trouble = appears("MESSAGES_PARKED", "/shop/shelf");
    assertThat(trouble.path("cause").asText()).contains("1 message is parked", "no bad figs");
    assertThat(stats("parked").path("count").asInt()).isEqualTo(1);
    JsonNode parked = TestNode.json(node.get("/api/v1/deadletters")).at("/items/0/id");
    assertThat(node.post("/api/v1/deadletters/" + parked.asText() + "/discard").statusCode())
        .isEqualTo(200);
    allIsWell();
    assertThat(stats("parked").path("count").asInt()).isZero();
    assertThat(stats("messages").path("parked").asInt()).as("what was counted").isEqualTo(1);
  }
}
