package io.callboard.bench;

import io.callboard.bench.Case.Better;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * Row of what the scheduler costs: hosts of ten slots on three nodes, a backlog that never ends,
 * and the part of the slots' time in which nothing ran. The runs are simulated; their begins and
 * ends are recorded, and the record must keep every limit at every instant, also while the node
 * with the gate is killed.
 */
final class JobOverhead implements Row {
  private static final int NODES = 3;
  private static final int SLOTS = 10;
  private static final int PER_SECOND = 50;

  /** Long jobs for each slot: enough of each type and label until the end of the measurement. */
  private static final int LONG_PER_SLOT = 10;

  /** Seconds between two looks at why slots are idle. */
  private static final int LOOK_S = 5;

  private static final List<String> FLAGS = List.of("-Xmx1g");

  /** Flags of nodes that live for half a minute, in which the second compiler takes their time. */
  private static final List<String> QUICK_FLAGS = List.of("-Xmx1g", "-XX:TieredStopAtLevel=1");

  private final List<Case> cases = new ArrayList<>();
  private Scale scale = Scale.FULL;

  /**
   * Sizes of the benchmark.
   *
   * @param hosts hosts in all
   * @param queued jobs that wait at first
   * @param passiveS time until the actors of queued jobs are passive; 0 to measure at once
   * @param sessionMs session timeout of the nodes
   * @param warmS time of short jobs before they are measured
   * @param windowS time of a measurement with short jobs
   * @param longMs time that a long job takes
   * @param longWindowS time of a measurement with those
   */
  private record Scale(
      int hosts,
      int queued,
      int passiveS,
      int sessionMs,
      int warmS,
      int windowS,
      int longMs,
      int longWindowS) {
    static final Scale FULL = new Scale(100, 100_000, 150, 10_000, 15, 20, 60_000, 120);
    static final Scale QUICK = new Scale(20, 3_000, 0, 4_000, 4, 5, 4_000, 5);

    int slots() {
      return hosts * SLOTS;
    }

    /** Returns the limits of the types, by their index; the first never decides. */
    List<Integer> limits() {
      return List.of(slots(), slots() / 10, slots() / 20);
    }

    int labelLimit() {
      return slots() / 4;
    }
  }

  /** Nodes of one cell, with its server and records. */
  private final class Site implements AutoCloseable {
    private final Parts parts = new Parts();
    private final Path data;
    private final List<Child> nodes = new ArrayList<>();
    private final Map<Integer, Long> killedNs = new HashMap<>();

    Site(Stage stage, String name) throws Exception {
      data = stage.directory(name);
      String servers = server(stage);
      int first = 0;
      for (int i = 0; i < NODES; i++) {
        int count = scale.hosts() / NODES + (i < scale.hosts() % NODES ? 1 : 0);
        Child node =
            Child.start(
                JobNode.class,
                scale == Scale.QUICK ? QUICK_FLAGS : FLAGS,
                servers,
                "node-" + i,
                String.valueOf(scale.sessionMs()),
                String.valueOf(first),
                String.valueOf(count),
                String.valueOf(SLOTS),
                data.toString());
        parts.add(node::close);
        nodes.add(node);
        first += count;
      }
      for (Child node : nodes) {
        var unused = node.expect("ready");
      }
      limit(true);
      var unused = ask(0, "label %s %d".formatted(JobNode.LABEL, scale.labelLimit()), "label");
    }

    private String server(Stage stage) throws Exception {
      Child server =
          Child.start(Servers.Single.class, List.of(), stage.directory("zookeeper").toString());
      parts.add(server::close);
      return server.expect("ready");
    }

    void limit(boolean paused) throws Exception {
      for (int type = 0; type < JobNode.TYPES.size(); type++) {
        String order =
            "type %s %d %s".formatted(JobNode.TYPES.get(type), scale.limits().get(type), paused);
        var unused = ask(0, order, "type");
      }
    }

    String ask(int node, String order, String answer) throws IOException {
      nodes.get(node).order(order);
      return nodes.get(node).expect(answer);
    }

    /** Submits jobs at all nodes at once; returns those in a second. */
    double submit(int count, int millis) throws Exception {
      long begun = System.nanoTime();
      for (Child node : nodes) {
        node.order("submit %d %d".formatted(count / NODES, millis));
      }
      for (Child node : nodes) {
        var unused = node.expect("submit ");
      }
      return count / ((System.nanoTime() - begun) / 1e9);
    }

    double heap() throws Exception {
      double most = 0;
      for (int i = 0; i < NODES; i++) {
        most = Math.max(most, Double.parseDouble(ask(i, "heap", "heap")));
      }
      return most;
    }

    int live() throws Exception {
      int live = 0;
      for (int i = 0; i < NODES; i++) {
        live += killedNs.containsKey(i) ? 0 : Integer.parseInt(ask(i, "live", "live"));
      }
      return live;
    }

    /** Waits until nearly all slots are busy. */
    void awaitBusy() throws Exception {
      long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
      while (live() < scale.slots() * 0.97 && System.nanoTime() - deadline < 0) {
        TimeUnit.MILLISECONDS.sleep(100);
      }
      Progress.say("%d of %d slots are busy".formatted(live(), scale.slots()));
    }

    /**
     * Says until then why slots are idle: those that are free at the gate and what waits there, and
     * those that are granted and have no process.
     *
     * @param asked number of nodes whose processes are counted, the first ones
     */
    void watch(int asked, long untilNs) throws Exception {
      while (System.nanoTime() - untilNs < 0) {
        int live = 0;
        int slots = 0;
        for (int i = 0; i < asked; i++) {
          live += Integer.parseInt(ask(i, "live", "live"));
          slots += hosts(i) * SLOTS;
        }
        Progress.say(
            "%d of %d slots of %d nodes have a process; %s"
                .formatted(live, slots, asked, ask(0, "slots", "slots")));
        long next = System.nanoTime() + TimeUnit.SECONDS.toNanos(LOOK_S);
        sleepUntil(next - untilNs < 0 ? next : untilNs);
      }
    }

    /** Kills the node that has the gate; returns its number. */
    int killGate() throws Exception {
      for (int i = 0; i < NODES; i++) {
        if (ask(i, "gate", "gate").equals("true")) {
          killedNs.put(i, System.nanoTime());
          nodes.get(i).kill();
          return i;
        }
      }
      throw new IllegalStateException("no node has the gate");
    }

    /** Reads the records; fails if a limit was exceeded at any instant. */
    RunSweep sweep() throws Exception {
      RunSweep sweep = new RunSweep();
      for (int i = 0; i < NODES; i++) {
        long end = killedNs.getOrDefault(i, System.nanoTime());
        sweep.add(RunRecord.read(data.resolve(RunRecord.name("node-" + i))), end);
      }
      sweep
          .most(RunRecord.Entry::type)
          .forEach(
              (type, most) ->
                  keeps("type " + JobNode.TYPES.get(type), most, scale.limits().get(type)));
      sweep
          .most(entry -> entry.labelled() ? 0 : -1)
          .forEach((label, most) -> keeps("label " + JobNode.LABEL, most, scale.labelLimit()));
      sweep.most(RunRecord.Entry::host).forEach((host, most) -> keeps("host " + host, most, SLOTS));
      return sweep;
    }

    private void keeps(String what, int most, int limit) {
      if (most > limit) {
        throw new IllegalStateException(
            "%s had %d runs at once, its limit is %d".formatted(what, most, limit));
      }
      if (!what.startsWith("host")) {
        Progress.say("%s: %d runs at most, limit %d".formatted(what, most, limit));
      }
    }

    @Override
    public void close() {
      parts.close();
    }
  }

  @Override
  public String name() {
    return "job-overhead";
  }

  @Override
  public String about() {
    return "100 hosts with 10 slots on three nodes, 100,000 jobs queued: idle slots, failover, memory";
  }

  @Override
  public List<Case> measure(Stage stage) throws Exception {
    scale = stage.quick() ? Scale.QUICK : Scale.FULL;
    try (Site site = new Site(stage, "short")) {
      shortJobs(site);
    }
    try (Site site = new Site(stage, "long")) {
      longJobs(site);
    }
    return cases;
  }

  private void shortJobs(Site site) throws Exception {
    queue(site);
    site.limit(false);
    site.awaitBusy();
    sleepUntil(System.nanoTime() + TimeUnit.SECONDS.toNanos(scale.warmS()));
    long from = System.nanoTime();
    int window = scale.windowS();
    String latency = latency(site, window, 1_000);
    long until = System.nanoTime();
    int killed = site.killGate();
    Progress.say("node-%d had the gate and is killed".formatted(killed));
    long after = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(scale.sessionMs() + 8_000L);
    sleepUntil(after);
    long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(window);
    sleepUntil(end);
    RunSweep sweep = site.sweep();
    String slots = "%,d slots".formatted(scale.slots());
    add(
        "idle time of %s, jobs of 1 s".formatted(slots),
        "%",
        Better.LOWER,
        100 * sweep.idle(scale.slots(), from, until));
    add("runs begun meanwhile", "runs/s", Better.HIGHER, sweep.rate(from, until));
    addLatency("a submission while all slots run jobs of 1 s", latency);
    add(
        "the gate's node is killed: no run begins for, session of %d s"
            .formatted(scale.sessionMs() / 1_000),
        "s",
        Better.LOWER,
        sweep.gap(until, end));
    int left = scale.slots() - hosts(killed) * SLOTS;
    add(
        "idle time of the %,d slots that are left, then".formatted(left),
        "%",
        Better.LOWER,
        100 * sweep.idle(left, after, end));
  }

  /** Queues all jobs, and measures a node without any, with a tenth of them, and with all. */
  private void queue(Site site) throws Exception {
    double empty = site.heap();
    add("heap of the largest node without jobs", "MiB", Better.LOWER, empty / (1 << 20));
    int few = scale.queued() / 10;
    double unused = site.submit(few, 1_000);
    heap(site, few, empty);
    double submitted = site.submit(scale.queued() - few, 1_000);
    add("submissions at three nodes, nothing runs", "jobs/s", Better.HIGHER, submitted);
    heap(site, scale.queued(), empty);
  }

  private void heap(Site site, int queued, double empty) throws Exception {
    sleepUntil(System.nanoTime() + TimeUnit.SECONDS.toNanos(scale.passiveS()));
    add(
        "heap of a node for %,d queued jobs, their actors %s"
            .formatted(queued, scale.passiveS() > 0 ? "passive" : "active"),
        "MiB",
        Better.LOWER,
        Math.max((site.heap() - empty) / (1 << 20), 0));
  }

  private int hosts(int node) {
    return scale.hosts() / NODES + (node < scale.hosts() % NODES ? 1 : 0);
  }

  /**
   * Submits at the last node, at an even pace, and watches the others meanwhile.
   *
   * @param millis time that such a job takes
   */
  private static String latency(Site site, int seconds, int millis) throws Exception {
    String order = "paced %d %d %d".formatted(seconds * PER_SECOND, PER_SECOND, millis);
    site.nodes.get(NODES - 1).order(order);
    site.watch(NODES - 1, System.nanoTime() + TimeUnit.SECONDS.toNanos(seconds));
    String latency = site.nodes.get(NODES - 1).expect("latency");
    var unused = site.nodes.get(NODES - 1).expect("paced");
    return latency;
  }

  private void longJobs(Site site) throws Exception {
    double unused = site.submit(LONG_PER_SLOT * scale.slots(), scale.longMs());
    site.limit(false);
    site.awaitBusy();
    sleepUntil(System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(scale.longMs()));
    long from = System.nanoTime();
    long until = from + TimeUnit.SECONDS.toNanos(scale.longWindowS());
    String latency = latency(site, scale.longWindowS(), scale.longMs());
    sleepUntil(until);
    addLatency(
        "a submission while all slots run jobs of %d s".formatted(scale.longMs() / 1_000), latency);
    add(
        "idle time of %,d slots, jobs of %d s".formatted(scale.slots(), scale.longMs() / 1_000),
        "%",
        Better.LOWER,
        100 * site.sweep().idle(scale.slots(), from, until));
  }

  private static void sleepUntil(long ns) throws InterruptedException {
    TimeUnit.NANOSECONDS.sleep(Math.max(0, ns - System.nanoTime()));
  }

  private void addLatency(String label, String latency) {
    String[] times = latency.split(" ");
    add(label + ", p50", "ms", Better.LOWER, Double.parseDouble(times[0]));
    add(label + ", p99", "ms", Better.LOWER, Double.parseDouble(times[1]));
  }

  private void add(String label, String unit, Better better, double figure) {
    Measurement of = Measurement.of(List.of(figure));
    Progress.say("%s: %s %s".formatted(label, Report.number(figure), unit));
    cases.add(new Case(label, unit, better, of, Map.of()));
  }
}
