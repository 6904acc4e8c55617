package io.callboard.bench;

import com.sun.management.OperatingSystemMXBean;
import io.callboard.dashboard.DashboardOptions;
import io.callboard.dashboard.DashboardServer;
import io.callboard.grid.Grid;
import io.callboard.grid.GridOptions;
import io.callboard.jobs.Jobs;
import io.callboard.part.StartedParts;
import io.vertx.core.Vertx;
import io.vertx.core.http.WebSocket;
import io.vertx.core.http.WebSocketClient;
import io.vertx.core.http.WebSocketConnectOptions;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Row of what the dashboard costs a node with many idle actors and many jobs that wait: the
 * processor time of the whole process, of which 100 % is one core. Each view is that of a page that
 * stays open, measured when it has been open for a while. The peer is the same node without a
 * dashboard, in turns with it.
 */
final class DashboardCost implements Row {
  private static final String WITHOUT = "no dashboard";
  private static final String TYPE = "waits";
  private static final int PARALLEL = 512;
  private static final Map<String, List<String>> VIEWS =
      Map.of(
          "closed", List.of(),
          "overview", List.of("attention", "overview", "nodes", "events"),
          "supervision", List.of("attention", "overview", "tree"),
          "mailboxes", List.of("attention", "mailboxes", "deadletters"));
  private static final List<String> ORDER =
      List.of("closed", "overview", "supervision", "mailboxes");

  @Override
  public String name() {
    return "dashboard-cost";
  }

  @Override
  public String about() {
    return "processor time with the dashboard closed and open; peer: the same node without it";
  }

  @Override
  public List<Case> measure(Stage stage) throws Exception {
    int actors = stage.quick() ? 20_000 : 100_000;
    int waiting = stage.quick() ? 2_000 : 100_000;
    try (JobSite site = JobSite.start(Node.inMemory(), stage.directory("node"), 0, 1, 1, null)) {
      Grid grid = Node.await(Grid.start(site.node().callboard(), GridOptions.DEFAULT));
      site.limit(TYPE, 1, true);
      new OurCrowd(site.node()).spawn(actors);
      Submitting submitting =
          new Submitting(site.jobs(), number -> JobSite.job(TYPE, Map.of(), Map.of()));
      double rate = submitting.flood(waiting, PARALLEL);
      Progress.say("%,d jobs wait, submitted at %.0f/s".formatted(waiting, rate));
      Rounds rounds = new Rounds(stage).warmups(1).repetitions(stage.quick() ? 2 : 3);
      rounds.with(WITHOUT, warmup -> cost(site, grid, null, stage.quick(), warmup));
      for (String view : ORDER) {
        rounds.with(view, warmup -> cost(site, grid, VIEWS.get(view), stage.quick(), warmup));
      }
      rounds.play();
      List<Case> cases = new ArrayList<>();
      for (String view : ORDER) {
        String name = "%s, %,d actors, %,d jobs".formatted(view, actors, waiting);
        Map<String, Measurement> peer = Map.of(WITHOUT, rounds.of(WITHOUT, 0));
        cases.add(new Case(name, "% of a core", Case.Better.LOWER, rounds.of(view, 0), peer));
      }
      return cases;
    }
  }

  private static Duration window(boolean quick, boolean warmup) {
    return Duration.ofSeconds(quick ? 2 : warmup ? 10 : 60);
  }

  /** Returns the time that a view is open before it is measured. */
  private static Duration settling(boolean quick) {
    return Duration.ofSeconds(quick ? 1 : 10);
  }

  /**
   * @param topics what the page watches; null for no dashboard
   */
  private static double[] cost(
      JobSite site, Grid grid, @Nullable List<String> topics, boolean quick, boolean warmup)
      throws Exception {
    if (topics == null) {
      return new double[] {settled(quick, warmup)};
    }
    Vertx vertx = site.node().vertx();
    StartedParts parts = StartedParts.of(site.node().callboard(), "bench");
    parts.has(Grid.class, grid);
    parts.has(Jobs.class, site.jobs());
    DashboardServer front =
        Node.await(
            parts.start(DashboardServer.part(new DashboardOptions().port(0).version("bench"))));
    WebSocketClient client = vertx.createWebSocketClient();
    try {
      if (!topics.isEmpty()) {
        watch(client, front.port(), topics);
      }
      return new double[] {settled(quick, warmup)};
    } finally {
      Node.await(client.close());
      Node.await(front.close());
    }
  }

  private static void watch(WebSocketClient client, int port, List<String> topics)
      throws Exception {
    WebSocket socket =
        Node.await(
            client.connect(
                new WebSocketConnectOptions()
                    .setHost("127.0.0.1")
                    .setPort(port)
                    .setURI("/ws")
                    .addSubProtocol("callboard.v1+json")));
    Node.await(socket.writeTextMessage("{\"t\":\"hello\"}"));
    for (int i = 0; i < topics.size(); i++) {
      String topic = topics.get(i);
      String what =
          topic.equals("tree")
              ? "\"topic\":\"actors\",\"q\":{\"tree\":[\"/\"],\"limit\":100}"
              : "\"topic\":\"%s\"".formatted(topic);
      Node.await(socket.writeTextMessage("{\"t\":\"sub\",\"id\":%d,%s}".formatted(i + 1, what)));
    }
  }

  private static double settled(boolean quick, boolean warmup) throws InterruptedException {
    TimeUnit.NANOSECONDS.sleep(settling(quick).toNanos());
    return processor(window(quick, warmup));
  }

  /** Returns the processor time that this process takes meanwhile, in per cent of one core. */
  private static double processor(Duration window) throws InterruptedException {
    OperatingSystemMXBean system = ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class);
    long begun = System.nanoTime();
    long before = system.getProcessCpuTime();
    TimeUnit.NANOSECONDS.sleep(window.toNanos());
    double took = system.getProcessCpuTime() - before;
    return 100 * took / (System.nanoTime() - begun);
  }
}
