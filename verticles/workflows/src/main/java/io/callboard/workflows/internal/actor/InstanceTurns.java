package io.callboard.workflows.internal.actor;

import io.callboard.PersistentActor;
import io.callboard.supervision.Causes;
import io.callboard.time.Time;
import io.callboard.workflows.definition.CheckedDefinition;
import io.callboard.workflows.internal.instance.ForcedEnd;
import io.callboard.workflows.internal.instance.InstanceDecision;
import io.callboard.workflows.internal.instance.InstanceFold;
import io.callboard.workflows.internal.instance.InstanceMachine;
import io.callboard.workflows.internal.instance.InstanceProgress;
import io.callboard.workflows.internal.instance.InstanceViews;
import io.callboard.workflows.internal.instance.Restoration;
import io.callboard.workflows.internal.instance.StepInputs;
import io.callboard.workflows.internal.protocol.InstanceCommand;
import io.callboard.workflows.internal.protocol.InstanceData;
import io.callboard.workflows.internal.protocol.InstanceEvent;
import io.callboard.workflows.internal.protocol.InstanceSpec;
import io.callboard.workflows.internal.protocol.InstanceStop;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Turns of the actor of one instance, in each of its lives: persists and carries out what {@link
 * InstanceMachine} decides.
 *
 * <p>A life that cannot read the definition, or cannot go on with what is stored, is stuck: it
 * answers those who look, and ends the instance if somebody forces that. All else waits in the
 * mailbox for the next life.
 */
abstract class InstanceTurns extends PersistentActor<InstanceCommand, InstanceEvent, InstanceData> {
  /** Longest wait for the definition, within the limits of a start and of a turn. */
  static final Duration PATIENCE = Duration.ofSeconds(15);

  /** Period of the durable timer of an instance without a timeout, which keeps it in memory. */
  private static final Duration LOOK = Duration.ofDays(1);

  /** Longest wait of an ended instance for the definition, within the limit of a question. */
  private static final Duration SOON = Duration.ofSeconds(2);

  /** Time for which a life answers that is stuck, before it fails. */
  private static final Duration STUCK = Duration.ofSeconds(10);

  /** Pause until a life that is stuck looks at the timeout again. */
  private static final Duration AGAIN = Duration.ofMinutes(1);

  private static final String LIFE = "life";
  private static final String DUE = "due";
  private static final String MORE = "more";
  private static final String RESTORED = "restored";

  final InstanceEnvironment env;
  final InstanceMachine machine;
  final StartAdmission pass;
  final EndNotices notices = new EndNotices(this::callboard, this::tell);
  @Nullable LoadedDefinition definition;
  @Nullable InstanceProgress progress;
  @Nullable RunLauncher launcher;

  /** Why this life is stuck; null if it can go on. */
  @Nullable Throwable stuck;

  InstanceTurns(InstanceEnvironment env, InstanceMachine machine) {
    this.env = env;
    this.machine = machine;
    this.pass = new StartAdmission(env.gate());
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
  protected Future<?> started() {
    launcher = new RunLauncher(env, callboard(), path().name(), this::tell, this::afterCommit);
    InstanceSpec spec = state().spec();
    if (spec == null) {
      return Future.succeededFuture();
    }
    return read(spec)
        .<@Nullable Void>map(
            loaded -> {
              definition = loaded;
              if (!launcher().isOver()) { // else another life has the instance
                resume();
              }
              return null;
            })
        .otherwise(this::cannotGoOn);
  }

  /** Reads the definition. An instance that has ended answers without it, and waits shortly. */
  private Future<LoadedDefinition> read(InstanceSpec spec) {
    Future<LoadedDefinition> read =
        env.definitions().loadPatiently(spec.definition(), spec.version(), PATIENCE, this::isOver);
    if (state().outcome() == null) {
      return read;
    }
    Promise<LoadedDefinition> soon = Promise.promise();
    Context context = callboard().vertx().getOrCreateContext();
    Time.Alarm alarm =
        time().after(context, SOON, () -> soon.tryFail("its definition has not been read yet"));
    read.onComplete(
        done -> {
          alarm.cancel();
          if (done.succeeded()) {
            soon.tryComplete(done.result());
          } else {
            soon.tryFail(done.cause());
          }
        });
    return soon.future();
  }

  /**
   * Lets this life only answer, and end the instance by force; other messages wait for the next
   * one. It fails shortly, so that its supervisor tries again, with a backoff.
   */
  private @Nullable Void cannotGoOn(Throwable cause) {
    stuck = cause;
    report();
    if (waitsForNextLife()) {
      Context context = callboard().vertx().getOrCreateContext();
      Time.Alarm unused = time().after(context, STUCK, this::fails);
    }
    return null;
  }

  private void fails() {
    if (stuck != null && !isOver() && state().outcome() == null) {
      throw new IllegalStateException("it cannot go on: " + Causes.message(stuck), stuck);
    }
  }

  /** Handles a message, or leaves it to a life that can go on; after the end it changes nothing. */
  final void unlessStuck(Runnable handler) {
    if (waitsForNextLife()) {
      stash();
    } else {
      handler.run();
    }
  }

  /** Returns whether a message that changes the instance waits for a life that can go on. */
  final boolean waitsForNextLife() {
    return stuck != null && state().outcome() == null;
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

  final void begin() {
    if (pass.release(state())) {
      goOn();
    }
  }

  final void goOn() {
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

  final Instant now() {
    return time().clock().instant();
  }

  final LoadedDefinition definition() {
    return Objects.requireNonNull(definition, "the definition has not been read");
  }

  final RunLauncher launcher() {
    return Objects.requireNonNull(launcher, "the actor has not started");
  }

  /** Returns the cursor of the state; a new one if a turn failed after it had moved. */
  final InstanceProgress progress() {
    if (progress == null || !progress.isOf(state())) {
      progress = new InstanceProgress(definition().definition(), definition().inputs(), state());
    }
    return progress;
  }

  final void startLife() {
    startLife(left());
  }

  private void startLife(@Nullable Duration left) {
    startDurableTimer(LIFE, left == null ? LOOK : left, new InstanceCommand.Overdue());
  }

  /** Returns the time left until the instance's timeout; null without one. */
  final @Nullable Duration left() {
    return pass.holds(state()) ? null : definition().left(state(), now());
  }

  /** Has the machine decide, if there is an instance, and carries the decision out. */
  final void turn(Consumer<InstanceProgress> decide) {
    if (state().spec() != null && stuck == null) {
      InstanceProgress its = progress();
      machine.renew(its, now());
      decide.accept(its);
      carryOut(its);
    }
  }

  final void carryOut(InstanceProgress its) {
    InstanceDecision decision = its.take();
    persistAll(decision.events());
    its.follow(state());
    decision.closed().forEach(run -> afterCommit(() -> launcher().close(run)));
    decision.starts().forEach(run -> launcher().start(its, run, now()));
    decision.aborts().forEach(run -> launcher().abort(state(), run, now()));
    timers(its, decision);
    if (!decision.events().isEmpty()) {
      if (state().outcome() != null) {
        end(definition().inputs());
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
  private void end(@Nullable StepInputs inputs) {
    cancelDurableTimer(LIFE);
    InstanceData ended = state();
    notices.ended(ended, inputs, now());
    afterCommit(() -> pass.ends(ended));
  }

  /** Ends an instance that cannot go on, without a decision by its graph. */
  final void endAtOnce(String by, Throwable failed) {
    InstanceData before = state();
    CheckedDefinition its = definition == null ? null : definition.definition();
    List<InstanceEvent> events = ForcedEnd.atOnce(before, its, by, failed, now());
    persistAll(events);
    InstanceData after = state();
    launcher().abortAll(before, after, now());
    end(null);
    unstashAll(); // no life comes that could go on with it
    afterCommit(
        () -> {
          env.tally().committed(events, after);
          env.observer().is(InstanceViews.row(after));
        });
  }

  final void overdue() {
    if (state().spec() == null || state().outcome() != null) {
      return;
    }
    if (stuck != null) {
      startDurableTimer(LIFE, AGAIN, new InstanceCommand.Overdue());
      return;
    }
    Duration left = left();
    if (Duration.ZERO.equals(left)) {
      turn(its -> machine.stop(its, InstanceStop.TIMEOUT, now()));
      left = null; // nothing more is due
    }
    if (state().outcome() == null) {
      startLife(left);
    }
  }

  private void report() {
    if (stuck != null) {
      env.observer().is(InstanceViews.row(state()));
    } else if (progress != null && progress.isOf(state()) && state().spec() != null) {
      env.observer().is(InstanceViews.row(progress));
    }
  }
}
