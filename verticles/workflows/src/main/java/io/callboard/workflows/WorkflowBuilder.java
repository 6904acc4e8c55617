package io.callboard.workflows;

import com.fasterxml.jackson.databind.JsonNode;
import io.callboard.workflows.model.InstanceState;
import io.vertx.core.Future;
import java.time.Duration;
import java.util.Optional;

/**
 * Makes requests for instances of messages. Called in the scheduling zone of builders, or in the
 * one that it was registered with, where it may block: it keeps those waiting that share the zone,
 * and nothing else. While the zone has no thread for it, it is asked later. Called at least once a
 * message: an answer that is lost is asked for again, so what it does elsewhere should be
 * idempotent by the id of the message. The same builders are registered on all nodes. Messages that
 * it gets are copies for the call, and what it returns is copied.
 */
@FunctionalInterface
public interface WorkflowBuilder {
  /**
   * Message for which an instance is to be built.
   *
   * @param id id of the message
   * @param message its content
   * @param attempt number of the attempt, from 1 on
   */
  record Build(String id, JsonNode message, int attempt) {}

  /**
   * End of an instance, after which there may be a next one.
   *
   * @param id id of the message
   * @param message its content
   * @param instance id of the instance
   * @param outcome how it ended
   * @param links number of instances that the message has had
   */
  record Link(String id, JsonNode message, String instance, InstanceState outcome, int links) {}

  /**
   * Next instance of a message.
   *
   * @param request the request
   * @param delay time until it starts, at least 0
   */
  record NextStart(StartRequest request, Duration delay) {
    /** Checks the delay. */
    public NextStart {
      if (delay.isNegative()) {
        throw new IllegalArgumentException("the delay is 0 or more, not " + delay);
      }
    }
  }

  /**
   * Completes with the request for the instance of a message, empty if none is wanted. A failure is
   * retried with pauses; after {@code IntakeMachine.ATTEMPTS} of them, or at once if it is a {@link
   * io.callboard.workflows.model.WorkflowException} of code {@code INVALID}, the message is settled
   * as failed. A {@code WorkflowException} of code {@code UNAVAILABLE} or {@code OVERLOADED} is
   * trouble of the cell and no failure: it is asked again after longer pauses, until that is over;
   * after {@code IntakeMachine.MOST_SPARED} times, more than a day, it counts as failed.
   */
  Future<Optional<StartRequest>> build(Build message);

  /** Completes with the next instance after one has ended; empty, by default, for none. */
  default Future<Optional<NextStart>> next(Link ended) {
    return Future.succeededFuture(Optional.empty());
  }
}
