package io.callboard.workflows.actor;

import io.callboard.ActorRef;
import io.callboard.PersistentActor;
import io.callboard.Protocol;
import io.callboard.codecs.BlobRef;
import io.callboard.jobs.model.JobEnded;
import io.callboard.workflows.definition.StepRun;
import io.callboard.workflows.instance.ChangeRefusals;
import io.callboard.workflows.instance.ForcedEnd;
import io.callboard.workflows.instance.InstanceDecision;
import io.callboard.workflows.instance.InstanceFold;
import io.callboard.workflows.instance.InstanceIds;
import io.callboard.workflows.instance.InstanceMachine;
import io.callboard.workflows.instance.InstanceProgress;
import io.callboard.workflows.instance.InstanceViews;
import io.callboard.workflows.instance.OpenRun;
import io.callboard.workflows.instance.OutputCheck;
import io.callboard.workflows.instance.Reopening;
import io.callboard.workflows.instance.Restoration;
import io.callboard.workflows.model.WorkflowException;
import io.callboard.workflows.model.WorkflowException.Code;
import io.callboard.workflows.protocol.InstanceAnswer;
import io.callboard.workflows.protocol.InstanceCommand;
import io.callboard.workflows.protocol.InstanceData;
import io.callboard.workflows.protocol.InstanceEvent;
import io.callboard.workflows.protocol.InstanceSpec;
import io.callboard.workflows.protocol.InstanceStop;
import io.callboard.workflows.protocol.StepOutcome;
import io.vertx.core.Future;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Durable actor of one instance. {@link InstanceMachine} decides, this actor persists that and
 * carries it out: a report that a step is done starts what follows in the same turn.
 */
public final class InstanceActor
    extends PersistentActor<InstanceCommand, InstanceEvent, InstanceData> {
  /** Path prefix of the actors of instances. */
  public static final String PREFIX = InstanceIds.PREFIX;

  /** Period of the durable timer of an instance without a timeout, which keeps it in memory. */
  private static final Duration LOOK = Duration.ofDays(1);

  /** Longest wait for the definition, within the limits of a start and of a turn. */
  private static final Duration PATIENCE = Duration.ofSeconds(15);

  private static final String LIFE = "life";
  private static final String DUE = "due";
  private static final String MORE = "more";
  private static final String RESTORED = "restored";

  private final InstanceEnvironment env;
  private final InstanceMachine machine;
  private final GatePass pass;
  private final InstanceAnswers answers;
  private final EndNotices notices = new EndNotices(this::callboard, this::tell);
  private @Nullable LoadedDefinition definition;
  private @Nullable InstanceProgress progress;
  private @Nullable RunLauncher launcher;

  /**
   * Creates the actor of an instance.
   *
   * @param env what the instances of the node share
   * @param machine the machine, for this actor alone
   */
  public InstanceActor(InstanceEnvironment env, InstanceMachine machine) {
    this.env = env;
    this.machine = machine;
    this.pass = new GatePass(env.gate());
    this.answers = new InstanceAnswers(() -> path().name(), env, pass, this::state, this::progress);
  }

  /** Returns the path of the actor of that instance. */
  public static String path(String id) {
    return InstanceIds.path(id);
  }

  @Override
  protected InstanceData initial() {
    return InstanceData.NONE;
  }

  @Override
  protected InstanceData apply(InstanceData data, InstanceEvent event) {
    return InstanceFold.apply(data, event);
  }

  @Override
  protected InstanceData restored(InstanceData data, long event, long last) {
    return Restoration.of(data, event, last, now());
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
            done -> done(done.step(), done.run(), done.outcome(), done.worker(), null))
        .message(
            InstanceCommand.JobDone.class,
            done -> done(done.step(), done.run(), done.outcome(), null, done.job()))
        .async(InstanceCommand.Adopt.class, this::adopt)
        .message(InstanceCommand.Lost.class, this::lost)
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

  @Override
  protected Future<?> started() {
    launcher = new RunLauncher(env, callboard().node(), path().name());
    InstanceSpec spec = state().spec();
    if (spec == null) {
      return Future.succeededFuture();
    }
    return env.definitions()
        .loadPatiently(spec.definition(), spec.version(), PATIENCE, this::isOver)
        .onSuccess(
            loaded -> {
              definition = loaded;
              if (!launcher().isOver()) { // else another life has the instance
                resume();
              }
            });
  }

  /** Requests again what was open when the last life ended. */
  private void resume() {
    InstanceProgress its = progress();
    InstanceDecision left = its.take();
    if (state().outcome() == null) {
      pass.comes(state(), definition(), now());
      left.starts().forEach(run -> launcher().resume(its, run));
      left.aborts().forEach(launcher()::cancel);
      timers(its, left);
      if (state().restored() != null) { // maybe to within a turn, and maybe after its end
        startTimer(MORE, Duration.ZERO, new InstanceCommand.Continue());
        startTimer(RESTORED, Duration.ZERO, new InstanceCommand.Overdue());
      }
    }
    report();
  }

  private void begin() {
    if (pass.release(state())) {
      goOn();
    }
  }

  private void goOn() {
    boolean begins = !state().hasBegun();
    if (!pass.holds(state())) {
      turn(its -> machine.goOn(its, now()));
      if (begins) {
        overdue(); // its timeout counts from now
      }
    }
  }

  @Override
  protected Future<?> stopped() {
    env.gate().left(path().name());
    launcher().end(); // also what a turn has closed that may not be durable
    return Future.succeededFuture();
  }

  private Instant now() {
    return time().clock().instant();
  }

  private LoadedDefinition definition() {
    return Objects.requireNonNull(definition, "the definition has not been read");
  }

  private RunLauncher launcher() {
    return Objects.requireNonNull(launcher, "the actor has not started");
  }

  /** Returns the cursor of the state; a new one if a turn failed after it had moved. */
  private InstanceProgress progress() {
    if (progress == null || !progress.isOf(state())) {
      progress = new InstanceProgress(definition().definition(), definition().inputs(), state());
    }
    return progress;
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

  private void startLife() {
    Duration left = left();
    startDurableTimer(
        LIFE, left == null || left.isZero() ? LOOK : left, new InstanceCommand.Overdue());
  }

  /** Returns the time until its timeout, which counts from its begin; null for none. */
  private @Nullable Duration left() {
    return pass.holds(state()) ? null : definition().left(state(), now());
  }

  /** Lets the machine decide, if there is an instance, and carries that out. */
  private void turn(Consumer<InstanceProgress> decide) {
    if (state().spec() != null) {
      InstanceProgress its = progress();
      machine.renew(its, now());
      decide.accept(its);
      carryOut(its);
    }
  }

  private void carryOut(InstanceProgress its) {
    InstanceDecision decision = its.take();
    persistAll(decision.events());
    its.follow(state());
    decision.closed().forEach(run -> afterCommit(() -> launcher().close(run)));
    for (OpenRun run : decision.starts()) {
      start(its, run);
    }
    for (OpenRun run : decision.aborts()) {
      abort(run);
    }
    timers(its, decision);
    if (!decision.events().isEmpty()) {
      if (state().outcome() != null) {
        end();
      }
      List<InstanceEvent> events = decision.events();
      InstanceData after = state();
      afterCommit(
          () -> {
            env.tally().committed(events, after);
            report();
          });
    }
  }

  private void start(InstanceProgress its, OpenRun run) {
    if (launcher().kind(its, run) == StepRun.Kind.SUBWORKFLOW && run.child() != null) {
      tell(instance(run.child()), launcher().child(its, run, run.child(), now()));
    } else {
      Runnable request = launcher().request(its, run);
      afterCommit(request);
    }
  }

  private void abort(OpenRun run) {
    if (run.child() != null) {
      tell(instance(run.child()), RunLauncher.cancellation(state(), now()));
    } else {
      afterCommit(() -> launcher().cancel(run));
    }
  }

  private ActorRef<InstanceCommand> instance(String id) {
    return callboard().durableRef(path(id), InstanceCommand.class);
  }

  private void timers(InstanceProgress its, InstanceDecision decision) {
    Instant due = its.nextDue();
    if (due != null) {
      Duration delay = Duration.between(now(), due);
      startTimer(DUE, delay.isNegative() ? Duration.ZERO : delay, new InstanceCommand.Continue());
    }
    if (decision.more() && !pass.holds(state())) {
      startTimer(MORE, Duration.ZERO, new InstanceCommand.Continue());
    }
  }

  /** Tells whoever waits for the end of the instance, and lets go what it held. */
  private void end() {
    cancelDurableTimer(LIFE);
    InstanceData ended = state();
    notices.ended(ended, definition().inputs(), now());
    afterCommit(() -> pass.ends(ended));
  }

  /** Ends an instance of which each turn fails, without its graph. */
  private void endAtOnce(String by, Throwable failed) {
    persistAll(ForcedEnd.atOnce(state(), by, failed, now()));
    end();
    afterCommit(() -> launcher = launcher().next());
    afterCommit(() -> env.observer().is(InstanceViews.row(progress())));
  }

  private void done(
      String step, int run, StepOutcome outcome, @Nullable String worker, @Nullable String job) {
    StepOutcome what = beforeLastAttempt().map(EndNotices::unhandled).orElse(outcome);
    turn(its -> machine.done(its, step, run, what, worker, job, now()));
    forget(outcome.blob());
  }

  private Future<?> adopt(InstanceCommand.Adopt adopt) {
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

  private void overdue() {
    if (state().spec() == null || state().outcome() != null) {
      return;
    }
    if (Duration.ZERO.equals(left())) {
      turn(its -> machine.stop(its, InstanceStop.TIMEOUT, now()));
    }
    if (state().outcome() == null) {
      startLife();
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
          Throwable failed = beforeLastAttempt().orElse(null);
          String by = cancel.forcedBy();
          if (failed != null && by != null && state().outcome() == null) {
            endAtOnce(by, failed); // who asked has the failure of the first attempt
          } else {
            turn(its -> machine.cancel(its, by, now()));
            reply(answers.is());
          }
          return Future.succeededFuture();
        });
  }

  private Future<?> retry() {
    return ifAllowed(ChangeRefusals.ofRetry(state()), () -> again(Reopening.retry(progress())));
  }

  private Future<?> rerun(InstanceCommand.Rerun rerun) {
    return ifAllowed(ChangeRefusals.ofRerun(state()), () -> rerun(rerun.step()));
  }

  private Future<?> rerun(String step) {
    if (definition().definition().graph().index(step).isEmpty()) {
      reply(InstanceAnswers.noStep(step));
      return Future.succeededFuture();
    }
    Reopening again = Reopening.rerun(progress(), step);
    return ifAllowed(ChangeRefusals.ofRerun(progress(), again), () -> again(again));
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
    turn(its -> machine.reopen(its, reopening, now()));
    before.forEach(this::forget);
    if (state().outcome() == null) {
      startLife();
      pass.comes(state(), definition(), now());
    }
    reply(answers.is());
  }

  private Future<?> delete() {
    return ifAllowed(
        ChangeRefusals.ofDelete(state()), () -> leave(state().change(), true, answers.is()));
  }

  /** Goes if it has ended and is as it was indexed; also if it is gone already. */
  private Future<?> expire(InstanceCommand.Expire expire) {
    boolean same = state().outcome() != null && state().change() == expire.change();
    if (same || state().spec() == null) {
      return leave(expire.change(), false, new InstanceAnswer.Expired(true));
    }
    reply(new InstanceAnswer.Expired(false));
    return Future.succeededFuture();
  }

  /** Removes the large outputs, and then the instance. */
  private Future<?> leave(long change, boolean byUser, InstanceAnswer answer) {
    String id = path().name();
    return env.outputs()
        .removeAll(state())
        .map(
            removed -> {
              reply(answer);
              deleteSelf();
              afterCommit(() -> env.observer().gone(id, change + 1, byUser));
              return answer;
            });
  }

  private void report() {
    if (progress != null && progress.isOf(state()) && state().spec() != null) {
      env.observer().is(InstanceViews.row(progress));
    }
  }
}
