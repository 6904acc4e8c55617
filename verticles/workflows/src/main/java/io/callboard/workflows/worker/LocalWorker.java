package io.callboard.workflows.worker;

import io.callboard.Callboard;
import io.callboard.workflows.output.StepOutputs;
import io.callboard.workflows.protocol.DeskCommand;
import io.callboard.workflows.protocol.StepReports;
import io.callboard.workflows.work.WorkerMachine;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * What the worker of this node offers, over all lives of its actor. One object a boot; any thread.
 */
public final class LocalWorker {
  private final Callboard callboard;
  private final StepCodes codes;
  private final StepReports reports;
  private final StepOutputs outputs;
  private final AtomicInteger lives = new AtomicInteger();
  private volatile int slots;
  private volatile boolean draining;
  private volatile int held;
  private volatile long sessionUntilNs = Long.MIN_VALUE;
  private volatile @Nullable WorkerMachine machine;

  /**
   * Creates a worker.
   *
   * @param slots runs that it takes at once
   */
  public LocalWorker(Callboard callboard, StepCodes codes, StepReports reports, int slots) {
    this.callboard = callboard;
    this.codes = codes;
    this.reports = reports;
    this.outputs = new StepOutputs(callboard::blobs);
    this.slots = slots;
  }

  /** Returns the node. */
  Callboard callboard() {
    return callboard;
  }

  /** Returns what the node offers. */
  StepCodes codes() {
    return codes;
  }

  /** Returns who takes the ends of runs. */
  StepReports reports() {
    return reports;
  }

  /** Returns the large outputs of steps. */
  StepOutputs outputs() {
    return outputs;
  }

  /** Returns the number of runs that it takes at once. */
  public int slots() {
    return slots;
  }

  /** Sets the number of runs that it takes at once. */
  public void slots(int atOnce) {
    slots = atOnce;
  }

  /** Returns whether it takes no more runs. */
  public boolean isDraining() {
    return draining;
  }

  /** Sets whether it takes no more runs. */
  public void draining(boolean value) {
    draining = value;
  }

  /** Returns the number of runs that it holds: alive, or not known to their instances. */
  public int held() {
    return held;
  }

  /** Notes until when the session of the node lives, for the next life of the actor. */
  public void sessionLives(long untilNanos) {
    sessionUntilNs = untilNanos;
  }

  /** Creates the machine of a new life. */
  WorkerMachine begin(long nowNs) {
    WorkerMachine before = machine;
    WorkerMachine made =
        new WorkerMachine(
            callboard.node(),
            callboard.bootId(),
            lives::incrementAndGet,
            before == null ? 0 : before.epoch());
    if (sessionUntilNs != Long.MIN_VALUE) {
      made.sessionLives(sessionUntilNs, nowNs);
    }
    machine = made;
    held = 0;
    return made;
  }

  /** Notes what a machine holds now. */
  void holds(WorkerMachine of) {
    if (machine == of) {
      held = of.held();
    }
  }

  /** Returns the last news of a worker whose actor has stopped; empty if it never started. */
  public Optional<DeskCommand.News> bye(long nowNs) {
    WorkerMachine last = machine;
    if (last == null) {
      return Optional.empty();
    }
    held = 0;
    last.bye(nowNs);
    return last.news();
  }
}
