package io.callboard.dashboard;

import static io.callboard.testkit.Futures.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import io.callboard.codecs.Json;
import io.callboard.dashboard.internal.live.LiveFeed;
import io.callboard.jobs.model.JobSpec;
import io.callboard.jobs.model.JobType;
import io.callboard.jobs.model.RetryPolicy;
import io.callboard.testkit.Eventually;
import io.vertx.core.Future;
import io.vertx.core.http.UpgradeRejectedException;
import io.vertx.core.http.WebSocket;
import io.vertx.core.http.WebSocketClient;
import io.vertx.core.http.WebSocketClientOptions;
import io.vertx.core.http.WebSocketConnectOptions;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** As many clients as a node serves, of which some read nothing and some die. */
@Tag("long")
@Tag("real")
class LiveCrowdTest {
  private static final int SLOW = 20;
  private static final int SILENT = 10;
  private static final int CUT = 10;
  private static final int LIVE = LiveFeed.MOST_CLIENTS - SLOW - SILENT - CUT;
  private static final int JOBS = 100;
  private static final int ROW = 10_000;
  private static final int ROUNDS = 20;
  private static final int SNAPS = 10;

  /** Far less than {@code SLOW * ROUNDS * SNAPS * JOBS * ROW}, which the slow ones ask for. */
  private static final long MOST_HEAP = 300L << 20;

  @TempDir Path data;
  private final AtomicReference<Duration> ahead = new AtomicReference<>(Duration.ZERO);
  private final AtomicInteger closed = new AtomicInteger();
  private final List<RawSocket> raw = new ArrayList<>();
  private TestNode node;
  private WebSocketClient client;

  /** The system's clock, ahead by as much as the test says. */
  private final class Ahead extends Clock {
    @Override
    public Instant instant() {
      return Instant.now().plus(ahead.get());
    }

    @Override
    public ZoneId getZone() {
      return ZoneOffset.UTC;
    }

    @Override
    public Clock withZone(ZoneId zone) {
      throw new UnsupportedOperationException();
    }
  }

  /** Client that reads what it gets. */
  private final class Live {
    final AtomicInteger limit = new AtomicInteger();
    final AtomicInteger frames = new AtomicInteger();
    final WebSocket socket;

    Live(WebSocket socket) {
      this.socket = socket;
      socket.textMessageHandler(this::receive);
      socket.closeHandler(v -> closed.incrementAndGet());
      socket.writeTextMessage("{\"t\":\"hello\"}");
      socket.writeTextMessage("{\"t\":\"sub\",\"id\":1,\"topic\":\"types\"}");
    }

    private void receive(String text) {
      frames.incrementAndGet();
      if (text.contains("\"id\":1,\"seq\"") && text.contains("\"etl\"")) {
        JsonNode frame = Json.parse("a frame", text.getBytes(StandardCharsets.UTF_8));
        frame.path("rows").forEach(this::note);
        frame.path("up").forEach(this::note);
      }
    }

    private void note(JsonNode row) {
      if (row.path("name").asText().equals("etl")) {
        limit.set(row.path("limit").asInt());
      }
    }
  }

  @BeforeEach
  void start() {
    node = new TestNode(data, TestNode.options().clock(new Ahead()));
    client =
        node.vertx.createWebSocketClient(
            new WebSocketClientOptions()
                .setMaxConnections(2 * LiveFeed.MOST_CLIENTS)
                .setMaxMessageSize(16 << 20));
  }

  @AfterEach
  void stop() {
    raw.forEach(RawSocket::close);
    node.close();
  }

  private Future<WebSocket> connect() {
    return client.connect(
        new WebSocketConnectOptions()
            .setHost("127.0.0.1")
            .setPort(node.front.port())
            .setURI("/ws")
            .addSubProtocol("callboard.v1+json"));
  }

  private RawSocket raw() {
    RawSocket made = new RawSocket(node.front.port());
    assertThat(made.response()).startsWith("HTTP/1.1 101 ");
    raw.add(made);
    made.send("{\"t\":\"hello\"}");
    return made;
  }

  /** Returns so many more clients, each as soon as there is a place for it. */
  private List<Live> live(int count) {
    List<Live> all = new ArrayList<>();
    while (all.size() < count) {
      Eventually.assertThat(
          () ->
              all.add(
                  await(
                      connect()
                          .map(Live::new)
                          .recover(cause -> Future.failedFuture(new AssertionError(cause))))));
    }
    return all;
  }

  private void putType(int limit) {
    await(node.jobs.putType(new JobType("etl", JobType.PROCESS, limit, true, RetryPolicy.ONCE)));
  }

  private static void awaitLimit(List<Live> live, int limit) {
    Eventually.assertThat(() -> assertThat(live).allMatch(each -> each.limit.get() == limit));
  }

  private static long heap() {
    System.gc();
    Runtime runtime = Runtime.getRuntime();
    return runtime.totalMemory() - runtime.freeMemory();
  }

  @Test
  void slowAndDeadClientsHoldNobodyUpAndTakeNoMemory() {
    putType(1);
    for (int i = 0; i < JOBS; i++) {
      await(node.jobs.submit(JobSpec.process("etl", List.of("true", "x".repeat(ROW)))));
    }
    List<Live> live = live(LIVE);
    // the list of jobs stays read as long as one watches it, so that all get it at once
    await(live.get(0).socket.writeTextMessage("{\"t\":\"sub\",\"id\":2,\"topic\":\"jobs\"}"));
    awaitLimit(live, 1);
    List<RawSocket> slow = new ArrayList<>();
    for (int i = 0; i < SLOW; i++) {
      slow.add(raw());
    }
    List<RawSocket> silent = new ArrayList<>();
    for (int i = 0; i < SILENT; i++) {
      silent.add(raw());
    }
    List<RawSocket> dying = new ArrayList<>();
    for (int i = 0; i < CUT; i++) {
      dying.add(raw());
    }
    assertFull();

    long before = heap();
    for (int round = 2; round < ROUNDS + 2; round++) {
      for (int i = 0; i < SNAPS; i++) {
        int id = round * SNAPS + i;
        slow.forEach(
            each -> {
              each.send("{\"t\":\"sub\",\"id\":%d,\"topic\":\"jobs\"}".formatted(id));
              each.send("{\"t\":\"unsub\",\"id\":%d}".formatted(id));
            });
      }
      if (round % 2 == 0) {
        dying.get((round - 2) / 2).cut();
      }
      putType(round);
      awaitLimit(live, round);
    }
    assertThat(heap() - before).as("bytes of heap more").isLessThan(MOST_HEAP);
    assertThat(closed).as("live clients that were disconnected").hasValue(0);

    live.addAll(live(CUT));
    assertFull();
    pass(Duration.ofSeconds(31), live);
    pass(Duration.ofSeconds(21), live);
    pass(Duration.ofSeconds(21), live);
    silent.forEach(each -> assertThat(each.readToEnd()).isLessThan(10_000));
    live.addAll(live(SILENT));
    // these are told to end, and are ended when nothing could be written to them for two minutes
    slow.forEach(RawSocket::cut);
    live.addAll(live(SLOW));
    assertFull();
    putType(500);
    awaitLimit(live, 500);
    assertThat(closed).as("live clients that were disconnected").hasValue(0);
  }

  /** Lets that time pass for the feed, and waits until everybody had the time to answer a ping. */
  private void pass(Duration time, List<Live> live) {
    ahead.updateAndGet(now -> now.plus(time));
    List<Integer> counts = live.stream().map(each -> each.frames.get()).toList();
    Eventually.assertThat(
        () -> {
          for (int i = 0; i < live.size(); i++) {
            assertThat(live.get(i).frames.get()).isGreaterThan(counts.get(i) + 20);
          }
        });
  }

  private void assertFull() {
    assertThatThrownBy(() -> await(connect()))
        .isInstanceOfSatisfying(
            UpgradeRejectedException.class,
            e -> {
              assertThat(e.getStatus()).isEqualTo(429);
              assertThat(e.getHeaders().get("Retry-After")).isNotNull();
              assertThat(String.valueOf(e.getBody()))
                  .contains("200 dashboard clients are connected already");
            });
  }

  @Test
  void noMoreAreServedThanThereArePlacesWhateverTheyDoAtOnce() {
    List<Future<WebSocket>> all = new ArrayList<>();
    for (int i = 0; i < LiveFeed.MOST_CLIENTS + 50; i++) {
      all.add(connect());
    }
    await(Future.join(all).otherwiseEmpty());
    assertThat(all.stream().filter(Future::succeeded)).hasSize(LiveFeed.MOST_CLIENTS);
    all.stream().filter(Future::succeeded).limit(30).forEach(each -> await(each.result().close()));
    assertThat(live(30)).hasSize(30);
    assertFull();
  }
}
