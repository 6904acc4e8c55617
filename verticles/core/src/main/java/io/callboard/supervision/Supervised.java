package io.callboard.supervision;

import io.callboard.codecs.ActorPath;
import io.vertx.core.Future;
import java.time.Duration;

/** What a supervisor needs of its child, an actor or a zone. Called on the supervisor's context. */
public interface Supervised {
  /** For the log. */
  String label();

  /** Its name among the children. */
  ActorPath path();

  SupervisionOptions supervision();

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

  /** Its failure is that of its zone. */
  void escalated();

  /** Whether somebody of its own, who started it, takes that failure of it. */
  boolean escalates(Throwable cause);
}
