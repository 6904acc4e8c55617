package io.callboard.dashboard;

import static io.callboard.testkit.Futures.await;

import com.fasterxml.jackson.databind.JsonNode;
import io.callboard.Callboard;
import io.callboard.CallboardOptions;
import io.callboard.codecs.Json;
import io.callboard.grid.Grid;
import io.callboard.grid.GridOptions;
import io.callboard.jobs.Jobs;
import io.callboard.jobs.model.JobsOptions;
import io.callboard.part.StartedParts;
import io.callboard.pollers.Sources;
import io.callboard.pollers.SourcesOptions;
import io.callboard.store.Store;
import io.callboard.store.memory.MemoryStore;
import io.callboard.testkit.ManualTime;
import io.callboard.testkit.NodesExtension;
import io.callboard.workflows.Workflows;
import io.vertx.core.Vertx;
import io.vertx.core.http.WebSocket;
import io.vertx.core.http.WebSocketClient;
import io.vertx.core.http.WebSocketConnectOptions;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;

/** A whole node in this process: actors in memory, real processes, the dashboard on a free port. */
final class TestNode implements AutoCloseable {
  static {
    // the JDK's client else refuses to send the headers that a stranger's page would
    System.setProperty("jdk.httpclient.allowRestrictedHeaders", "host,origin,connection");
  }

  private final NodesExtension nodes = new NodesExtension();
  final Callboard callboard;
  final Vertx vertx;
  final Jobs jobs;
  final Workflows workflows;
  final Sources sources;
  final Grid grid;
  final StartedParts parts;
  final DashboardServer front;

  /** Kept: Vert.x closes a client that is not reachable any more, while it connects, too. */
  final WebSocketClient sockets;

  private final HttpClient client =
      HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

  /** One with a directory of its own. */
  static TestNode start() {
    return start(options());
  }

  /** One with a directory of its own. */
  static TestNode start(DashboardOptions options) {
    return start(options, new MemoryStore());
  }

  /** One with a directory of its own. */
  static TestNode start(DashboardOptions options, Store store) {
    return new TestNode(directory(), options, store);
  }

  static Path directory() {
    try {
      Path parent = Files.createDirectories(Path.of("target", "nodes").toAbsolutePath());
      return Files.createTempDirectory(parent, "node-");
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  TestNode(Path data, DashboardOptions options) {
    this(data, options, new MemoryStore());
  }

  TestNode(Path data, DashboardOptions options, Store store) {
    this(data, options, store, GridOptions.DEFAULT);
  }

  TestNode(Path data, DashboardOptions options, Store store, GridOptions timing) {
    this(data, options, given -> given.store(() -> store), timing, null);
  }

  /** One whose own time is moved by hand, as is the clock of its dashboard. */
  static TestNode withTime(Path data, DashboardOptions options, ManualTime time) {
    return new TestNode(
        data, options.clock(time.clock()), given -> given.time(time), GridOptions.DEFAULT, null);
  }

  /** One that takes part in sources, as a configuration file names them. */
  static TestNode withSources(Path data, DashboardOptions options, JsonObject sources) {
    return new TestNode(data, options, given -> {}, GridOptions.DEFAULT, sources);
  }

  private TestNode(
      Path data,
      DashboardOptions options,
      Consumer<CallboardOptions> changes,
      GridOptions timing,
      JsonObject configured) {
    callboard = nodes.open("node-a", changes);
    vertx = callboard.vertx();
    sockets = vertx.createWebSocketClient();
    parts = StartedParts.of(callboard, data, String.valueOf(data.getFileName()));
    jobs = await(parts.start(Jobs.part(JobsOptions.DEFAULT.slots(4).queueLimit(1_000))));
    grid = await(Grid.start(callboard, timing));
    parts.has(Grid.class, grid);
    workflows = await(parts.start(Workflows.part()));
    sources =
        configured == null
            ? null
            : await(parts.start(Sources.part(SourcesOptions.of(configured, List.of()))));
    front = await(DashboardServer.open(parts, options));
  }

  private TestNode(DashboardOptions options) {
    callboard = nodes.open("node-a");
    vertx = callboard.vertx();
    sockets = vertx.createWebSocketClient();
    jobs = null;
    workflows = null;
    sources = null;
    grid = await(Grid.start(callboard, GridOptions.DEFAULT));
    parts = StartedParts.of(callboard, "main");
    parts.has(Grid.class, grid);
    front = await(DashboardServer.open(parts, options));
  }

  /** One that has no job scheduler. */
  static TestNode withoutJobs(DashboardOptions options) {
    return new TestNode(options);
  }

  /** Returns the timing of a grid whose monitor looks several times a second. */
  static GridOptions scanningOften() {
    GridOptions usual = GridOptions.DEFAULT;
    return new GridOptions(usual.heartbeatInterval(), usual.silence(), Duration.ofMillis(200));
  }

  static DashboardOptions options() {
    return new DashboardOptions().port(0).tick(Duration.ofMillis(50)).version("test");
  }

  /**
   * Returns the system's clock, put forward by {@code seconds}: a test that adds one whenever it
   * looks waits for no interval at which something is read.
   */
  static Clock ahead(AtomicInteger seconds) {
    InstantSource source = () -> Instant.now().plusSeconds(seconds.get());
    return source.withZone(ZoneOffset.UTC);
  }

  URI uri(String path) {
    return URI.create("http://127.0.0.1:" + front.port() + path);
  }

  HttpRequest.Builder request(String path) {
    return HttpRequest.newBuilder(uri(path)).timeout(Duration.ofSeconds(20));
  }

  HttpResponse<String> send(HttpRequest.Builder request) {
    try {
      return client.send(request.build(), BodyHandlers.ofString());
    } catch (Exception e) {
      throw new AssertionError(e);
    }
  }

  HttpResponse<String> get(String path) {
    return send(request(path));
  }

  HttpResponse<String> post(String path, String json) {
    return send(
        request(path)
            .header("Content-Type", "application/json")
            .POST(BodyPublishers.ofString(json)));
  }

  HttpResponse<String> put(String path, String mediaType, String body) {
    return send(request(path).header("Content-Type", mediaType).PUT(BodyPublishers.ofString(body)));
  }

  HttpResponse<String> post(String path) {
    return send(
        request(path).header("Content-Type", "application/json").POST(BodyPublishers.noBody()));
  }

  HttpResponse<String> delete(String path) {
    return send(request(path).header("Content-Type", "application/json").DELETE());
  }

  /** Returns the options of the page's socket. */
  WebSocketConnectOptions page() {
    return new WebSocketConnectOptions()
        .setHost("127.0.0.1")
        .setPort(front.port())
        .setURI("/ws")
        .addSubProtocol("callboard.v1+json");
  }

  /** Connects as the page does, says hello, and lets {@code frames} have what comes. */
  WebSocket connect(Queue<JsonNode> frames) {
    WebSocket socket =
        await(
            sockets
                .connect(page())
                .onSuccess(
                    opened ->
                        opened.textMessageHandler(
                            text ->
                                frames.add(
                                    Json.parse(
                                        "a frame", text.getBytes(StandardCharsets.UTF_8))))));
    await(socket.writeTextMessage("{\"t\":\"hello\"}"));
    return socket;
  }

  static JsonNode json(HttpResponse<String> response) {
    return Json.parse("the response", response.body().getBytes(StandardCharsets.UTF_8));
  }

  @Override
  public void close() {
    await(front.close());
    if (sources != null) {
      await(sources.close());
    }
    if (workflows != null) {
      await(workflows.close());
    }
    if (jobs != null) {
      await(jobs.close());
    }
    nodes.close();
  }
}
