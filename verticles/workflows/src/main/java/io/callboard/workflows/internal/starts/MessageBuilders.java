package io.callboard.workflows.internal.starts;

import com.fasterxml.jackson.databind.JsonNode;
import io.callboard.workflows.model.InstanceState;
import io.vertx.core.Future;
import org.jspecify.annotations.Nullable;

/** Builders that are registered on this node, as the actors of messages ask them. */
public interface MessageBuilders {
  /** Time that a builder has for an answer. */
  int SECONDS = 30;

  /**
   * Question to a builder.
   *
   * @param builder name of the builder
   * @param id id of the message
   * @param message content of the message
   * @param attempt number of the attempt, from 1 on
   * @param instance id of the last instance of the chain; null for the first question
   * @param outcome outcome of that instance; null for the first question
   * @param links number of instances in the chain
   */
  record Question(
      String builder,
      String id,
      JsonNode message,
      int attempt,
      @Nullable String instance,
      @Nullable InstanceState outcome,
      int links) {}

  /**
   * Returns the scheduling zone of a builder; null if it was registered without one, or is not
   * known.
   */
  default @Nullable String zone(String builder) {
    return null;
  }

  /**
   * Returns whether a scheduling zone takes no work now, so that a start would wait outside of its
   * queue.
   */
  default boolean isFull(String zone) {
    return false;
  }

  /**
   * Completes with the instance to start, null for none; a failure is one of the builder. May
   * block.
   */
  Future<@Nullable IntakeStart> ask(Question question);
}
