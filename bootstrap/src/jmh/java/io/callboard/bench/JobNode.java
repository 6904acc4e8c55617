package io.callboard.bench;

import io.callboard.admin.ActorStatus;
import io.callboard.grid.Grid;
import io.callboard.grid.GridOptions;
import io.callboard.jobs.model.Blocked;
import io.callboard.jobs.model.GateLoad;
import io.callboard.jobs.model.JobHost;
import io.callboard.jobs.model.JobSpec;
import io.callboard.jobs.model.JobState;
import io.callboard.jobs.model.LabelLimit;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Scanner;
import java.util.SplittableRandom;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;

/** A JVM with some of the hosts of {@link JobOverhead}; it is ordered by lines of text. */
final class JobNode {
  /** Types, by their index in the record of runs: of ten jobs eight, one and one. */
  static final List<String> TYPES = List.of("bulk", "report", "partner");

  /** Label of every other job of the first type. */
  static final String LABEL = "customer=acme";

  /** Submissions under way at once at each node, few enough for cold nodes to answer in time. */
  private static final int PARALLEL = 100;

  private static final String GATE = "/jobs/gate";

  private final Node node;
  private final JobSite site;
  private final SplittableRandom random;

  private JobNode(Node node, JobSite site, long seed) {
    this.node = node;
    this.site = site;
    this.random = new SplittableRandom(seed);
  }

  /**
   * Runs until its input ends.
   *
   * @param arguments servers, name, session timeout in ms, first host, hosts, slots, directory
   */
  public static void main(String[] arguments) throws Exception {
    Path data = Path.of(arguments[6]);
    Duration session = Duration.ofMillis(Long.parseLong(arguments[2]));
    Node node = Node.clustered(arguments[0], arguments[1], session);
    Grid grid = Node.await(Grid.start(node.callboard(), GridOptions.DEFAULT));
    JobSite site =
        JobSite.start(
            node,
            data.resolve(arguments[1]),
            Integer.parseInt(arguments[3]),
            Integer.parseInt(arguments[4]),
            Integer.parseInt(arguments[5]),
            new RunRecord(data.resolve(RunRecord.name(arguments[1]))));
    Child.say("ready");
    JobNode here = new JobNode(node, site, arguments[1].hashCode());
    Scanner orders = new Scanner(System.in, StandardCharsets.UTF_8);
    boolean failed = grid == null;
    while (!failed && orders.hasNextLine()) {
      try {
        here.obey(orders.nextLine().split(" "));
      } catch (Exception e) {
        e.printStackTrace();
        failed = true;
      }
    }
    Runtime.getRuntime().halt(failed ? 1 : 0);
  }

  private void obey(String[] order) throws Exception {
    switch (order[0]) {
      case "type" ->
          site.limit(order[1], Integer.parseInt(order[2]), Boolean.parseBoolean(order[3]));
      case "label" -> {
        var unused = Node.await(site.jobs().limits().put(order[1], Integer.parseInt(order[2])));
      }
      case "submit" -> submit(Integer.parseInt(order[1]), Integer.parseInt(order[2]));
      case "paced" ->
          paced(Integer.parseInt(order[1]), Integer.parseInt(order[2]), Integer.parseInt(order[3]));
      default -> {
        // a question
      }
    }
    Child.say(order[0] + " " + answer(order[0]));
  }

  private String answer(String question) throws Exception {
    return switch (question) {
      case "heap" -> String.valueOf(Heap.used());
      case "live" -> String.valueOf(site.live());
      case "waiting" ->
          String.valueOf(site.jobs().counts().byState().getOrDefault(JobState.QUEUED, 0L));
      case "gate" -> String.valueOf(hasGate());
      case "slots" -> slots();
      default -> "done";
    };
  }

  /** Returns what the gate answers about its slots, or why it does not; the measurement goes on. */
  private String slots() {
    try {
      return ofGate();
    } catch (Exception e) {
      return "the gate does not answer: " + e.toString().replace('\n', ' ');
    }
  }

  /**
   * Returns what the gate says of its slots: free ones, and of each type the granted runs and those
   * that wait, with what keeps the one that is due for longest.
   */
  private String ofGate() throws Exception {
    List<JobHost> hosts = Node.await(site.jobs().hosts());
    int all = hosts.stream().filter(JobHost::live).mapToInt(JobHost::slots).sum();
    int used = hosts.stream().filter(JobHost::live).mapToInt(JobHost::used).sum();
    List<String> parts = new ArrayList<>();
    parts.add("%d of %d slots free at the gate".formatted(all - used, all));
    for (GateLoad load : Node.await(site.jobs().loads()).values()) {
      if (TYPES.contains(load.type())) {
        parts.add(
            "%s: %d granted, %d wait, the first for %s"
                .formatted(load.type(), load.granted(), load.due(), why(load.oldest())));
      }
    }
    for (LabelLimit limit : Node.await(site.jobs().limits().all())) {
      parts.add("%s: %d of %d".formatted(limit.label(), limit.used(), limit.running()));
    }
    return String.join("; ", parts);
  }

  private String why(@Nullable String job) throws Exception {
    return job == null
        ? "nothing at the gate"
        : Node.await(site.jobs().why(job)).stream().map(Blocked::kind).toList().toString();
  }

  private boolean hasGate() throws Exception {
    return Node.await(node.callboard().admin().running()).stream()
        .anyMatch(
            actor ->
                actor.path().toString().equals(GATE) && actor.state() == ActorStatus.State.RUNNING);
  }

  private void submit(int count, int millis) throws Exception {
    Submitting submitting = new Submitting(site.jobs(), spec(millis));
    double rate = submitting.flood(count, PARALLEL);
    double[] times = submitting.millis(0.5, 0.99);
    Child.say("submitted %s %s %s".formatted(rate, times[0], times[1]));
  }

  private void paced(int count, int perSecond, int millis) throws Exception {
    Submitting submitting = new Submitting(site.jobs(), spec(millis));
    submitting.paced(count, perSecond);
    double[] times = submitting.millis(0.5, 0.99);
    Child.say("latency %s %s".formatted(times[0], times[1]));
  }

  /**
   * Returns jobs that take half to one and a half of that time, so that they do not end at once.
   */
  private IntFunction<JobSpec> spec(int millis) {
    return number -> {
      int type = number % 10 < 8 ? 0 : number % 10 - 7;
      boolean labelled = type == 0 && number % 2 == 0;
      Map<String, String> env = new HashMap<>();
      env.put(SimulatedProcesses.MILLIS, String.valueOf(millis / 2 + random.nextInt(millis)));
      env.put(SimulatedProcesses.TYPE, String.valueOf(type));
      if (labelled) {
        env.put(SimulatedProcesses.LABELLED, "true");
      }
      Map<String, String> labels = labelled ? Map.of("customer", "acme") : Map.of();
      return JobSite.job(TYPES.get(type), env, labels);
    };
  }
}
