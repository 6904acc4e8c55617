package io.callboard.internal.ownership;

import io.callboard.codecs.ActorPath;
import io.callboard.store.Lease;
import org.jspecify.annotations.Nullable;

/**
 * Conditions under which a durable actor may run on this node: the lease of its partition, the
 * supervisor's consent, and that it was not stopped for good. Owned by the durable context.
 */
public final class RunConditions {
  private final ActorPath path;
  private @Nullable Lease lease;
  private boolean leaving;
  private boolean held;
  private boolean stopped;

  /**
   * @param held whether the actor waits for its supervisor to begin it
   */
  public RunConditions(ActorPath path, boolean held) {
    this.path = path;
    this.held = held;
  }

  /**
   * Returns the lease under which this node owns the actor's partition; null if another node may.
   */
  public @Nullable Lease lease() {
    return lease;
  }

  /**
   * Returns the lease under which what runs here works.
   *
   * @throws IllegalStateException if another node may own the partition
   */
  public Lease requireLease() {
    if (lease == null) {
      throw new IllegalStateException(path + " works without a lease");
    }
    return lease;
  }

  public boolean isOwned() {
    return lease != null;
  }

  /** Records that this node owns the partition; it no longer hands the actor over. */
  public void own(Lease granted) {
    lease = granted;
    leaving = false;
  }

  /** Records that another node owns the partition, or will. */
  public void disown() {
    lease = null;
  }

  /** Records that the actor is being handed over: no start begins. */
  public void leave() {
    leaving = true;
  }

  public boolean isLeaving() {
    return leaving;
  }

  /** Sets whether the supervisor keeps the actor down. */
  public void hold(boolean down) {
    held = down;
  }

  public boolean isHeld() {
    return held;
  }

  /** Records that the actor has been stopped for good on this node. */
  public void stop() {
    stopped = true;
  }

  public boolean isStopped() {
    return stopped;
  }

  /** Returns whether the actor is to run here, now or after a restart. */
  public boolean isToRun() {
    return lease != null && !held && !stopped;
  }

  /** Returns whether a life may run that was begun under {@code owned}. */
  public boolean allow(Lease owned) {
    return !stopped && !held && owned.equals(lease);
  }

  /** Returns the lease under which a start may begin; null if none may. */
  public @Nullable Lease toStart() {
    return isToRun() && !leaving ? lease : null;
  }
}
