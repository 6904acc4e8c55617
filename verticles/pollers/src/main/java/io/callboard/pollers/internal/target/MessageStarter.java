package io.callboard.pollers.internal.target;

import io.callboard.Callboard;
import io.callboard.CallboardException;
import io.callboard.codecs.internal.text.Digest;
import io.callboard.jobs.Jobs;
import io.callboard.jobs.model.JobException;
import io.callboard.pollers.internal.poll.Outcome;
import io.callboard.pollers.internal.poll.Outcome.Reason;
import io.callboard.pollers.model.PollersException;
import io.callboard.pollers.model.SourceConfig;
import io.callboard.pollers.model.SourceTarget;
import io.callboard.pollers.source.SourceMessage;
import io.callboard.supervision.Causes;
import io.callboard.workflows.Workflows;
import io.callboard.workflows.model.WorkflowException;
import io.callboard.workflows.template.TemplateException;
import io.vertx.core.Future;
import java.time.Duration;

/** Starts attempts of the messages of one source, by the source's target. Thread-safe. */
public final class MessageStarter {
  private static final Duration OVERLOADED = Duration.ofSeconds(2);
  private static final Duration MISSING = Duration.ofSeconds(5);
  private static final Duration UNAVAILABLE = Duration.ofMillis(500);

  private final Callboard callboard;
  private final SourceConfig config;
  private final boolean bodiesMayChange;
  private final Target target;

  /**
   * Creates the starter of a source.
   *
   * @param bodiesMayChange whether a message of the source may have another body when it is
   *     delivered again
   * @param told path of the durable actor to which the ends of attempts are told
   */
  public MessageStarter(
      Callboard callboard,
      Workflows workflows,
      Jobs jobs,
      SourceConfig config,
      boolean bodiesMayChange,
      String told) {
    this.callboard = callboard;
    this.config = config;
    this.bodiesMayChange = bodiesMayChange;
    SourceTarget to = config.target();
    if (to instanceof SourceTarget.SubmitJob job) {
      this.target = new JobTarget(callboard, jobs, config, job, told);
    } else if (to instanceof SourceTarget.TellActor tell) {
      this.target = new TellTarget(callboard, tell);
    } else {
      this.target = new WorkflowTarget(callboard, workflows, config, told);
    }
  }

  /** Begins an attempt durably, or returns its outcome so far. The future never fails. */
  public Future<Outcome> start(SourceMessage message, int attempt) {
    return MessageData.read(
            callboard.vertx(),
            message,
            () -> {
              String key = new MessageKey(config.name(), message.id(), attempt).text();
              return target.start(
                  key, digest(message), MessageData.of(config.name(), config.body(), message));
            })
        .compose(started -> started)
        .otherwise(this::failed);
  }

  /** Headers are not in it: those of some systems differ from delivery to delivery. */
  private String digest(SourceMessage message) {
    return bodiesMayChange ? Digest.of(message.id()) : Digest.of(message.body().getBytes());
  }

  private Outcome failed(Throwable cause) {
    String why = Causes.message(cause);
    if (cause instanceof TemplateException
        || cause instanceof PollersException
        || cause instanceof IllegalArgumentException
        || CallboardException.refusesMessage(cause)) {
      return new Outcome.Hopeless(why);
    } else if (cause instanceof WorkflowException refusal) {
      return failed(refusal.code().name(), why);
    } else if (cause instanceof JobException refusal) {
      String pointer = refusal.pointer();
      return failed(
          refusal.code().name(),
          pointer.isEmpty()
              ? why
              : "the job of a message of source %s was refused at %s: %s"
                  .formatted(config.name(), pointer, why));
    }
    return failed("", why);
  }

  /** The codes of workflows and jobs have the same names and meanings. */
  private static Outcome failed(String code, String why) {
    return switch (code) {
      case "INVALID", "ILLEGAL_STATE" -> new Outcome.Hopeless(why);
      case "OVERLOADED" -> new Outcome.Refused(Reason.OVERLOADED, why, OVERLOADED);
      case "NOT_FOUND" -> new Outcome.Refused(Reason.MISSING, why, MISSING);
      default -> new Outcome.Refused(Reason.UNAVAILABLE, why, UNAVAILABLE);
    };
  }

  /** Returns how many more messages may be taken; not known if the future fails. */
  public Future<TargetRoom> room() {
    return target.room();
  }
}
