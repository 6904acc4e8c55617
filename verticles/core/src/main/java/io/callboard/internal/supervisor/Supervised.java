package io.callboard.internal.supervisor;

import io.callboard.codecs.ActorPath;
import io.callboard.supervision.Directive;
import io.callboard.supervision.RestartBudget;
import io.callboard.supervision.SupervisionOptions;
import io.vertx.core.Future;
import java.time.Duration;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** What a supervisor needs of its child, an actor or a zone. Called on the supervisor's context. */
public interface Supervised {
  /** For the log. */
  String label();

  /** Its name among the children. */
  ActorPath path();

  /** How it is treated; see {@link Supervisor#treat}. Any thread. */
  SupervisionOptions supervision();

  /** It is treated so from now on, in all its lives on this node; its supervisor is told. */
  void supervision(SupervisionOptions other);

  /**
   * What is left of its restarts, by an intensity of its own.
   *
   * @param reads to be called by any thread; null if it has none of its own
   */
  void budget(@Nullable Supplier<RestartBudget> reads);

  /**
   * A new life of it is to begin. Then {@link Supervisor#started}, {@link Supervisor#failed} or
   * another end is told.
   */
  void begin();

  /**
   * Its life, or start, is to end, and its mail to wait. Completes when nothing of that is left,
   * within a bounded time; never fails. What would be told of that life is not told any more.
   */
  Future<Void> end();

  /** It begins again in {@code delay}. */
  void willRestart(Duration delay);

  /**
   * It does not begin again before it is resumed.
   *
   * @param asked whether an operator wants that
   */
  void rest(String why, boolean asked);

  /** Why it rests, as {@link #rest} was told last; null if it has been resumed since. */
  @Nullable Rest rests();

  /**
   * That it does not begin again before it is resumed.
   *
   * @param asked whether an operator wants that
   */
  record Rest(String why, boolean asked) {}

  /** An operator resumed it: it begins again as soon as what it needs runs. Any thread. */
  void resumed();

  /**
   * Nothing of it runs, and it does not begin again before something else is resumed: its failure
   * zone or one above, or a sibling that it needs. Any thread.
   *
   * @param resting null if it waits for nothing of that kind any more
   */
  void needs(@Nullable ActorPath resting);

  /** What {@link #needs} was told last. Any thread. */
  @Nullable ActorPath needs();

  /**
   * It is none of the supervisor's any more, and has no further life. Completes when nothing of it
   * is left.
   */
  Future<Void> done();

  /**
   * Its supervisor is about to keep something of it, and is told to forget that in the end.
   *
   * @return false if that end has come, and nothing may be kept
   */
  boolean becomesKnown();

  /** How much it has done so far: messages handled without a failure. */
  long work();

  /**
   * It failed, and does not begin again by itself; {@link #end} follows.
   *
   * @param decided what its supervisor decided
   */
  void falls(Directive decided);

  /** Whether somebody of its own, who started it, takes that failure of it. */
  boolean escalates(Throwable cause);
}
