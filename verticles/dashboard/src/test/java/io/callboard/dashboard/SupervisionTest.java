package io.callboard.dashboard;

import static io.callboard.dashboard.TestNode.json;
import static io.callboard.testkit.Futures.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import com.fasterxml.jackson.databind.JsonNode;
import io.callboard.Actor;
import io.callboard.ActorOptions;
import io.callboard.Callboard;
import io.callboard.DurableStateActor;
import io.callboard.Protocol;
import io.callboard.store.memory.MemoryStore;
import io.callboard.supervision.Backoff;
import io.callboard.supervision.FailureZone;
import io.callboard.supervision.LimitAction;
import io.callboard.supervision.Strategy;
import io.callboard.testkit.Eventually;
import io.callboard.testkit.NodesExtension;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** Failure zones and their actors over REST: how they are, and what an operator does with them. */
@Tag("real")
class SupervisionTest {
  record Sale(int number) {}

  @RegisterExtension final NodesExtension nodes = new NodesExtension();
  @TempDir Path data;
  private TestNode node;

  @BeforeEach
  void start() {
    node = new TestNode(data, TestNode.options(), new MemoryStore(nodes.cell()));
  }

  @AfterEach
  void stop() {
    node.close();
  }

  private static final class Clumsy extends Actor<Sale> {
    @Override
    protected void protocol(Protocol<Sale> on) {
      on.message(
          Sale.class,
          sale -> {
            throw new IllegalStateException("it slipped");
          });
    }
  }

  private static ActorOptions slow() {
    Duration long_ = Duration.ofHours(1);
    return new ActorOptions().backoff(Backoff.exponential(long_, long_));
  }

  private void shop() {
    await(node.callboard.supervise("/shop", new FailureZone().strategy(Strategy.REST_FOR_ONE)));
    await(node.callboard.spawn("/shop/till", Clumsy::new, slow()));
    await(node.callboard.supervise("/shop/cellar", new FailureZone()));
    await(node.callboard.spawn("/shop/cellar/rack", Clumsy::new, slow()));
    await(node.callboard.spawn("/alone", Clumsy::new, slow()));
  }

  private JsonNode of(String path) {
    return json(node.get("/api/v1/actors" + path));
  }

  private void becomes(String path, String state) {
    Eventually.assertThat(
        () -> assertThat(of(path).path("state").asText()).as(path).isEqualTo(state));
  }

  private JsonNode act(String path, String verb) {
    HttpResponse<String> response = node.post("/api/v1/actors" + path + "/" + verb);
    assertThat(response.statusCode()).as(response.body()).isEqualTo(202);
    return json(response);
  }

  private static void assertProblem(
      HttpResponse<String> response, int status, String code, String detail) {
    assertThat(response.statusCode()).as(response.body()).isEqualTo(status);
    assertThat(json(response).path("code").asText()).isEqualTo(code);
    assertThat(json(response).path("detail").asText()).contains(detail);
  }

  @Test
  void zonesAndActorsTellWhereTheyAreInTheTree() {
    shop();
    JsonNode all = json(node.get("/api/v1/actors"));
    assertThat(all.at("/zones/0/path").asText()).isEqualTo("/shop");
    assertThat(all.at("/zones/0/strategy").asText()).isEqualTo("REST_FOR_ONE");
    assertThat(all.at("/zones/0/state").asText()).isEqualTo("RUNNING");
    assertThat(all.at("/zones/0/children").asInt()).isEqualTo(2);
    assertThat(all.at("/zones/0").has("supervisor")).isFalse();
    assertThat(all.at("/zones/1/path").asText()).isEqualTo("/shop/cellar");
    assertThat(all.at("/zones/1/supervisor").asText()).isEqualTo("/shop");
    assertThat(of("/shop/cellar/rack").path("supervisor").asText()).isEqualTo("/shop/cellar");
    assertThat(of("/shop/till").path("supervisor").asText()).isEqualTo("/shop");
    assertThat(of("/alone").has("supervisor")).isFalse();
    assertThat(json(node.get("/api/v1/actors?prefix=/shop/cellar")).path("zones")).hasSize(1);
    assertThat(json(node.get("/api/v1/actors?state=FAILED")).path("zones")).isEmpty();
    JsonNode cut = json(node.get("/api/v1/actors?limit=1"));
    assertThat(cut.path("zones")).hasSize(1);
    assertThat(cut.path("truncated").asBoolean()).isTrue();
  }

  @Test
  void anOperatorStopsResumesAndRestartsAnActor() {
    shop();
    assertThat(act("/alone", "stop").path("path").asText()).isEqualTo("/alone");
    becomes("/alone", "STOPPED");
    assertThat(act("/alone", "resume").path("kind").isMissingNode()).isTrue();
    becomes("/alone", "RUNNING");
    assertThat(of("/alone").path("restarts").asInt()).isEqualTo(1);
    var unused = act("/alone", "restart");
    Eventually.assertThat(() -> assertThat(of("/alone").path("restarts").asInt()).isEqualTo(2));
    becomes("/alone", "RUNNING");
  }

  record Tally(int value) {}

  private static final class Shelf extends DurableStateActor<Sale, Tally> {
    @Override
    protected Tally initial() {
      return new Tally(0);
    }

    @Override
    protected void protocol(Protocol<Sale> on) {
      on.message(Sale.class, sale -> update(new Tally(state().value() + sale.number())));
    }
  }

  @Test
  void anActorStoppedBeforeItsNodeStartedAgainIsResumed() {
    await(node.callboard.host("/shelves", Shelf::new, new ActorOptions()));
    for (int i = 0; i < 5; i++) {
      await(node.callboard.durableRef("/shelves/0" + i, Sale.class).tell(new Sale(1)));
    }
    await(node.callboard.durableRef("/shelves/1", Sale.class).tell(new Sale(1)));
    becomes("/shelves/1", "RUNNING");
    var unused = act("/shelves/1", "stop");
    becomes("/shelves/1", "STOPPED");
    Eventually.assertThat(
        () ->
            assertThat(
                    await(node.callboard.admin().stored("/shelves/1"))
                        .orElseThrow()
                        .record()
                        .stopped())
                .isTrue());
    node.close();
    node = new TestNode(data, TestNode.options(), new MemoryStore(nodes.cell()));
    await(node.callboard.host("/shelves", Shelf::new, new ActorOptions()));
    becomes("/shelves/1", "STOPPED");
    JsonNode found = json(node.get("/api/v1/actors?prefix=/shelves&state=STOPPED&limit=1"));
    assertThat(found.at("/items/0/path").asText()).as("%s", found).isEqualTo("/shelves/1");
    assertThat(act("/shelves/1", "resume").path("path").asText()).isEqualTo("/shelves/1");
    becomes("/shelves/1", "RUNNING");
  }

  @Test
  void anActorThatWaitsIsTriedAtOnceWhenItIsResumed() {
    shop();
    await(node.callboard.ref("/shop/till", Sale.class).tell(new Sale(1)));
    becomes("/shop/till", "WAITS");
    JsonNode waits = of("/shop/till");
    assertThat(java.time.Instant.parse(waits.path("nextAttempt").asText()))
        .isAfter(java.time.Instant.now().plusSeconds(60));
    assertThat(waits.at("/history/0/stack").asText()).contains("at " + Clumsy.class.getName());
    assertThat(act("/shop/till", "resume").path("supervisor").asText()).isEqualTo("/shop");
    becomes("/shop/till", "RUNNING");
    Eventually.assertThat(
        () -> {
          JsonNode zone = of("/shop");
          assertThat(zone.path("childFailures").asInt()).isEqualTo(1);
          assertThat(zone.path("childRestarts").asInt()).isPositive();
          assertThat(zone.path("restarts").asInt()).isZero();
        });
  }

  @Test
  void anOperatorStopsResumesAndRestartsAZone() {
    shop();
    JsonNode stopped = act("/shop", "stop");
    assertThat(stopped.path("kind").asText()).isEqualTo("zone");
    becomes("/shop", "STOPPED");
    assertThat(of("/shop/till").path("state").asText()).isNotEqualTo("RUNNING");
    assertThat(json(node.get("/api/v1/actors?state=STOPPED")).path("zones")).hasSize(1);
    var unused = act("/shop", "resume");
    becomes("/shop", "RUNNING");
    becomes("/shop/cellar/rack", "RUNNING");
    unused = act("/shop/cellar", "restart");
    Eventually.assertThat(
        () -> assertThat(of("/shop/cellar/rack").path("restarts").asInt()).isEqualTo(2));
  }

  @Test
  void aZoneTellsHowItFailedAsAWhole() {
    await(
        node.callboard.supervise(
            "/shop",
            new FailureZone().intensity(0, Duration.ofMinutes(1)).whenOver(LimitAction.PARK)));
    await(
        node.callboard.supervise(
            "/shop/till", new FailureZone().intensity(0, Duration.ofMinutes(1))));
    await(node.callboard.spawn("/shop/till/drawer", Clumsy::new, slow()));
    await(node.callboard.ref("/shop/till/drawer", Sale.class).tell(new Sale(1)));
    becomes("/shop", "FAILED");
    JsonNode till = of("/shop/till");
    assertThat(till.path("history")).hasSize(1);
    assertThat(till.at("/history/0/kind").asText()).isEqualTo("ESCALATED");
    assertThat(till.path("lastFailure").asText()).contains("it slipped");
    assertThat(json(node.get("/api/v1/actors")).at("/zones/1").has("history")).isFalse();
    var unused = act("/shop", "resume");
    becomes("/shop", "RUNNING");
    becomes("/shop/till/drawer", "RUNNING");
  }

  @Test
  void thePolicyOfAZoneIsChangedAndToldWithWhatIsLeft() {
    await(node.callboard.supervise("/shop", new FailureZone()));
    String policy = "/api/v1/actors/shop/policy";
    HttpResponse<String> changed =
        node.post(policy, "{\"strategy\":\"ALL_FOR_ONE\",\"restarts\":3,\"window\":\"PT1M\"}");
    assertThat(changed.statusCode()).as(changed.body()).isEqualTo(200);
    JsonNode shop = of("/shop");
    assertThat(shop.path("strategy").asText()).isEqualTo("ALL_FOR_ONE");
    assertThat(shop.path("whenOver").asText()).isEqualTo("ESCALATE");
    assertThat(shop.path("budget"))
        .hasToString("{\"allowed\":3,\"window\":\"PT1M\",\"counted\":0,\"left\":3}");
    assertProblem(node.post(policy, "{\"window\":\"soon\"}"), 422, "INVALID", "ISO 8601");
    assertProblem(node.post(policy, "{\"window\":\"PT0S\"}"), 422, "INVALID", "window > 0");
    for (String wrong : new String[] {"soon", "PT0S"}) {
      HttpResponse<String> refused = node.post(policy, "{\"window\":\"%s\"}".formatted(wrong));
      assertThat(json(refused).at("/errors/0/pointer").asText()).isEqualTo("/window");
    }
    assertProblem(node.post(policy, "{\"strategy\":\"NONE\"}"), 422, "INVALID", "");
    assertProblem(
        node.post("/api/v1/actors/nobody/policy", "{}"), 404, "NOT_FOUND", "no failure zone");
  }

  @Test
  void theToolkitsOwnActorsAreNotStopped() {
    for (String path :
        List.of(
            "/jobs/gate", "/jobs/monitor/node-a", "/roles/grid-monitor", "/roles/node@node-a")) {
      HttpResponse<String> refused = node.post("/api/v1/actors" + path + "/stop");
      assertProblem(refused, 409, "NEEDED", path + " is an actor of the toolkit itself");
      assertThat(of(path).path("state").asText()).isEqualTo("RUNNING");
    }
    assertThat(node.post("/api/v1/actors/jobs/gate/restart").statusCode()).isEqualTo(202);
  }

  @Test
  void withoutOneOfTheToolkitsOwnActorsTheNodeIsDegraded() {
    assertThat(readiness().has("degraded")).isFalse();

    await(node.callboard.admin().suspend("/jobs/gate"));
    await(node.callboard.stop("/jobs/monitor/node-a"));

    Eventually.assertThat(
        () ->
            assertThat(readiness().path("degraded"))
                .extracting(
                    each -> each.path("actor").asText(), each -> each.path("detail").asText())
                .containsExactly(
                    tuple("/jobs/gate", "it is STOPPED; resume it"),
                    tuple("/jobs/monitor/node-a", "it has stopped permanently; restart the node")));

    act("/jobs/gate", "resume");
    Eventually.assertThat(() -> assertThat(readiness().path("degraded")).hasSize(1));
  }

  private JsonNode readiness() {
    HttpResponse<String> ready = node.get("/readyz");
    assertThat(ready.statusCode()).isEqualTo(200);
    return json(ready);
  }

  @Test
  void anActorThatIsNotHereIsRefusedWithItsPlace() {
    assertProblem(
        node.post("/api/v1/actors/nobody/restart"),
        404,
        "NOT_FOUND",
        "there is no actor /nobody, nor a failure zone");
    assertProblem(node.post("/api/v1/actors/no%20path/stop"), 400, "MALFORMED", "path");
    assertProblem(
        node.post("/api/v1/actors/nobody/restart", "{\"a\":1}"), 422, "INVALID", "no body");
    assertProblem(
        node.send(
            node.request("/api/v1/actors/nobody/stop")
                .header("Origin", "http://evil.example")
                .POST(BodyPublishers.noBody())),
        403,
        "FORBIDDEN",
        "evil.example");
    Callboard other = nodes.open("node-b");
    await(other.spawn("/far/shelf", ParkedMessagesTest.Shelf::new, new ActorOptions()));
    HttpResponse<String> refused = node.post("/api/v1/actors/far/shelf/stop");
    assertProblem(
        refused,
        409,
        "ILLEGAL_STATE",
        "/far/shelf is owned by node node-b: send the request to that node");
    assertThat(json(refused).path("state").asText()).isEqualTo("ELSEWHERE");
    assertThat(of("/far/shelf").path("owner").asText()).isEqualTo("node-b");
    await(node.callboard.spawn("/far/shelf", ParkedMessagesTest.Shelf::new, new ActorOptions()));
    assertThat(of("/far/shelf").path("state").asText()).isEqualTo("ELSEWHERE");
    assertProblem(
        node.post("/api/v1/actors/far/shelf/restart"), 409, "ILLEGAL_STATE", "node node-b");
  }

  @Test
  void aStoredActorThatNobodyRunsIsPassive() {
    await(node.callboard.spawn("/shop/shelf", ParkedMessagesTest.Shelf::new, new ActorOptions()));
    await(
        node.callboard
            .durableRef("/shop/shelf", ParkedMessagesTest.Put.class)
            .tell(new ParkedMessagesTest.Put("figs")));
    Eventually.assertThat(() -> assertThat(of("/shop/shelf").path("handled").asInt()).isEqualTo(1));
    await(node.callboard.stop("/shop/shelf"));
    HttpResponse<String> refused = node.post("/api/v1/actors/shop/shelf/resume");
    assertProblem(refused, 409, "ILLEGAL_STATE", "is not running");
    assertThat(json(refused).path("state").asText()).isEqualTo("PASSIVATED");
  }

  @Test
  void figuresOfFailuresOnlyGrowAndHaveASeriesForEachZone() {
    shop();
    await(node.callboard.ref("/shop/till", Sale.class).tell(new Sale(1)));
    becomes("/shop/till", "WAITS");
    var unused = act("/shop/till", "resume");
    becomes("/shop/till", "RUNNING");
    Eventually.assertThat(
        () -> assertThat(of("/shop/cellar/rack").path("restarts").asInt()).isEqualTo(1));
    becomes("/shop/cellar/rack", "RUNNING");
    becomes("/shop/cellar", "RUNNING");
    becomes("/shop", "RUNNING");
    PrometheusText told = PrometheusText.read(node.get("/metrics").body());
    assertThat(told.value("callboard_actor_failures_total{kind=\"THROWN\"}")).isEqualTo(1);
    assertThat(told.value("callboard_actor_failures_total{kind=\"BLOCKED\"}")).isZero();
    double restarts = told.value("callboard_actor_restarts_total");
    assertThat(restarts).isEqualTo(2); // rest for one: what is in the cellar, too
    assertThat(told.value("callboard_failure_zones{state=\"RUNNING\"}")).isEqualTo(2);
    assertThat(told.value("callboard_failure_zones_not_shown")).isZero();
    String zone = "{zone=\"/shop\"}";
    assertThat(told.value("callboard_failure_zone_child_failures_total" + zone)).isEqualTo(1);
    assertThat(told.value("callboard_failure_zone_child_restarts_total" + zone)).isEqualTo(2);
    assertThat(told.value("callboard_failure_zone_restarts_total" + zone)).isZero();
    assertThat(told.value("callboard_failure_zone_restarts_total{zone=\"/shop/cellar\"}"))
        .isEqualTo(1);
    assertThat(told.value("callboard_failure_zone_children" + zone)).isEqualTo(2);
    await(node.callboard.stop("/shop"));
    told = PrometheusText.read(node.get("/metrics").body());
    assertThat(told.value("callboard_actor_restarts_total")).isEqualTo(restarts);
    assertThat(told.series("callboard_failure_zone_children")).isZero();
  }

  @Test
  void theOwnerOfAPathIsShown() {
    assertThat(await(node.callboard.admin().owner("/shop/shelf"))).isEmpty();
    await(node.callboard.spawn("/shop/shelf", ParkedMessagesTest.Shelf::new, new ActorOptions()));
    assertThat(await(node.callboard.admin().owner("/shop/shelf"))).contains("node-a");
    assertThat(node.callboard.admin().owner("no path").failed()).isTrue();
  }
}
