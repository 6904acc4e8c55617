package io.callboard.workflows.internal.dispatch;

import io.callboard.workflows.internal.protocol.HeldRun;
import io.callboard.workflows.internal.protocol.StepRequest;
import io.callboard.workflows.internal.protocol.StepRunKey;
import java.util.Comparator;
import org.jspecify.annotations.Nullable;

/** Run that the desk knows: queued, or with a worker. Belongs to its {@link WorkMachine}. */
final class DeskRun {
  /** Order of runs by the time at which something is due for them. */
  static final Comparator<DeskRun> BY_DUE =
      Comparator.<DeskRun>comparingLong(run -> run.dueNs).thenComparing(run -> run.key);

  /** Key of the run. */
  final StepRunKey key;

  /** Place among all requests of this desk, in the order of their arrival. */
  final long arrival;

  /** The request; null if only a worker has reported the run so far. */
  @Nullable StepRequest request;

  /** State of the run. */
  State state = State.QUEUED;

  /** Arrival at this desk, from which its age counts. */
  final long arrivedNs;

  /** Since when it is in its state. */
  long sinceNs;

  /** Worker that has it; null while it is queued. */
  @Nullable DeskWorker worker;

  /** Seat of that worker whose slots it takes; null while it is queued. */
  @Nullable DeskSeat seat;

  /** Number of its last assignment. */
  long number;

  /** Whether it is to end. */
  boolean cancelled;

  /** Whether its instance was told, or has said, that it is over, although a worker had it then. */
  boolean over;

  /**
   * Whether another run stands for its step, or the same one elsewhere: this is what a worker has
   * besides. Another run is to end; the same one counts if it is lost where it stands.
   */
  boolean beside;

  /** When its worker is to be asked again; meaningful while {@link #due}. */
  long dueNs;

  /** Whether it is among the runs for which something is due. */
  boolean due;

  /** Last report of its worker on it; null for none. */
  @Nullable HeldRun held;

  /** Why it rests until something is due for it, and is in no queue; null if it is in its queue. */
  @Nullable String rests;

  /** Later run of the same step, which waits until this one is over; null for none. */
  @Nullable StepRequest successor;

  /** State of a run at the desk. */
  enum State {
    /** State of a run that waits for a worker. */
    QUEUED,
    /** State of a run that was assigned, and not accepted yet. */
    OFFERED,
    /** State of a run that its worker runs. */
    RUNNING,
    /** State of a run that its worker was asked to give back, and has not answered yet. */
    REVOKED,
    /**
     * State of a run that has ended while its instance does not know yet; it takes no slot any
     * more.
     */
    ENDED
  }

  /** Creates a run that waits. */
  DeskRun(StepRunKey key, @Nullable StepRequest request, long arrival, long nowNs) {
    this.key = key;
    this.request = request;
    this.arrival = arrival;
    this.arrivedNs = nowNs;
    this.sinceNs = nowNs;
  }

  /** Sets the state and the time of its change. */
  void enter(State next, long nowNs) {
    state = next;
    sinceNs = nowNs;
  }

  /** Returns whether the run takes a slot of its worker. */
  boolean takesSlot() {
    return state == State.OFFERED || state == State.RUNNING || state == State.REVOKED;
  }

  /**
   * Returns what the run waits for at its worker although it has a slot; null if that is not known.
   */
  @Nullable String waits() {
    return held == null ? null : held.waits();
  }

  /** Returns the name of the node of the run's instance; null if it is not known. */
  @Nullable String node() {
    return request != null ? request.node() : held == null ? null : held.node();
  }

  /** Returns the name of the run's definition; empty if it is not known. */
  String definition() {
    return request != null ? request.definition() : held == null ? "" : held.definition();
  }

  /** Returns the type of the run; empty if it is not known. */
  String type() {
    return request != null ? request.type() : held == null ? "" : held.type();
  }

  @Override
  public String toString() {
    return key + " " + state + (worker == null ? "" : " at " + worker.id);
  }
}
