package io.callboard.workflows.internal.actor;

import io.callboard.Protocol;
import io.callboard.codecs.BlobRef;
import io.callboard.jobs.model.JobEnded;
import io.callboard.workflows.internal.instance.ChangeRefusals;
import io.callboard.workflows.internal.instance.InstanceIds;
import io.callboard.workflows.internal.instance.InstanceMachine;
import io.callboard.workflows.internal.instance.OutputCheck;
import io.callboard.workflows.internal.instance.Reopening;
import io.callboard.workflows.internal.protocol.InstanceAnswer;
import io.callboard.workflows.internal.protocol.InstanceCommand;
import io.callboard.workflows.internal.protocol.InstanceSpec;
import io.callboard.workflows.internal.protocol.StepOutcome;
import io.callboard.workflows.model.WorkflowException;
import io.callboard.workflows.model.WorkflowException.Code;
import io.vertx.core.Future;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Durable actor of one instance. {@link InstanceMachine} decides, this actor persists that and
 * carries it out: a report that a step is done starts what follows in the same turn.
 */
public final class InstanceActor extends InstanceTurns {
  /** Path prefix of the actors of instances. */
  public static final String PREFIX = InstanceIds.PREFIX;

  private final InstanceAnswers answers;

  /**
   * Creates the actor of an instance.
   *
   * @param env what the instances of the node share
   * @param machine the machine, for this actor alone
   */
  public InstanceActor(InstanceEnvironment env, InstanceMachine machine) {
    super(env, machine);
    this.answers =
        new InstanceAnswers(
            () -> path().name(), env, pass, this::state, this::progress, () -> stuck);
  }

  /** Returns the path of the actor of that instance. */
  public static String path(String id) {
    return InstanceIds.path(id);
  }

  @Override
  protected void protocol(Protocol<InstanceCommand> on) {
    on.async(InstanceCommand.Start.class, this::start)
        .query(InstanceCommand.Look.class, look -> answers.is())
        .query(InstanceCommand.Why.class, why -> answers.why())
        .query(InstanceCommand.Timeline.class, timeline -> answers.timeline())
        .query(InstanceCommand.GetOutput.class, get -> answers.output(get.step()))
        .query(InstanceCommand.IsOpen.class, ask -> answers.isOpen(ask))
        .message(
            InstanceCommand.Done.class,
            end ->
                unlessStuck(() -> done(end.step(), end.run(), end.outcome(), end.worker(), null)))
        .message(
            InstanceCommand.JobDone.class,
            end -> unlessStuck(() -> done(end.step(), end.run(), end.outcome(), null, end.job())))
        .async(InstanceCommand.Adopt.class, this::adopt)
        .message(InstanceCommand.Lost.class, lost -> unlessStuck(() -> lost(lost)))
        .async(InstanceCommand.Cancel.class, this::cancel)
        .async(InstanceCommand.Retry.class, retry -> retry())
        .async(InstanceCommand.Rerun.class, this::rerun)
        .async(InstanceCommand.Delete.class, delete -> delete())
        .async(InstanceCommand.Expire.class, this::expire)
        .message(InstanceCommand.Overdue.class, overdue -> overdue())
        .message(InstanceCommand.Continue.class, goOn -> goOn())
        .message(InstanceCommand.Begin.class, begin -> begin())
        .adapt(JobEnded.class, StepJobs::done);
  }

  private Future<?> start(InstanceCommand.Start start) {
    if (state().spec() != null) {
      reply(answers.is());
      return Future.succeededFuture();
    }
    Throwable failed = beforeLastAttempt().orElse(null);
    if (failed != null) {
      return refused(start, EndNotices.unable(failed));
    }
    return env.definitions()
        .loadPatiently(start.definition(), start.version(), PATIENCE, this::isOver)
        .compose(loaded -> loaded.accepts(start.input(), callboard().vertx()))
        .<Void>map(
            loaded -> {
              create(start, loaded);
              return null;
            })
        .recover(cause -> refused(start, cause));
  }

  private Future<Void> refused(InstanceCommand.Start start, Throwable cause) {
    if (!(cause instanceof WorkflowException refusal)) {
      return Future.failedFuture(cause);
    }
    String why = String.valueOf(refusal.getMessage());
    notices.refused(start, refusal, now());
    reply(new InstanceAnswer.Refused(refusal.code(), why, refusal.pointer()));
    return Future.succeededFuture();
  }

  private void create(InstanceCommand.Start start, LoadedDefinition loaded) {
    if (isOver()) { // another life has the instance
      return;
    }
    definition = loaded;
    InstanceSpec spec = start.spec(loaded.definition().version(), now());
    progress =
        pass.asks(spec, loaded, now())
            ? machine.create(loaded.definition(), loaded.inputs(), spec)
            : InstanceMachine.hold(loaded.definition(), loaded.inputs(), spec);
    carryOut(progress);
    if (state().outcome() == null) {
      startLife();
    }
    reply(answers.is());
  }

  private void done(
      String step, int run, StepOutcome outcome, @Nullable String worker, @Nullable String job) {
    StepOutcome what = beforeLastAttempt().map(EndNotices::unhandled).orElse(outcome);
    turn(its -> machine.done(its, step, run, what, worker, job, now()));
    forget(outcome.blob());
  }

  private Future<?> adopt(InstanceCommand.Adopt adopt) {
    if (waitsForNextLife()) {
      stash();
      return Future.succeededFuture();
    }
    Future<StepOutcome> adopted =
        beforeLastAttempt().isPresent() // it does not count: see done
            ? Future.succeededFuture(adopt.outcome())
            : env.outputs().adopt(path().name(), adopt);
    return adopted.map(
        outcome -> {
          done(adopt.step(), adopt.run(), outcome, null, adopt.job());
          return outcome;
        });
  }

  /** Removes an output if the instance does not refer to it, after the commit. */
  private void forget(@Nullable BlobRef blob) {
    if (blob != null && !OutputCheck.blobs(state()).contains(blob)) {
      afterCommit(() -> env.outputs().forget(path().name(), blob));
    }
  }

  private void lost(InstanceCommand.Lost lost) {
    if (beforeLastAttempt().isPresent()) { // it does not count: see done
      done(lost.step(), lost.run(), StepOutcome.failed(lost.cause()), null, null);
    } else {
      turn(its -> machine.lost(its, lost.step(), lost.run(), lost.cause(), now()));
    }
  }

  private Future<?> ifAllowed(Optional<String> refusal, Supplier<Future<?>> change) {
    if (state().spec() == null) {
      reply(answers.notFound());
    } else if (refusal.isPresent()) {
      reply(InstanceAnswer.Refused.of(Code.ILLEGAL_STATE, refusal.get()));
    } else {
      return change.get();
    }
    return Future.succeededFuture();
  }

  private Future<?> cancel(InstanceCommand.Cancel cancel) {
    return ifAllowed(
        ChangeRefusals.ofCancel(state(), cancel.forcedBy() != null),
        () -> {
          Throwable failed = stuck == null ? beforeLastAttempt().orElse(null) : stuck;
          String by = cancel.forcedBy();
          boolean open = state().outcome() == null;
          if (open && failed != null && by != null) {
            endAtOnce(by, failed);
            reply(answers.stored());
          } else if (waitsForNextLife()) {
            stash();
          } else {
            turn(its -> machine.cancel(its, by, now()));
            reply(answers.is());
          }
          return Future.succeededFuture();
        });
  }

  private Future<?> retry() {
    return ifAllowed(
        ChangeRefusals.ofRetry(state()), () -> ifDefined(() -> again(Reopening.retry(progress()))));
  }

  private Future<?> rerun(InstanceCommand.Rerun rerun) {
    return ifAllowed(ChangeRefusals.ofRerun(state()), () -> ifDefined(() -> rerun(rerun.step())));
  }

  private Future<?> rerun(String step) {
    if (definition().definition().graph().index(step).isEmpty()) {
      reply(InstanceAnswers.noStep(step));
      return Future.succeededFuture();
    }
    Reopening again = Reopening.rerun(progress(), step);
    return ifAllowed(ChangeRefusals.ofRerun(progress(), again), () -> again(again));
  }

  /** Changes an instance that has ended; tries to read its definition if that had failed. */
  private Future<?> ifDefined(Supplier<Future<?>> change) {
    if (stuck == null) {
      return change.get();
    }
    InstanceSpec spec = state().created();
    return env.definitions()
        .load(spec.definition(), spec.version())
        .map(loaded -> definition = loaded)
        .transform(
            read -> {
              stuck = read.cause();
              if (read.succeeded()) {
                return change.get();
              }
              reply(InstanceAnswers.stuck(read.cause()));
              return Future.succeededFuture();
            });
  }

  /** Opens the instance again, unless another one holds its unique key by now. */
  private Future<?> again(Reopening reopening) {
    return env.keys()
        .again(state())
        .map(
            held -> {
              if (!isOver()) { // else another life has the instance
                held.ifPresentOrElse(this::reply, () -> reopen(reopening));
              }
              return held;
            });
  }

  private void reopen(Reopening reopening) {
    Set<BlobRef> before = OutputCheck.blobs(state());
    launcher = launcher().next(); // it may still cancel what ran when the instance ended
    turn(its -> machine.reopen(its, reopening, now()));
    before.forEach(this::forget);
    if (state().outcome() == null) {
      startLife();
      pass.comes(state(), definition(), now());
    }
    reply(answers.is());
  }

  private Future<?> delete() {
    return ifAllowed(ChangeRefusals.ofDelete(state()), () -> leave(state().change(), answers.is()));
  }

  /** Goes if it has ended and is as it was indexed; also if it is gone already. */
  private Future<?> expire(InstanceCommand.Expire expire) {
    boolean same = state().outcome() != null && state().change() == expire.change();
    if (same || state().spec() == null) {
      return leave(expire.change(), new InstanceAnswer.Expired(true));
    }
    reply(new InstanceAnswer.Expired(false));
    return Future.succeededFuture();
  }

  /** Removes the large outputs, and then the instance. */
  private Future<?> leave(long change, InstanceAnswer answer) {
    String id = path().name();
    return env.outputs()
        .removeAll(state())
        .map(
            removed -> {
              reply(answer);
              deleteSelf();
              afterCommit(() -> env.observer().gone(id, change + 1));
              return answer;
            });
  }
}
