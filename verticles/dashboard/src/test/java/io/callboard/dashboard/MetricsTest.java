package io.callboard.dashboard;

import static io.callboard.dashboard.TestNode.json;
import static io.callboard.testkit.Futures.await;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.callboard.ActorOptions;
import io.callboard.ActorRef;
import io.callboard.DurableStateActor;
import io.callboard.Priority;
import io.callboard.Protocol;
import io.callboard.TellOptions;
import io.callboard.testkit.Eventually;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Test of the figures of a real run, and of their display. */
@Tag("real")
class MetricsTest {
  private static final int MESSAGES = 500;

  @TempDir Path data;
  private TestNode node;
  private final Promise<Void> gate = Promise.promise();

  record Step(int number) {}

  record Sum(long value) {}

  /** Actor that adds up; number -1 waits for the gate, number -2 fails. */
  final class Adder extends DurableStateActor<Step, Sum> {
    @Override
    protected Sum initial() {
      return new Sum(0);
    }

    @Override
    protected void protocol(Protocol<Step> on) {
      on.async(
          Step.class,
          step -> {
            if (step.number() == -2) {
              throw new IllegalArgumentException("no");
            }
            update(new Sum(state().value() + 1));
            return step.number() == -1 ? gate.future() : Future.succeededFuture();
          });
    }
  }

  @BeforeEach
  void start() {
    node = new TestNode(data, TestNode.options());
  }

  @AfterEach
  void stop() {
    gate.tryComplete();
    node.close();
  }

  private ActorRef<Step> adder(String path) {
    return await(node.callboard.spawn(path, Adder::new, new ActorOptions().attempts(1)));
  }

  private PrometheusText metrics() {
    return PrometheusText.read(node.get("/metrics").body());
  }

  private static String of(String name, String actor) {
    return "%s{actor=\"%s\"}".formatted(name, actor);
  }

  @Test
  void aRunLeavesPlausibleFigures() {
    ActorRef<Step> adder = adder("/sum/a");
    List<Future<Void>> tells = new ArrayList<>();
    for (int i = 0; i < MESSAGES; i++) {
      // what has a priority goes through the mailbox: a unit of its own
      tells.add(adder.tell(new Step(i), TellOptions.priority(Priority.HIGH)));
    }
    await(Future.all(tells));
    await(adder.tell(new Step(-2)));
    String handled = of("callboard_mailbox_handled_total", "/sum/a");
    Eventually.isTrue(
        "all are handled", () -> metrics().samples.getOrDefault(handled, 0.0) >= MESSAGES);
    String parked = of("callboard_mailbox_parked_total", "/sum/a");
    Eventually.isTrue(
        "one is parked",
        () -> {
          PrometheusText now = metrics(); // what is said of mailboxes is up to a second old
          return now.value("callboard_messages_parked_total") == 1 && now.value(parked) == 1;
        });

    PrometheusText told = metrics();
    double commits = told.value("callboard_commits_total");
    assertThat(commits).isGreaterThan(2);
    assertThat(told.value("callboard_commit_seconds_count")).isEqualTo(commits);
    assertThat(told.value("callboard_commit_seconds_sum")).isPositive();
    assertThat(told.value("callboard_commit_units_sum"))
        .isGreaterThanOrEqualTo(told.value("callboard_turns_total") + MESSAGES);
    assertThat(told.value("callboard_commit_operations_total")).isGreaterThan(commits);
    assertThat(told.value("callboard_commit_bytes_total")).isGreaterThan(10.0 * MESSAGES);
    assertThat(told.value("callboard_turns_failed_total")).isEqualTo(1);
    assertThat(told.value(parked)).isEqualTo(1);
    assertThat(told.value("callboard_mailboxes_age_seconds")).isBetween(0.0, 20.0);
    assertThat(told.value(of("callboard_mailbox_depth", "/sum/a"))).isZero();
    assertThat(told.value(of("callboard_mailbox_oldest_seconds", "/sum/a"))).isZero();
    assertThat(told.value("callboard_denied")).isZero();
    String owned = "callboard_owned{kind=\"%s\"}";
    assertThat(told.value(owned.formatted("partition"))).isPositive();
    assertThat(told.value(owned.formatted("role"))).isPositive();
    assertThat(told.value("callboard_owned_taken_total{cause=\"NONE_BEFORE\"}"))
        .isEqualTo(told.value(owned.formatted("partition")) + told.value(owned.formatted("role")));
    assertThat(told.value("callboard_owned_left_total")).isZero();
    assertThat(told.value("callboard_members_suspected")).isZero();
    for (String what : List.of("written", "fetched", "deleted", "forsaken")) {
      assertThat(told.value("callboard_blobs_total{what=\"%s\"}".formatted(what))).isZero();
      assertThat(told.value("callboard_blob_bytes_total{what=\"%s\"}".formatted(what))).isZero();
    }
    assertThat(told.value("callboard_blob_fetch_failures_total")).isZero();
    assertThat(told.samples)
        .containsKeys(
            "callboard_commits_refused_total{reason=\"FENCED\"}",
            "callboard_link_frames_total{direction=\"in\"}",
            "callboard_session_renewals_total",
            "callboard_units_held_back_total",
            "callboard_asks_pending");

    JsonNode stats = json(node.get("/api/v1/stats"));
    assertThat(stats.at("/commits/count").asLong()).isGreaterThanOrEqualTo((long) commits);
    for (String share : List.of("p50", "p95", "p99")) {
      String latency = stats.at("/commits/latency/" + share).asText();
      assertThat(Duration.parse(latency)).isBetween(Duration.ofNanos(1), Duration.ofSeconds(20));
      assertThat(stats.at("/commits/unitsPerCommit/" + share).asLong()).isBetween(1L, 512L);
    }
    assertThat(stats.at("/links/framesOut").isNumber()).isTrue();
    assertThat(stats.at("/blobs/written/bytes").isNumber()).isTrue();
    assertThat(stats.at("/mailboxes/depth").isNumber()).isTrue();
    JsonNode mailbox = json(node.get("/api/v1/actors/sum/a")).path("mailbox");
    assertThat(mailbox.path("perSecond").asDouble()).isPositive();
    assertThat(mailbox.path("parked").asInt()).isEqualTo(1);
    assertThat(mailbox.has("age")).isFalse();
  }

  @Test
  void waitingMailHasADepthAndAnAge() {
    ActorRef<Step> adder = adder("/sum/slow");
    await(adder.tell(new Step(-1)));
    for (int i = 0; i < 9; i++) {
      await(adder.tell(new Step(i)));
    }
    String depth = of("callboard_mailbox_depth", "/sum/slow");
    Eventually.isTrue("ten wait", () -> metrics().value(depth) == 10);
    String oldest = of("callboard_mailbox_oldest_seconds", "/sum/slow");
    Eventually.isTrue("they grow old", () -> metrics().value(oldest) > 1);
    JsonNode mailbox = json(node.get("/api/v1/actors/sum/slow")).path("mailbox");
    assertThat(mailbox.path("depth").asInt()).isEqualTo(10);
    assertThat(Duration.parse(mailbox.path("age").asText()))
        .isBetween(Duration.ofSeconds(1), Duration.ofSeconds(60));
    assertThat(Instant.parse(mailbox.path("oldestAt").asText())).isBefore(Instant.now());
    JsonNode listed = json(node.get("/api/v1/actors")).path("items");
    assertThat(listed.findValues("depth")).anyMatch(found -> found.asInt() == 10);
    JsonNode peeked = json(node.get("/api/v1/mailboxes/sum/slow/messages?limit=1")).path("items");
    assertThat(Instant.parse(peeked.at("/0/since").asText())).isBefore(Instant.now());

    await(node.callboard.stop("/sum/slow"));
    JsonNode stored = json(node.get("/api/v1/actors/sum/slow")).path("mailbox");
    assertThat(stored.path("depth").asInt()).as("as the store tells").isEqualTo(10);
    assertThat(Duration.parse(stored.path("age").asText())).isPositive();
    adder("/sum/slow");
    Instant again = Instant.now();
    Eventually.isTrue(
        "it is seen again, by a look since then",
        () -> {
          Duration passed = Duration.between(again, Instant.now());
          PrometheusText now = metrics();
          double age = now.value("callboard_mailboxes_age_seconds");
          return age < passed.toMillis() / 1e3 && now.value(depth) == 10;
        });
    assertThat(metrics().value(oldest)).as("the age goes on with the next owner").isGreaterThan(1);
    gate.complete();
    Eventually.isTrue(
        "it is empty", () -> metrics().value(depth) == 0 && metrics().value(oldest) == 0);
  }

  @Test
  void seriesAreBoundedHoweverManyActorsThereAre() {
    List<Future<ActorRef<Step>>> spawned = new ArrayList<>();
    for (int i = 0; i < 230; i++) {
      spawned.add(node.callboard.spawn("/many/a" + i, Adder::new, new ActorOptions()));
    }
    await(Future.all(spawned));
    ActorRef<Step> deep = spawned.get(229).result();
    await(deep.tell(new Step(-1)));
    await(deep.tell(new Step(1)));
    String depth = of("callboard_mailbox_depth", "/many/a229");
    Eventually.isTrue(
        "the deepest is shown", () -> metrics().samples.getOrDefault(depth, 0.0) == 2);
    PrometheusText told = metrics();
    double all = told.value("callboard_mailboxes");
    assertThat(all).isGreaterThanOrEqualTo(230);
    assertThat(told.value("callboard_mailboxes_not_shown")).isEqualTo(all - 200);
    assertThat(told.series("callboard_mailbox_depth")).isEqualTo(201);
    assertThat(told.series("callboard_mailbox_handled_total")).isEqualTo(200);
    assertThat(told.value(of("callboard_mailbox_depth", "(others)"))).isZero();
  }
}
