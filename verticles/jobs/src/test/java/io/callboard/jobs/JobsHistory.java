package io.callboard.jobs;

import io.callboard.jobs.internal.process.RunHistory;
import io.callboard.jobs.internal.protocol.JobData;
import io.callboard.jobs.internal.runner.RunKey;
import io.callboard.jobs.model.JobEnded;
import io.callboard.jobs.model.JobRun;
import io.callboard.jobs.model.JobSpec;
import io.callboard.jobs.model.JobState;
import io.callboard.jobs.model.JobType;
import io.callboard.jobs.model.RunState;
import io.callboard.testkit.internal.world.WorldTime;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * What the processes of a world did, recorded by themselves, and the invariants of the scheduler
 * that are judged by it alone.
 *
 * <ul>
 *   <li>I1, at each start: no more processes are alive of a type, of a label, on a host, or of a
 *       type on a host, than its limit. Silence frees nothing and slots are derived (I4, I5): else
 *       this breaks, or the liveness at the end, for a slot that leaks is never free again.
 *   <li>I2, at each start: no other process of the job is alive, and the run never began before.
 *   <li>I3, at the end: a job's run has an outcome of its own process and no other; a job has
 *       succeeded once and by that.
 * </ul>
 */
final class JobsHistory implements RunHistory {
  private static final int STORY = Integer.getInteger("callboard.rehearsal.story", 120);

  private final WorldTime time;
  private final Map<String, JobType> limits = new HashMap<>();
  private final Map<String, Integer> labels = new HashMap<>();
  private final Map<String, RehearsedSpec> specs = new HashMap<>();
  private final Map<String, Map<String, String>> hostLabels = new HashMap<>();
  private final Map<RehearsedDeed, Integer> deeds = new EnumMap<>(RehearsedDeed.class);
  private final Map<String, List<JobEnded>> told = new HashMap<>();
  private final Map<RunKey, String> alive = new HashMap<>();
  private final Set<RunKey> begun = new HashSet<>();
  private final Map<RunKey, Integer> codes = new HashMap<>();
  private final Set<RunKey> killed = new HashSet<>();
  private final Deque<Said> story = new ArrayDeque<>();
  private final int slots;
  private boolean judges = true;

  private record Said(long atNs, Object[] what) {
    @Override
    public String toString() {
      String words = Stream.of(what).map(String::valueOf).collect(Collectors.joining(" "));
      return "%.1f %s".formatted(atNs / (double) WorldTime.SECOND, words.replace("/jobs/", ""));
    }
  }

  /** What a job needs that has been submitted. */
  record RehearsedSpec(
      String type, Map<String, String> labels, Map<String, String> requires, String uniqueKey) {
    static RehearsedSpec of(JobSpec spec) {
      return new RehearsedSpec(
          spec.type(),
          spec.labels(),
          spec.requires() == null ? Map.of() : spec.requires(),
          spec.uniqueKey());
    }
  }

  JobsHistory(WorldTime time, int slots) {
    this.time = time;
    this.slots = slots;
  }

  /** Judges nothing any more, as a test forges messages. */
  void forged() {
    judges = false;
  }

  void limit(JobType type) {
    limits.put(type.name(), type);
  }

  void labelLimit(String label, int running) {
    labels.put(label, running);
  }

  void hostLabels(String host, Map<String, String> its) {
    hostLabels.put(host, its);
  }

  /** Sees the notice of a job's end on its way into the mailbox of the listener. */
  void told(JobEnded end) {
    List<JobEnded> known = told.computeIfAbsent(end.job(), job -> new ArrayList<>());
    rule(!known.contains(end), "the end of job %s is told twice: %s", end.job(), end);
    known.add(end);
    does(RehearsedDeed.TOLD);
  }

  void submitted(String job, RehearsedSpec spec) {
    specs.put(job, spec);
  }

  int begun() {
    return begun.size();
  }

  int alive() {
    return alive.size();
  }

  boolean isAlive(RunKey run) {
    return alive.containsKey(run);
  }

  boolean hasBegun(RunKey run) {
    return begun.contains(run);
  }

  boolean wasKilled(RunKey run) {
    return killed.contains(run);
  }

  /** Counts what happens. */
  void does(RehearsedDeed deed) {
    deeds.merge(deed, 1, Integer::sum);
  }

  Map<RehearsedDeed, Integer> deeds() {
    return deeds;
  }

  /** Notes what happens, for the message of a failure. */
  void say(Object... what) {
    story.add(new Said(time.now(), what));
    if (story.size() > STORY) {
      story.remove();
    }
  }

  private String story() {
    return story.stream().map(Said::toString).collect(Collectors.joining("\n"));
  }

  @Override
  public void begins(RunKey run, String host) {
    say("BEGINS", run, "on", host);
    rule(begun.add(run), "I2: run %s begins a second time", run);
    alive.put(run, host);
    RehearsedSpec spec = specs.get(run.jobId());
    JobType type = limits.get(spec.type());
    rule(
        hostLabels.getOrDefault(host, Map.of()).entrySet().containsAll(spec.requires().entrySet()),
        "I1: %s begins on %s, which does not offer %s",
        run,
        host,
        spec.requires());
    if (!spec.requires().isEmpty()) {
      does(RehearsedDeed.REQUIRED);
    }
    if (spec.uniqueKey() != null) {
      most(
          "I2",
          "processes with unique key " + spec.uniqueKey(),
          1,
          each -> spec.uniqueKey().equals(specs.get(each.jobId()).uniqueKey()));
    }
    most("I2", "processes of job " + run.jobId(), 1, each -> each.jobId().equals(run.jobId()));
    most("I1", "processes of type " + type.name(), type.limit(), each -> isOf(each, type));
    most("I1", "processes on " + host, slots, each -> isOn(each, host));
    most(
        "I1",
        "processes of type " + type.name() + " on " + host,
        type.mostOf(slots),
        each -> isOf(each, type) && isOn(each, host));
    for (Map.Entry<String, Integer> limit : labels.entrySet()) {
      most(
          "I1",
          "processes with label " + limit.getKey(),
          limit.getValue(),
          each -> specs.get(each.jobId()).labels().containsKey(limit.getKey()));
    }
  }

  private boolean isOf(RunKey run, JobType type) {
    return specs.get(run.jobId()).type().equals(type.name());
  }

  private boolean isOn(RunKey run, String host) {
    return host.equals(alive.get(run));
  }

  private void most(String law, String what, int limit, Predicate<RunKey> which) {
    long count = alive.keySet().stream().filter(which).count();
    rule(
        count <= limit, "%s: %s %s are alive, the limit is %s: %s", law, count, what, limit, alive);
  }

  @Override
  public void ends(RunKey run, Integer exitCode) {
    say("ENDS", run, "with", exitCode);
    alive.remove(run);
    if (exitCode == null) {
      killed.add(run);
    } else {
      codes.put(run, exitCode);
    }
  }

  /** Judges a job at the end. */
  void judge(JobData job) {
    Set<Integer> ids = new HashSet<>();
    for (JobRun run : job.runs()) {
      RunKey key = new RunKey(job.id(), run.runId());
      rule(ids.add(run.runId()), "I3: job %s has run %s twice", job.id(), run.runId());
      Integer code = codes.get(key);
      if (run.state().equals(RunState.SUCCEEDED.name())) {
        rule(code != null && code == 0, "I3: %s succeeded, its process: %s", key, code);
      } else if (run.state().equals(RunState.FAILED.name()) && !killed.contains(key)) {
        boolean own = code != null && code.equals(run.exitCode());
        boolean never = code == null && !begun.contains(key);
        rule(own || never, "I3: %s failed with %s, its process: %s", key, run.exitCode(), code);
      }
    }
    if (job.listener() != null && job.state().terminal()) {
      List<JobEnded> ends = told.getOrDefault(job.id(), List.of());
      long last = ends.stream().filter(end -> end.at().equals(job.endedAt())).count();
      rule(last == 1, "the end of job %s is told %s times: %s", job.id(), last, ends);
    }
    boolean succeeded =
        job.lastRun() != null && job.lastRun().state().equals(RunState.SUCCEEDED.name());
    if (job.state() == JobState.SUCCEEDED) {
      rule(succeeded, "I3: job %s has succeeded without a run that has: %s", job.id(), job);
    }
  }

  void rule(boolean holds, String text, Object... what) {
    if (judges && !holds) {
      throw new AssertionError(text.formatted(what) + "\n" + story());
    }
  }
}
