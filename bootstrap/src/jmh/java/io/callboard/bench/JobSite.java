package io.callboard.bench;

import io.callboard.Callboard;
import io.callboard.jobs.Jobs;
import io.callboard.jobs.internal.actor.HostMonitor;
import io.callboard.jobs.internal.actor.HostNames;
import io.callboard.jobs.internal.actor.HostRuns;
import io.callboard.jobs.internal.actor.JobNews;
import io.callboard.jobs.internal.files.LogLimits;
import io.callboard.jobs.internal.files.RunDirectories;
import io.callboard.jobs.internal.files.RunHome;
import io.callboard.jobs.internal.protocol.MonitorAnswer;
import io.callboard.jobs.internal.protocol.MonitorCommand;
import io.callboard.jobs.model.JobRetention;
import io.callboard.jobs.model.JobSpec;
import io.callboard.jobs.model.JobType;
import io.callboard.jobs.model.JobsOptions;
import io.callboard.jobs.model.RetryPolicy;
import io.callboard.part.StartedParts;
import io.vertx.core.Context;
import io.vertx.core.internal.VertxInternal;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The job scheduler of a node, with hosts whose processes are simulated. All else is that of a real
 * node: submissions, jobs, gate, monitors, records.
 */
final class JobSite implements AutoCloseable {
  private static final int QUEUE_LIMIT = 10_000_000;

  /** Ended jobs that are kept: those of all rounds, as they are counted. */
  private static final int ENDED = 1_000_000;

  private final Node node;
  private final Jobs jobs;
  private final List<SimulatedProcesses> hosts = new ArrayList<>();

  private JobSite(Node node, Jobs jobs) {
    this.node = node;
    this.jobs = jobs;
  }

  /**
   * Starts it.
   *
   * @param data directory for the files of the node
   * @param first number of the first host
   * @param count number of hosts
   * @param slots runs that each of them takes at once
   */
  static JobSite start(
      Node node, Path data, int first, int count, int slots, @Nullable RunRecord record)
      throws Exception {
    Callboard callboard = node.callboard();
    JobRetention retention = JobRetention.DEFAULT.records(ENDED, Duration.ofDays(1));
    JobsOptions options = JobsOptions.DEFAULT.slots(0).queueLimit(QUEUE_LIMIT).retention(retention);
    StartedParts parts = StartedParts.of(callboard, data, callboard.node());
    JobSite site = new JobSite(node, Node.await(parts.start(Jobs.part(options))));
    RunHome home = new RunHome(data, callboard.node(), callboard.bootId(), callboard.node());
    RunDirectories directories = new RunDirectories(home, LogLimits.DEFAULT);
    List<String> names = new ArrayList<>();
    for (int i = first; i < first + count; i++) {
      names.add("host-" + i);
    }
    var unused = Node.await(HostNames.publish(callboard, names));
    for (int i = 0; i < count; i++) {
      Context context = ((VertxInternal) callboard.vertx()).createEventLoopContext();
      SimulatedProcesses processes = new SimulatedProcesses(context, first + i, record);
      site.hosts.add(processes);
      HostRuns runs =
          new HostRuns(
              callboard,
              names.get(i),
              processes,
              directories,
              slots,
              Map::of,
              callboard.time().clock());
      var monitor =
          Node.await(
              callboard.spawn(
                  HostMonitor.path(names.get(i)),
                  () ->
                      new HostMonitor(
                          runs,
                          directories,
                          check -> new MonitorAnswer.Checked(false, null, null),
                          runs::sendReport)));
      JobNews.of(callboard)
          .subscribe(
              news -> {
                if (news instanceof JobNews.GateStarted) {
                  monitor
                      .tell(new MonitorCommand.Report())
                      .onFailure(cause -> Progress.say("a host does not report: " + cause));
                }
              });
    }
    return site;
  }

  Node node() {
    return node;
  }

  Jobs jobs() {
    return jobs;
  }

  /** Sets the limit of a type, and pauses it or lets it go. */
  void limit(String type, int limit, boolean paused) throws Exception {
    JobType unused =
        Node.await(jobs.putType(new JobType(type, "process", limit, paused, RetryPolicy.ONCE)));
  }

  /** Returns the number of simulated processes that are alive. */
  int live() {
    return hosts.stream().mapToInt(host -> host.live().size()).sum();
  }

  /**
   * Returns a job.
   *
   * @param type name of its type
   * @param env variables of its process
   */
  static JobSpec job(String type, Map<String, String> env, Map<String, String> labels) {
    return JobSpec.process(type, List.of("true")).withEnv(env).withLabels(labels);
  }

  @Override
  public void close() throws Exception {
    var unused = Node.await(jobs.close());
    node.close();
  }
}
