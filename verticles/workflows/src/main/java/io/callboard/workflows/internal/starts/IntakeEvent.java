package io.callboard.workflows.internal.starts;

import com.fasterxml.jackson.databind.JsonNode;
import io.callboard.workflows.model.InstanceState;
import io.callboard.workflows.model.MessageReceipt;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** Events of one message. */
public sealed interface IntakeEvent {
  /**
   * The message was accepted.
   *
   * @param id id of the message
   * @param definition name of the definition that it starts; null if a builder decides
   * @param builder name of the builder; null if a definition is given
   * @param message its content
   * @param receipt path of the actor to which the settlement is told; null for none
   * @param at when
   * @param digest digest of what its sender has sent; null if it is not compared, also from an
   *     older node
   */
  record Accepted(
      String id,
      @Nullable String definition,
      @Nullable String builder,
      JsonNode message,
      @Nullable String receipt,
      Instant at,
      @Nullable String digest)
      implements IntakeEvent {}

  /**
   * The builder failed, and is asked again.
   *
   * @param error why
   * @param dueAt when
   * @param spared whether that is no failure of the builder, and does not count as an attempt; null
   *     for no, also from an older node
   */
  record BuildFailed(String error, Instant dueAt, @Nullable Boolean spared)
      implements IntakeEvent {}

  /**
   * The builder wants an instance later.
   *
   * @param start the instance
   * @param dueAt when
   */
  record Delayed(IntakeStart start, Instant dueAt) implements IntakeEvent {}

  /**
   * An instance was started.
   *
   * @param instance its id
   * @param at when
   */
  record Started(String instance, Instant at) implements IntakeEvent {}

  /**
   * The message is settled.
   *
   * @param state ENDED, FAILED or EMPTY
   * @param outcome outcome of its instance; null for none
   * @param error why it failed; null for none
   * @param chains whether the builder is asked for a next instance
   * @param at when
   */
  record Settled(
      MessageReceipt.State state,
      @Nullable InstanceState outcome,
      @Nullable String error,
      boolean chains,
      Instant at)
      implements IntakeEvent {}

  /**
   * A later instance of the chain has ended, and the builder is asked for the next one.
   *
   * @param outcome its outcome
   * @param at when
   */
  record LinkEnded(InstanceState outcome, Instant at) implements IntakeEvent {}

  /**
   * Event after which nothing more happens; the receipt is kept for a while.
   *
   * @param error why the chain ended early; null if it did not
   * @param at when
   */
  record Finished(@Nullable String error, Instant at) implements IntakeEvent {}
}
