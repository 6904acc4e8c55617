package io.callboard.internal.supervisor;

import com.google.errorprone.annotations.CanIgnoreReturnValue;
import io.callboard.CallboardException;
import io.callboard.codecs.ActorPath;
import io.vertx.core.Future;
import io.vertx.core.internal.deployment.DeploymentContext;
import org.jspecify.annotations.Nullable;

/**
 * Supervisor of actors and failure zones: its children report to it, and it decides about them. Any
 * thread.
 */
public interface Supervisor {
  /** Returns the path of its failure zone; null at the root. */
  @Nullable ActorPath zone();

  /** Adds a child, the last in the order; the supervisor begins it. */
  void add(Supervised child);

  /** Reports that the start of a child has succeeded. */
  void started(Supervised child);

  /**
   * Reports that another node runs a child that may run on several nodes: what it rested for here
   * no longer holds, and as far as its zone on this node can know, it runs.
   */
  void elsewhere(Supervised child);

  /** Reports a life that is not the child's first; it is only counted. */
  void restarted(Supervised child);

  /** Reports a failure of a child, also in its start; nothing of that life is left. */
  void failed(Supervised child, Throwable cause);

  /** Reports a failure with an attempt of a message, whose attempts are counted separately. */
  void failedAttempt(Supervised child, Throwable cause);

  /** Reports that a child stopped because something it needs is unavailable for now. */
  void interrupted(Supervised child, Throwable cause);

  /** Reports a failure after which a restart is of no use; nothing of that life is left. */
  void failedForGood(Supervised child, Throwable cause);

  /** Reports that a child has ended by itself, for good; nothing of it is left. */
  void ended(Supervised child);

  /** Reports that a child was ended for good by its program; nothing of it is left. */
  void forget(Supervised child);

  /** Returns whether the child is to go on after that failure as if nothing had happened. */
  boolean resumes(Supervised child, Throwable cause);

  /** Applies the child's {@link Supervised#supervision()}, which has changed. */
  void treat(Supervised child);

  /** Resets the backoff of a child that reports itself healthy. */
  void well(Supervised child);

  /**
   * Resumes a child: it is to run now, and no earlier failure counts; no effect if it runs.
   *
   * @return completes when the supervisor has decided, on any thread; fails with {@code CONFLICT}
   *     if the child waits for something else that must be resumed
   */
  @CanIgnoreReturnValue
  Future<Void> resume(Supervised child);

  /**
   * Restarts a child, with those that need it.
   *
   * @return as of {@link #resume}
   */
  @CanIgnoreReturnValue
  Future<Void> restart(Supervised child);

  /**
   * Suspends a child, with those that need it, until it is resumed.
   *
   * @return completes when the supervisor has decided, on any thread
   */
  @CanIgnoreReturnValue
  Future<Void> suspend(Supervised child);

  /** Returns why a child can be neither resumed nor restarted; null if it can. Any thread. */
  static @Nullable CallboardException conflict(Supervised child) {
    ActorPath needs = child.needs();
    return needs == null || child.rests() != null
        ? null
        : new CallboardException(
            CallboardException.Code.CONFLICT,
            "%s needs %s, which is stopped or failed: resume that one"
                .formatted(child.label(), needs));
  }

  /**
   * Ends all children for a Vert.x instance that undeploys the supervisor: none is started again.
   */
  void ends();

  /** Returns the deployment above those of its children; null if nothing of it is deployed now. */
  @Nullable DeploymentContext deployment();
}
