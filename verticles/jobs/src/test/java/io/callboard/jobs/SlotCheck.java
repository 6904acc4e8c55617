package io.callboard.jobs;

import io.callboard.jobs.internal.gate.GateState;
import io.callboard.jobs.internal.gate.GateState.Handle;
import io.callboard.jobs.internal.process.PlayedMachine;
import io.callboard.jobs.internal.protocol.JobCommand;
import io.callboard.jobs.internal.protocol.JobData;
import io.callboard.jobs.internal.runner.RunKey;
import io.callboard.jobs.model.JobSpec;
import io.callboard.jobs.model.JobState;
import io.callboard.jobs.model.JobType;
import io.callboard.testkit.internal.world.WorldTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.BooleanSupplier;

/**
 * No slot is lost: judged when all faults have ceased and every job has ended. Then nothing has a
 * handle, so that all slots are free; and of more work than slots, exactly as much is admitted as
 * there are slots: of each type, of a label, and on each host that is not drained.
 */
final class SlotCheck {
  private static final long LASTS = 120 * WorldTime.SECOND;
  private static final int MOST_SECONDS = 60;

  private final JobsWorld world;
  private final List<String> hosts;
  private final String label;
  private final int labelLimit;
  private int numbers = 0xf00;

  /**
   * Creates the check.
   *
   * @param label label with a limit
   */
  SlotCheck(JobsWorld world, List<String> hosts, String label, int labelLimit) {
    this.world = world;
    this.hosts = hosts;
    this.label = label;
    this.labelLimit = labelLimit;
  }

  /** Judges a world in which nothing runs. */
  void play() {
    world.history().say("SLOTS");
    waits(() -> world.gateState().handles().isEmpty());
    rule(handles().isEmpty(), "nothing runs, but handles are left, so slots are lost: %s");
    types();
    hosts();
  }

  private Map<String, Handle> handles() {
    GateState state = world.gateState();
    return state.handles();
  }

  /** Of each type one job more than its limit, and of the label, too. */
  private void types() {
    List<String> all = new ArrayList<>();
    for (JobType type : world.types().values()) {
      List<String> jobs = submit(type.limit() + 1, type.name(), Map.of());
      all.addAll(jobs);
      full("of type " + type.name(), type.limit(), jobs);
    }
    end(all);
    List<String> labelled = submit(labelLimit + 1, "mail", Map.of(label, "check"));
    full("with label " + label, labelLimit, labelled);
    end(labelled);
  }

  /** More jobs than slots of a type that no limit keeps, also while a host is drained. */
  private void hosts() {
    int slots = hosts.size() * JobsWorld.SLOTS;
    JobType etl = world.types().get("etl");
    world.putType(JobsWorld.type("etl", 2 * slots, null));
    String drained = hosts.get(0);
    world.cell().draining(drained, true);
    seconds(5);
    List<String> jobs = submit(slots + 1, "etl", Map.of());
    full("on hosts that are not drained", slots - JobsWorld.SLOTS, jobs);
    rule(on(drained) == 0, "the drained host " + drained + " is given runs: %s");
    world.cell().draining(drained, false);
    full("on all hosts", slots, jobs);
    for (String host : hosts) {
      rule(
          on(host) == JobsWorld.SLOTS,
          "host " + host + " has " + JobsWorld.SLOTS + " slots, not all are used: %s");
    }
    end(jobs);
    world.putType(etl);
  }

  private long on(String host) {
    return handles().values().stream().filter(handle -> handle.host().equals(host)).count();
  }

  private List<String> submit(int count, String type, Map<String, String> labels) {
    List<String> jobs = new ArrayList<>();
    JobSpec plain = JobSpec.process(type, List.of("work"));
    JobSpec spec = JobSpec.process(type, plain.command()).withLabels(labels);
    for (int i = 0; i < count; i++) {
      String job = Integer.toHexString(numbers++);
      jobs.add(job);
      world.submit(job, spec, new PlayedMachine.Plan(LASTS, 0, Long.MAX_VALUE, true, 0));
    }
    return jobs;
  }

  /** As many of the jobs run as may, each with a handle, and the others are queued. */
  private void full(String what, int slots, List<String> jobs) {
    waits(() -> alive(jobs) == slots);
    String text =
        "of %d slots %s, %d have handles and %d are used, and %d jobs wait: "
            .formatted(slots, what, held(jobs), alive(jobs), waiting(jobs));
    rule(
        alive(jobs) == slots && held(jobs) == slots && waiting(jobs) == jobs.size() - slots,
        text.replace("%", "%%") + "%s");
  }

  private long alive(List<String> jobs) {
    return jobs.stream()
        .filter(
            job -> {
              JobData data = world.job(job);
              return data != null
                  && data.lastRun() != null
                  && world.history().isAlive(new RunKey(job, data.lastRun().runId()));
            })
        .count();
  }

  private long held(List<String> jobs) {
    return jobs.stream().filter(handles()::containsKey).count();
  }

  private long waiting(List<String> jobs) {
    return jobs.stream()
        .filter(job -> world.job(job) != null && world.job(job).state() == JobState.QUEUED)
        .count();
  }

  /** Cancels the jobs, which gives all slots back. */
  private void end(List<String> jobs) {
    jobs.forEach(job -> world.tellJob(job, new JobCommand.Cancel(JobsWorld.EPOCH)));
    waits(() -> handles().isEmpty());
    rule(handles().isEmpty(), "cancelled runs still have handles: %s");
    seconds(2); // the notices of their ends have come
    jobs.stream().map(world::job).forEach(world.history()::judge);
  }

  private void waits(BooleanSupplier condition) {
    for (int i = 0; i < MOST_SECONDS && !condition.getAsBoolean(); i++) {
      seconds(1);
    }
  }

  private void seconds(int count) {
    world.runFor(count * WorldTime.SECOND);
  }

  private void rule(boolean holds, String text) {
    world.history().rule(holds, "I5: " + text, handles());
  }
}
