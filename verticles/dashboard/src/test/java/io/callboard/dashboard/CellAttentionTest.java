package io.callboard.dashboard;

import static io.callboard.testkit.Futures.await;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.callboard.Actor;
import io.callboard.ActorOptions;
import io.callboard.ActorRef;
import io.callboard.Callboard;
import io.callboard.CallboardOptions;
import io.callboard.codecs.Json;
import io.callboard.grid.Grid;
import io.callboard.grid.GridOptions;
import io.callboard.guard.Guard;
import io.callboard.guard.GuardOptions;
import io.callboard.part.StartedParts;
import io.callboard.supervision.Backoff;
import io.callboard.supervision.FailureZone;
import io.callboard.supervision.LimitAction;
import io.callboard.supervision.SupervisionOptions;
import io.callboard.testkit.Eventually;
import io.callboard.testkit.SampleActors;
import io.callboard.zookeeper.Clustering;
import io.callboard.zookeeper.EmbeddedZooKeeper;
import io.callboard.zookeeper.ZooKeeperStore;
import io.callboard.zookeeper.access.ZooKeeperOptions;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import io.vertx.core.eventbus.EventBusOptions;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What one of two real nodes says is wrong on the other, from when it begins until it is over. */
@Tag("real")
class CellAttentionTest {

  private final HttpClient client =
      HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

  /** What is to be closed, the last first. */
  private final Deque<Runnable> open = new ArrayDeque<>();

  private final AtomicInteger looks = new AtomicInteger();

  private EmbeddedZooKeeper server;
  private Callboard there;
  private DashboardServer front;

  record Sale(int number) {}

  private static final Supplier<Actor<Sale>> CLUMSY =
      SampleActors.failing(Sale.class, "it slipped");

  @BeforeEach
  void start() throws IOException {
    Path parent = Files.createDirectories(Path.of("target", "zookeeper"));
    server =
        EmbeddedZooKeeper.start(
            Files.createTempDirectory(parent, "attention-"),
            0,
            failure -> {
              throw new AssertionError(failure);
            });
    open.push(server::close);
    Callboard here = node("node-a");
    there = node("node-b");
    Grid grid = await(Grid.start(here, GridOptions.DEFAULT));
    assertThat(await(Grid.start(there, GridOptions.DEFAULT))).isNotNull();
    DashboardOptions options = TestNode.options().clock(TestNode.ahead(looks));
    StartedParts parts = StartedParts.of(here, "main");
    parts.has(Grid.class, grid);
    front = await(parts.start(DashboardServer.part(options)));
    open.push(() -> await(front.close()));
    allIsWell();
  }

  private void allIsWell() {
    Eventually.assertThat(
        () -> {
          JsonNode answer = attention();
          assertThat(answer.path("items")).isEmpty();
          assertThat(answer.path("read").asText()).contains("threads of all 2 nodes");
        });
  }

  private Callboard node(String name) throws IOException {
    ZooKeeperOptions options =
        new ZooKeeperOptions(
            server.connectString(), "main", Duration.ofSeconds(20), Duration.ofSeconds(10));
    Clustering clustering = Clustering.connect(options);
    open.push(clustering::close);
    Vertx vertx =
        await(
            Vertx.builder()
                .with(
                    new VertxOptions()
                        .setEventBusOptions(new EventBusOptions().setHost("127.0.0.1")))
                .withClusterManager(clustering.manager())
                .buildClustered());
    open.push(() -> await(vertx.close()));
    Callboard node =
        await(
            Callboard.create(
                vertx, new CallboardOptions().name(name).store(() -> new ZooKeeperStore(options))));
    open.push(() -> await(node.close()));
    return node;
  }

  @AfterEach
  void stop() {
    open.forEach(Runnable::run);
  }

  private HttpResponse<String> send(HttpRequest.Builder request) {
    try {
      return client.send(request.build(), BodyHandlers.ofString());
    } catch (IOException | InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  private HttpRequest.Builder request(String path) {
    return HttpRequest.newBuilder(
            URI.create("http://127.0.0.1:%d/api/v1%s".formatted(front.port(), path)))
        .timeout(Duration.ofSeconds(20))
        .header("Content-Type", "application/json");
  }

  /** Looks a second later, by the clock of what is read. */
  private JsonNode attention() {
    looks.incrementAndGet();
    return Json.parse(
        "the troubles", send(request("/attention")).body().getBytes(StandardCharsets.UTF_8));
  }

  private Optional<JsonNode> trouble(String rule) {
    return StreamSupport.stream(attention().path("items").spliterator(), false)
        .filter(item -> item.path("rule").asText().equals(rule))
        .findFirst();
  }

  /** Waits until there is one of this rule on the other node, and returns it. */
  private JsonNode appears(String rule, String subject) {
    Eventually.assertThat(
        () ->
            assertThat(trouble(rule))
                .hasValueSatisfying(
                    item ->
                        assertThat(item.path("subject").toString())
                            .isEqualTo(
                                "{\"kind\":\"ACTOR\",\"name\":\"%s\",\"node\":\"node-b\"}"
                                    .formatted(subject))));
    return trouble(rule).orElseThrow();
  }

  /** Does from here what is to be done about it there. */
  private void act(JsonNode trouble) {
    String path = trouble.at("/action/post").asText();
    assertThat(path).endsWith("?node=node-b");
    HttpResponse<String> answer = send(request(path).POST(BodyPublishers.noBody()));
    assertThat(answer.statusCode()).as(answer.body()).isEqualTo(202);
  }

  @Test
  void aFailedActorOfTheOtherNodeIsSeenAndResumedFromHere() {
    ActorOptions once =
        new ActorOptions()
            .supervision(
                new SupervisionOptions()
                    .intensity(0, Duration.ofMinutes(1))
                    .whenOver(LimitAction.PARK));
    ActorRef<Sale> alone = await(there.spawn("/alone", CLUMSY, once));
    await(alone.tell(new Sale(2)));
    JsonNode trouble = appears("ACTOR_FAILED", "/alone");
    assertThat(trouble.path("severity").asText()).isEqualTo("CRITICAL");
    assertThat(trouble.path("cause").asText()).contains("it slipped");
    assertThat(trouble.at("/action/command").asText())
        .isEqualTo("callboard actors resume /alone --node node-b");
    act(trouble);
    allIsWell();
  }

  @Test
  void aFailedZoneAndAnOpenCircuitOfTheOtherNodeAreSeen() {
    await(
        there.supervise(
            "/shop",
            new FailureZone().intensity(0, Duration.ofMinutes(1)).whenOver(LimitAction.PARK)));
    ActorRef<Sale> van = await(there.spawn("/shop/van", CLUMSY));
    await(van.tell(new Sale(2)));
    JsonNode zone = appears("FAILURE_ZONE_FAILED", "/shop");
    Eventually.assertThat(
        () ->
            assertThat(attention().path("items"))
                .as("what is in it is no further trouble")
                .hasSize(1));
    act(zone);
    allIsWell();

    Duration far = Duration.ofHours(1);
    GuardOptions<Sale> options =
        new GuardOptions<Sale>().backoff(Backoff.exponential(far, far, Backoff.Jitter.NONE));
    ActorRef<Sale> guard =
        await(there.spawn("/risky", Guard.of(CLUMSY, options), new ActorOptions().onBus(false)));
    await(guard.tell(new Sale(2)));
    assertThat(appears("CIRCUIT_OPEN", "/risky").path("cause").asText())
        .contains("its circuit is open after 1 failures in a row");
    await(there.stop("/risky"));
    allIsWell();
  }
}
