package io.callboard.workflows.internal.actor;

import com.fasterxml.jackson.databind.JsonNode;
import io.callboard.ActorRef;
import io.callboard.Callboard;
import io.callboard.codecs.Json;
import io.callboard.jobs.Jobs;
import io.callboard.jobs.model.Job;
import io.callboard.jobs.model.JobEnded;
import io.callboard.jobs.model.JobException;
import io.callboard.jobs.model.JobSpec;
import io.callboard.jobs.model.JobSpec.JobTimeouts;
import io.callboard.jobs.model.RetryPolicy;
import io.callboard.time.Time;
import io.callboard.workflows.definition.JobArguments;
import io.callboard.workflows.definition.StepRun;
import io.callboard.workflows.internal.instance.OutputCheck;
import io.callboard.workflows.internal.instance.RunStatus;
import io.callboard.workflows.internal.protocol.InstanceCommand;
import io.callboard.workflows.internal.protocol.StepOutcome;
import io.callboard.workflows.internal.protocol.StepReports;
import io.callboard.workflows.internal.protocol.StepRequest;
import io.callboard.workflows.internal.protocol.StepRunKey;
import io.callboard.workflows.model.QueueView;
import io.callboard.workflows.template.TemplateException;
import io.vertx.core.Context;
import io.vertx.core.Future;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Steps of this node's instances that are jobs. A run is one job, by its idempotency key; its actor
 * tells the instance when it ends, and is asked for that if it may not do so, or did so before.
 * What fails is repeated while the run is open, in the life of its instance that opened it.
 * Thread-safe.
 *
 * <p>The key is over {@link Jobs#KEYS_KEPT} after the end of the job. A life that begins longer
 * after the start of a step lets its mail go first, among which that end is, and then submits: the
 * instance cannot know whether a key of which nobody knows is over or was never used.
 */
public final class StepJobs {
  /** Maximum size of the input that a process gets in its environment. */
  public static final int MOST_INPUT = 32 * 1024;

  /** Variable with the input of the step as JSON, if it is not over its limit. */
  public static final String INPUT = "CALLBOARD_STEP_INPUT";

  /**
   * Time since it was ready after which a step fails whose type of job no node has made. Its
   * timeout, which is that of an attempt, does not count before.
   */
  public static final Duration TYPE_WITHIN = Duration.ofDays(1);

  /**
   * Time for which a life waits for a type at least, once it knows that there is none: such as
   * after an outage of the cell, or of its scheduler.
   */
  static final Duration TYPE_WITHIN_LIFE = Duration.ofMinutes(10);

  /** Maximum number of queues that are named, those that have waited longest. */
  static final int MOST_QUEUES = 200;

  private static final Logger log = LoggerFactory.getLogger(StepJobs.class);
  private static final Duration AGAIN = Duration.ofSeconds(5);

  private final Callboard callboard;
  private final StepScheduler jobs;
  private final StepReports reports;
  private final Context context;
  private final Map<StepRunKey, Entry> entries = new ConcurrentHashMap<>();

  /** Run that is a job. */
  private static final class Entry {
    private final InstanceLife life;
    private final StepRequest request;
    private volatile RunStatus status;
    private volatile boolean cancelled;

    /** Whether a submission may have been accepted of which this node does not know. */
    private volatile boolean unclear;

    /** Whether no job was found, and it is to be looked once more: one may be on its way. */
    private volatile boolean missed;

    /**
     * Until when it waits for a node that makes the type of its job; null unless it was refused for
     * that last.
     */
    private volatile @Nullable Instant typeUntil;

    Entry(InstanceLife life, StepRequest request, RunStatus status, boolean unclear) {
      this.life = life;
      this.request = request;
      this.status = status;
      this.unclear = unclear;
    }
  }

  /** Creates the jobs of a node without runs. */
  public StepJobs(
      Callboard callboard, InstanceLives lives, StepScheduler jobs, StepReports reports) {
    this.callboard = callboard;
    this.jobs = jobs;
    this.reports = reports;
    this.context = callboard.vertx().getOrCreateContext();
    lives.onEnd(life -> life.runs().forEach(run -> forget(life, run)));
  }

  /**
   * Submits the job of a run, until it is durable; does nothing for a run that is open already.
   * Does nothing if the life has ended.
   */
  public void open(InstanceLife life, StepRequest request) {
    open(life, request, false);
  }

  /** Submits the job of a run as {@link #open} does; that may have been done elsewhere before. */
  void reopen(InstanceLife life, StepRequest request) {
    open(life, request, true);
  }

  private void open(InstanceLife life, StepRequest request, boolean unclear) {
    RunStatus status = new RunStatus(RunStatus.Kind.REQUESTED, null, null, now());
    Entry entry = new Entry(life, request, status, unclear);
    Entry open =
        entries.compute(
            request.key(), (key, known) -> known != null && known.life == life ? known : entry);
    life.opens(request.key());
    if (life.isOver()) {
      forget(life, request.key());
    } else if (open == entry && unclear && now().isAfter(request.readyAt().plus(Jobs.KEYS_KEPT))) {
      later(entry, () -> submit(entry)); // its end may be among the mail, and its key over
    } else if (open == entry) {
      submit(entry);
    }
  }

  private Instant now() {
    return callboard.time().clock().instant();
  }

  private void submit(Entry entry) {
    StepRequest request = entry.request;
    String key = key(request.key());
    JobSpec spec;
    try {
      spec = spec(request, key);
    } catch (TemplateException e) {
      report(entry, StepOutcome.failedForGood(String.valueOf(e.getMessage())));
      return;
    }
    jobs.submitStep(spec, key, instance(request))
        .onSuccess(
            submission -> {
              isJob(entry, submission.job());
              if (!submission.notifies() || submission.job().state().terminal()) {
                askForEnd(entry, submission.job().id());
              }
            })
        .onFailure(cause -> failed(entry, cause));
  }

  private void isJob(Entry entry, Job job) {
    entry.typeUntil = null;
    entry.status = new RunStatus(RunStatus.Kind.JOB, job.id(), null, now());
    if (entry.cancelled) {
      stop(entry);
    }
  }

  /** Tells the instance the end of a job that does not, or that may have done so long ago. */
  private void askForEnd(Entry entry, String job) {
    StepRequest request = entry.request;
    jobs.ended(job)
        .onSuccess(
            ended ->
                ended.ifPresentOrElse(
                    end ->
                        instance(request)
                            .tell(end.withKey(key(request.key())))
                            .onFailure(cause -> later(entry, () -> askForEnd(entry, job))),
                    () -> later(entry, () -> askForEnd(entry, job))))
        .onFailure(
            cause -> {
              if (cause instanceof JobException e && e.code() == JobException.Code.NOT_FOUND) {
                report(entry, StepOutcome.failed("its job %s was deleted".formatted(job)));
              } else {
                later(entry, () -> askForEnd(entry, job));
              }
            });
  }

  private ActorRef<JobEnded> instance(StepRequest request) {
    return callboard.durableRef(InstanceActor.path(request.instance()), JobEnded.class);
  }

  private void failed(Entry entry, Throwable cause) {
    JobException.Code code = cause instanceof JobException e ? e.code() : null;
    String pointer = cause instanceof JobException e ? e.pointer() : "";
    String error =
        "its job was refused%s: %s"
            .formatted(pointer.isEmpty() ? "" : " at " + pointer, cause.getMessage());
    if (code != JobException.Code.OVERLOADED) {
      entry.unclear = true;
    }
    boolean noType = code == JobException.Code.NOT_FOUND;
    if (!noType) {
      entry.typeUntil = null;
    }
    if (code == JobException.Code.INVALID || noType && !isOfHandler(entry.request)) {
      report(entry, StepOutcome.failedForGood(error));
    } else if (noType) {
      waitsForType(entry, String.valueOf(cause.getMessage()));
    } else if (code == JobException.Code.ILLEGAL_STATE) { // it was deleted
      report(entry, StepOutcome.failed(error));
    } else {
      refusedForNow(entry, String.valueOf(cause.getMessage()));
    }
  }

  private void refusedForNow(Entry entry, String why) {
    entry.status = new RunStatus(RunStatus.Kind.REFUSED, null, why, now());
    again(entry);
  }

  /** Waits for the first node with the handler of a type, which makes it; not for ever. */
  private void waitsForType(Entry entry, String why) {
    Instant now = now();
    Instant before = entry.typeUntil;
    Instant until =
        before == null
            ? Collections.max(
                List.of(entry.request.readyAt().plus(TYPE_WITHIN), now.plus(TYPE_WITHIN_LIFE)))
            : before;
    entry.typeUntil = until;
    if (now.isBefore(until) || entry.cancelled) {
      refusedForNow(
          entry,
          "%s; it fails at %s if no node has made it"
              .formatted(why, until.truncatedTo(ChronoUnit.SECONDS)));
    } else {
      report(
          entry,
          StepOutcome.failedForGood(
              "no node has made the type of its job within %d h: %s"
                  .formatted(TYPE_WITHIN.toHours(), why)));
    }
  }

  /**
   * Returns the steps that wait for a node that makes the type of their jobs, by definition and
   * type, the longest waits first; at most {@value #MOST_QUEUES} queues.
   */
  public List<QueueView> queues() {
    Instant now = now();
    return QueueView.merged(
            entries.values().stream()
                .filter(
                    entry ->
                        entry.typeUntil != null && entry.status.kind() == RunStatus.Kind.REFUSED)
                .map(entry -> queue(entry, now)))
        .stream()
        .limit(MOST_QUEUES)
        .toList();
  }

  private static QueueView queue(Entry entry, Instant now) {
    StepRequest request = entry.request;
    return new QueueView(
        request.definition(),
        "job:" + type(request),
        1,
        0,
        Duration.between(request.readyAt(), now),
        entry.status.why());
  }

  /** Submits it after a pause, or looks for what is to be cancelled: none is made for that. */
  private void again(Entry entry) {
    if (entry.cancelled && (!entry.unclear || entry.missed)) {
      report(entry, StepOutcome.cancelled("its job was never accepted"));
    } else {
      later(
          entry,
          () -> {
            if (entry.cancelled) {
              look(entry);
            } else {
              submit(entry);
            }
          });
    }
  }

  private void look(Entry entry) {
    jobs.accepted(key(entry.request.key()))
        .onSuccess(
            found ->
                found.ifPresentOrElse(
                    job -> {
                      isJob(entry, job);
                      askForEnd(entry, job.id());
                    },
                    () -> {
                      again(entry);
                      entry.missed = true; // for the next look
                    }))
        .onFailure(cause -> again(entry));
  }

  private void later(Entry entry, Runnable task) {
    Time.Alarm unused =
        callboard
            .time()
            .after(
                context,
                AGAIN,
                () -> {
                  if (entries.get(entry.request.key()) == entry) {
                    task.run();
                  }
                });
  }

  private void report(Entry entry, StepOutcome outcome) {
    reports
        .done(entry.request.key(), entry.request.node(), null, outcome)
        .onFailure(cause -> later(entry, () -> report(entry, outcome)));
  }

  /**
   * Cancels the job of a run, whose end is reported to the instance. So is that of a run whose job
   * was never accepted, once that is known: the job is looked for, and not submitted any more.
   */
  public void cancel(InstanceLife life, StepRunKey run) {
    Entry entry = entries.get(run);
    if (entry != null && entry.life == life) {
      entry.cancelled = true;
      stop(entry);
    }
  }

  /** Cancels the job of a run as {@link #cancel} does; once if the life has not submitted it. */
  void abandon(InstanceLife life, StepRunKey run) {
    if (entries.containsKey(run)) {
      cancel(life, run);
    } else {
      jobs.holder(key(run))
          .compose(job -> job.isPresent() ? jobs.cancel(job.get().id()) : Future.succeededFuture())
          .onFailure(cause -> log.warn("the job of {} may still run", run, cause));
    }
  }

  private void stop(Entry entry) {
    String job = entry.status.by();
    if (job != null) {
      jobs.cancel(job)
          .onFailure(
              cause -> {
                boolean ended =
                    cause instanceof JobException e && e.code() == JobException.Code.ILLEGAL_STATE;
                if (ended) {
                  askForEnd(entry, job);
                } else {
                  log.debug("job {} could not be cancelled; it is tried again", job, cause);
                  later(entry, () -> stop(entry));
                }
              });
    }
  }

  /** Forgets a run of a life that has ended, or whose instance has left this node. */
  public void close(InstanceLife life, StepRunKey run) {
    forget(life, run);
    life.closes(run);
  }

  private void forget(InstanceLife life, StepRunKey run) {
    Entry entry = entries.get(run);
    if (entry != null && entry.life == life) {
      entries.remove(run, entry);
    }
  }

  /** Returns the status of a run by what this node knows; null if the run is not open here. */
  public @Nullable RunStatus status(StepRunKey run) {
    Entry entry = entries.get(run);
    return entry == null ? null : entry.status;
  }

  private static boolean isOfHandler(StepRequest request) {
    return StepRun.of(request.type()).filter(run -> run.kind() == StepRun.Kind.JOB).isPresent();
  }

  private static String type(StepRequest request) {
    return request.with().path("type").asText("process");
  }

  private static String key(StepRunKey run) {
    return "workflow/" + run;
  }

  /** Returns the run whose job has that unique key; null if the key is not of a step's job. */
  public static @Nullable StepRunKey run(@Nullable String uniqueKey) {
    String[] parts = uniqueKey == null ? new String[0] : uniqueKey.split("/", -1);
    return parts.length == 4 && parts[0].equals("workflow") && parts[3].matches("[0-9]{1,9}")
        ? new StepRunKey(parts[1], parts[2], Integer.parseInt(parts[3]))
        : null;
  }

  /** Returns the report that the job of a run has ended. */
  static InstanceCommand done(JobEnded ended) {
    StepRunKey its = run(ended.uniqueKey());
    String step = its == null ? "" : its.step();
    int run = its == null ? 0 : its.run();
    StepOutcome outcome = outcome(ended);
    return OutputCheck.bytes(outcome.output()) > OutputCheck.MOST_OUTPUT
        ? new InstanceCommand.Adopt(
            step, run, outcome, ended.job(), Map.of(), ended.job(), ended.at())
        : new InstanceCommand.JobDone(step, run, outcome, ended.job(), ended.at());
  }

  /** Returns the outcome of a run whose job has ended. */
  public static StepOutcome outcome(JobEnded ended) {
    return switch (ended.state()) {
      case SUCCEEDED ->
          ended.lacksResult() == null
              ? StepOutcome.succeeded(ended.result())
              : StepOutcome.failedForGood(
                  "its job %s succeeded, but %s".formatted(ended.job(), ended.lacksResult()));
      case CANCELLED -> StepOutcome.cancelled("its job %s was cancelled".formatted(ended.job()));
      case EXPIRED -> StepOutcome.timeout("its job %s expired".formatted(ended.job()));
      default -> {
        String error =
            "its job %s failed: %s"
                .formatted(
                    ended.job(),
                    ended.error() != null ? ended.error() : "exit code " + ended.exitCode());
        yield Boolean.TRUE.equals(ended.forGood())
            ? StepOutcome.failedForGood(error)
            : StepOutcome.failed(error);
      }
    };
  }

  /**
   * Returns the specification of the job of a run; its attempts are those of the step.
   *
   * @throws TemplateException if its arguments need what the step does not see
   */
  static JobSpec spec(StepRequest request, String key) {
    JsonNode with = request.with();
    boolean ofHandler = isOfHandler(request);
    JsonNode args =
        ofHandler ? JobArguments.of(with, request.input(), request.idempotencyKey()) : null;
    List<String> command = new ArrayList<>();
    with.path("command").forEach(part -> command.add(part.asText()));
    Map<String, String> env = new LinkedHashMap<>();
    for (Map.Entry<String, JsonNode> each : with.path("env").properties()) {
      env.put(each.getKey(), each.getValue().asText());
    }
    env.put("CALLBOARD_WORKFLOW", request.instance());
    env.put("CALLBOARD_STEP", request.step());
    env.put("CALLBOARD_ATTEMPT", String.valueOf(request.attempt()));
    env.put("CALLBOARD_STEP_KEY", request.idempotencyKey());
    byte[] input = Json.uncheckedBytes(request.input());
    if (input.length <= MOST_INPUT) {
      env.put(INPUT, new String(input, StandardCharsets.UTF_8));
    }
    return JobSpec.process(type(request), command)
        .withEnv(ofHandler ? Map.of() : env)
        .withArgs(args)
        .withPriority(request.priority())
        .withUniqueKey(key)
        .withLabels(Map.of("workflow", request.definition(), "step", request.step()))
        .withRetry(RetryPolicy.ONCE)
        .withTimeouts(new JobTimeouts(null, request.timeout(), null));
  }
}
