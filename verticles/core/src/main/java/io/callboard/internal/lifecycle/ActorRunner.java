package io.callboard.internal.lifecycle;

import io.callboard.ActorOptions;
import io.callboard.CallboardException;
import io.callboard.admin.ActorStatus;
import io.callboard.admin.ActorStatus.State;
import io.callboard.codecs.ActorPath;
import io.callboard.internal.failurezone.ChildRest;
import io.callboard.internal.messaging.ActorRefImpl;
import io.callboard.internal.supervisor.Supervised;
import io.callboard.internal.supervisor.Supervisor;
import io.callboard.supervision.Directive;
import io.callboard.supervision.Failure;
import io.callboard.supervision.FailureStreak;
import io.callboard.supervision.Intensity;
import io.callboard.supervision.InterruptionStreak;
import io.callboard.supervision.RestartBudget;
import io.callboard.supervision.SupervisionOptions;
import io.vertx.core.Future;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Runner of one actor over all its lives. The methods of this class may be called on any thread.
 */
public abstract class ActorRunner implements Supervised {
  protected final ActorEnvironment environment;
  protected final Supervisor supervisor;
  protected final ActorRefImpl<?> self;
  protected final ActorOptions options;
  protected final ActorHistory history;
  private volatile SupervisionOptions supervision;
  private volatile @Nullable Supplier<RestartBudget> budget;
  private volatile @Nullable Supplier<@Nullable FailureStreak> failing;
  private volatile boolean bySelf;

  /** Whether the census of the node has the actor; under the lock of its history. */
  boolean counted;

  public ActorRunner(
      ActorEnvironment environment,
      Supervisor supervisor,
      ActorRefImpl<?> self,
      ActorOptions options) {
    this.environment = environment;
    this.supervisor = supervisor;
    this.self = self;
    this.options = options;
    this.supervision = options.supervision();
    this.history = new ActorHistory(environment.node(), this);
  }

  /** Stops the actor for good; its mail that is only in memory becomes undeliverable. */
  public abstract Future<Void> stop();

  public abstract ActorStatus status();

  /** Counts the actor among those of this node, before it can be found. */
  public final void enters() {
    history.counts(true);
  }

  /** Counts the actor no longer: it cannot be found any more. */
  public final void leaves() {
    history.counts(false);
  }

  /** Returns whether it is one of the toolkit's own. */
  public final boolean isToolkit() {
    return ActorCensus.isToolkit(options.zone());
  }

  /** Reports a failure outside of the actor's handlers. */
  public abstract void fails(Throwable cause);

  @Override
  public final ActorPath path() {
    return self.path();
  }

  @Override
  public final String label() {
    return "actor " + path();
  }

  final ActorOptions options() {
    return options;
  }

  @Override
  public final SupervisionOptions supervision() {
    return supervision;
  }

  @Override
  public final void supervision(SupervisionOptions other) {
    supervision = other;
    supervisor.treat(this);
  }

  @Override
  public final void budget(@Nullable Supplier<RestartBudget> reads) {
    budget = reads;
  }

  /** Restarts that are left; null if only the failure zone limits them. */
  final @Nullable RestartBudget budget() {
    Supplier<RestartBudget> reads = budget;
    if (reads != null) {
      return reads.get();
    }
    Optional<Intensity> own = supervision.intensity();
    return own.isEmpty() && isInZone()
        ? null
        : RestartBudget.unused(own.orElse(Intensity.DEFAULT)); // no supervisor knows it yet
  }

  @Override
  public final void failing(@Nullable Supplier<@Nullable FailureStreak> reads) {
    failing = reads;
    if (reads != null) {
      history.fails();
    }
  }

  /** Returns the present streak of failures, whatever the state is; null if there is none. */
  final @Nullable FailureStreak streak() {
    Supplier<@Nullable FailureStreak> reads = failing;
    return reads == null ? null : reads.get();
  }

  /** Returns the present streak of failures; null if there is none, or it is not to run here. */
  final @Nullable FailureStreak failing() {
    return switch (history.state()) {
      case STARTING, RUNNING, WAITS -> streak();
      case FAILED, ELSEWHERE, PASSIVATED, STOPPED, RESTS -> null;
    };
  }

  /** Returns whether mail waits for it, as far as that is known. Any thread. */
  protected abstract boolean hasMail();

  /**
   * Returns the present interruptions in a row; null if there are none, it is not to run here, or
   * it runs, and nothing says that it does not run well.
   */
  final @Nullable InterruptionStreak interrupted() {
    InterruptionStreak streak = history.interruptions();
    if (streak == null) {
      return null;
    }
    return switch (history.state()) {
      case STARTING, WAITS -> streak;
      case RUNNING -> isRecent(streak) && hasMail() ? streak : null;
      case FAILED, ELSEWHERE, PASSIVATED, STOPPED, RESTS -> null;
    };
  }

  private boolean isRecent(InterruptionStreak streak) {
    Instant now = environment.node().clock().instant();
    return !streak.last().plus(InterruptionStreak.LONG).isBefore(now);
  }

  /** Resets the backoff: the actor reports itself healthy. Any thread. */
  public final void isWell() {
    supervisor.well(this);
  }

  /** Returns the supervisor of the actor. */
  public final Supervisor supervisor() {
    return supervisor;
  }

  /** Returns whether the supervisor is a failure zone, which then decides when the actor begins. */
  public final boolean isInZone() {
    return supervisor != environment.root();
  }

  public final State state() {
    return history.state();
  }

  /** Called when the history has changed and may be stored; does nothing by default. */
  public void historyChanged() {}

  public final ActorHistory history() {
    return history;
  }

  /** Records that the stop that follows was requested by the actor itself. */
  public final void stopsItself() {
    bySelf = true;
  }

  /** Leaves the supervisor after the stop, when nothing of the actor is left. */
  public final void leaveSupervisor() {
    if (bySelf && isInZone()) {
      supervisor.ended(this);
    } else {
      supervisor.forget(this);
    }
  }

  @Override
  public final void willRestart(Duration delay) {
    history.waits(delay);
  }

  @Override
  public void forgottenWhileStopping() {
    // one that only this node runs is forgotten only when it has ended for good
  }

  @Override
  public void rest(String why, boolean asked) {
    history.rests(new ChildRest(why, asked));
    environment.groups().left(path());
  }

  @Override
  public final @Nullable ChildRest rests() {
    return history.rest();
  }

  /**
   * Returns the failure for which the actor, or one it needs, rests; null if an operator made it
   * rest.
   */
  public final @Nullable Failure restsBy() {
    ChildRest rest = history.rest();
    ActorPath needs = history.needs();
    if (rest != null) {
      return rest.asked() ? null : history.fatal();
    }
    return needs == null ? null : environment.host().restsBy(needs);
  }

  @Override
  public void resumed() {
    history.isWanted();
  }

  @Override
  public void needs(@Nullable ActorPath resting) {
    history.needs(resting);
    if (resting != null) {
      environment.groups().left(path());
    }
  }

  @Override
  public final @Nullable ActorPath needs() {
    return history.needs();
  }

  @Override
  public final void falls(Directive decided) {
    history.decided(decided, null);
    history.falls();
  }

  @Override
  public boolean escalates(Throwable cause) {
    return environment.host().escalated(path(), cause);
  }

  public final CallboardException stoppedCause() {
    return CallboardException.stopped(label());
  }
}
