package io.callboard.internal.supervisor;

import io.callboard.codecs.ActorPath;
import io.callboard.internal.failurezone.ChildRest;
import io.callboard.supervision.Directive;
import io.callboard.supervision.FailureStreak;
import io.callboard.supervision.RestartBudget;
import io.callboard.supervision.SupervisionOptions;
import io.vertx.core.Future;
import java.time.Duration;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Child of a supervisor, an actor or a zone. Called on the supervisor's context. */
public interface Supervised {
  /** Returns the name for the log. */
  String label();

  /** Returns the path, which is the name among the children. */
  ActorPath path();

  /** Returns the options of its supervision; see {@link Supervisor#treat}. Any thread. */
  SupervisionOptions supervision();

  /** Changes its options, for all its lives on this node, and reports that to its supervisor. */
  void supervision(SupervisionOptions other);

  /**
   * Sets the source of the child's own restart budget.
   *
   * @param reads may be called by any thread; null if the child has no intensity of its own
   */
  void budget(@Nullable Supplier<RestartBudget> reads);

  /**
   * Sets the source of the child's present streak of failures.
   *
   * @param reads may be called by any thread; gives null if it does not fail, or has run well
   *     since. Null if nothing is known of failures
   */
  void failing(@Nullable Supplier<@Nullable FailureStreak> reads);

  /**
   * Begins a new life. {@link Supervisor#started}, {@link Supervisor#failed} or another end is
   * reported.
   */
  void begin();

  /**
   * Ends its life or start; its mail waits. Completes when nothing of that is left, within a
   * bounded time; never fails. Events of that life are not reported any more.
   */
  Future<Void> end();

  /**
   * Notes that the {@link #end} which was asked for is to wait for nothing: a zone stops all its
   * children at once, an actor has a time limit of its own.
   */
  default void force() {}

  /**
   * Notes that an {@link #end} is complete which its supervisor, or a life of that, asked for and
   * then forgot: nobody begins it again, unless a new life of the supervisor does.
   */
  void forgottenWhileStopping();

  /** Notes that it begins again after {@code delay}. */
  void willRestart(Duration delay);

  /**
   * Makes it rest: it does not begin again before it is resumed.
   *
   * @param asked whether an operator wants that
   */
  void rest(String why, boolean asked);

  /** Returns the rest as of the last {@link #rest}; null if it has been resumed since. */
  @Nullable ChildRest rests();

  /**
   * Notes that an operator resumed it: it begins again as soon as what it needs runs. Any thread.
   */
  void resumed();

  /**
   * Notes that it does not begin again before something else is resumed: its failure zone or one
   * above, or a sibling that it needs. Nothing of it runs, or its {@link #end} follows. Any thread.
   *
   * @param resting null if it waits for nothing of that kind any more
   */
  void needs(@Nullable ActorPath resting);

  /** Returns the argument of the last {@link #needs}. Any thread. */
  @Nullable ActorPath needs();

  /**
   * Ends it for good: it no longer belongs to the supervisor. Completes when nothing of it is left.
   */
  Future<Void> done();

  /**
   * Called before its supervisor keeps state of it, which the supervisor is asked to forget in the
   * end.
   *
   * @return false if that end has come, and no state may be kept
   */
  boolean becomesKnown();

  /** Returns the amount of work done so far: messages handled without a failure. Any thread. */
  long work();

  /**
   * Notes that it failed, and does not begin again by itself; {@link #end} follows.
   *
   * @param decided the supervisor's decision
   */
  void falls(Directive decided);

  /** Escalates a failure to the actor that started it; false if there is none. */
  boolean escalates(Throwable cause);
}
