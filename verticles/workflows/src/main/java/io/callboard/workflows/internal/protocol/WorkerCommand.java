package io.callboard.workflows.internal.protocol;

import com.fasterxml.jackson.annotation.JsonSubTypes;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Commands of a worker, from the desk and from its own attempts. */
public sealed interface WorkerCommand {
  /**
   * Orders of a desk, in their order.
   *
   * @param epoch epoch of the desk
   * @param life life of the worker that they are for
   * @param boot boot of its node; null from a desk of an earlier version
   * @param orders the orders
   */
  record Orders(long epoch, int life, @Nullable String boot, List<Order> orders)
      implements WorkerCommand {
    /** Copies the orders. */
    public Orders {
      orders = List.copyOf(orders);
    }

    /** Returns orders to one life of a worker, which no other one obeys. */
    public static Orders to(WorkerId worker, long epoch, List<Order> orders) {
      return new Orders(epoch, worker.life(), worker.boot(), orders);
    }

    /** Returns whether the orders are for that life of a worker. */
    public boolean areFor(WorkerId worker) {
      return life == worker.life() && (boot == null || boot.equals(worker.boot()));
    }
  }

  /** Order of a desk. */
  @JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "is")
  @JsonSubTypes({
    @JsonSubTypes.Type(value = WorkerCommand.Assign.class, name = "assign"),
    @JsonSubTypes.Type(value = WorkerCommand.Revoke.class, name = "revoke"),
    @JsonSubTypes.Type(value = WorkerCommand.End.class, name = "end")
  })
  sealed interface Order {}

  /**
   * Assigns a run.
   *
   * @param number number of the assignment, rising within an epoch
   * @param request the run
   * @param zone zone of handlers whose slots it takes; null for one of the worker's own slots, also
   *     from a desk of an earlier version
   */
  record Assign(long number, StepRequest request, @Nullable String zone) implements Order {}

  /**
   * Asks for a run back: if it has not begun, it never will.
   *
   * @param number number of the assignment
   * @param key the run
   */
  record Revoke(long number, StepRunKey key) implements Order {}

  /**
   * Asks to end a run.
   *
   * @param number number of the assignment
   * @param key the run
   */
  record End(long number, StepRunKey key) implements Order {}

  /**
   * A desk gives runs of this node's instances to a worker. It is sent before the orders are: the
   * node tells the next desk, should this one end together with the worker. Nodes of earlier
   * versions, whose requests name no epoch, are not told.
   *
   * @param worker life of the worker
   * @param runs the runs
   */
  record Given(WorkerId worker, List<StepRunKey> runs) implements WorkerCommand {
    /** Copies the runs. */
    public Given {
      runs = List.copyOf(runs);
    }
  }

  /**
   * A desk has started, or has heard from a worker that does not know it.
   *
   * @param epoch epoch of the desk
   */
  record DeskStarted(long epoch) implements WorkerCommand {}

  /**
   * An attempt is over.
   *
   * @param key the run
   * @param outcome how it ended
   * @param attempt which attempt of the run at a worker of this node it was: an earlier life or
   *     boot may have had the same run; null from an earlier version, which is an earlier boot
   */
  record AttemptOver(StepRunKey key, StepOutcome outcome, @Nullable String attempt)
      implements WorkerCommand {}

  /**
   * An attempt could not begin: its zone was full, or had no thread for it in time. Its code was
   * not called and will not be.
   *
   * @param key the run
   * @param why why, for people
   * @param attempt as of {@link AttemptOver}
   */
  record NotBegun(StepRunKey key, String why, @Nullable String attempt) implements WorkerCommand {}

  /**
   * An attempt reports its progress.
   *
   * @param key the run
   * @param state what it says
   * @param attempt as of {@link AttemptOver}
   */
  record Heartbeat(StepRunKey key, JsonNode state, @Nullable String attempt)
      implements WorkerCommand {}

  /**
   * Outcome of a report of the worker to an instance.
   *
   * @param key the run
   * @param durable whether the instance knows it for good
   */
  record Reported(StepRunKey key, boolean durable) implements WorkerCommand {}

  /**
   * Answer of an instance.
   *
   * @param key the run
   * @param open whether it is open; null if there was no answer
   */
  record Asked(StepRunKey key, @Nullable Boolean open) implements WorkerCommand {}

  /** Types, slots or drain of this node have changed. */
  record Changed() implements WorkerCommand {}

  /**
   * The session of this node lives.
   *
   * @param untilNanos until when, by the monotonic clock of the node
   */
  record SessionLives(long untilNanos) implements WorkerCommand {}

  /** The session of this node has ended: so must its runs. */
  record SessionLost() implements WorkerCommand {}

  /** Message of the worker to itself: the news that were collected are to be sent. */
  record Flush() implements WorkerCommand {}

  /** Periodic message of the worker to itself. */
  record Tick() implements WorkerCommand {}
}
