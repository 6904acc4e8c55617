package io.callboard.internal.supervisor;

import io.callboard.codecs.ActorPath;
import io.vertx.core.internal.deployment.DeploymentContext;
import org.jspecify.annotations.Nullable;

/** Who is told how a child fares, and decides what becomes of it. Any thread. */
public interface Supervisor {
  /** The path of the failure zone that it looks after; null at the root. */
  @Nullable ActorPath zone();

  /** It is a child from now on, the last in the order, and is told when to begin. */
  void add(Supervised child);

  /** Its start has succeeded. */
  void started(Supervised child);

  /** A life of it begins that is not its first; only counted. */
  void restarted(Supervised child);

  /** It failed, also in its start, and nothing of that life is left. */
  void failed(Supervised child, Throwable cause);

  /** It failed with an attempt of a message, whose attempts are counted by themselves. */
  void failedAttempt(Supervised child, Throwable cause);

  /** It does not run any more because what it needs is not there, for now. */
  void interrupted(Supervised child, Throwable cause);

  /** It failed, nothing of that life is left, and to start it again is of no use. */
  void failedForGood(Supervised child, Throwable cause);

  /** It has ended by itself, for good, and nothing of it is left. */
  void ended(Supervised child);

  /** It was ended for good by its program, and nothing of it is left. */
  void forget(Supervised child);

  /** Whether it is to go on as if nothing had happened, after that failure. */
  boolean resumes(Supervised child, Throwable cause);

  /** It is to be treated as its {@link Supervised#supervision()} says, which has changed. */
  void treat(Supervised child);

  /** It says that it is well: its backoff begins anew. */
  void well(Supervised child);

  /** It is to run, now, and nothing is held against it; if it runs, nothing happens. */
  void resume(Supervised child);

  /** A new life of it is to begin, with those that need it. */
  void restart(Supervised child);

  /** It is to rest, with those that need it, until it is resumed. */
  void park(Supervised child);

  /** All its children end, by a Vert.x that undeploys it: none is started again. */
  void ends();

  /** Below which its children are, as Vert.x sees it; null if nothing of it is deployed now. */
  @Nullable DeploymentContext deployment();
}
