package io.callboard.workflows.internal.starts;

import com.fasterxml.jackson.databind.JsonNode;
import io.callboard.workflows.model.InstanceEnded;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** Commands of the actor of one message. */
public sealed interface IntakeCommand {
  /**
   * Takes the message; answered with its {@link IntakeAnswer.Is}, also if it was taken before.
   *
   * @param id id of the message
   * @param definition name of the definition that it starts; null if a builder decides
   * @param builder name of the builder; null if a definition is given
   * @param message its content
   * @param receipt path of the durable actor to which the settlement is told; null for none
   * @param at time of the request
   * @param version version of the definition that takes the content; null for the current one, also
   *     from an older node
   * @param digest digest of what its sender has sent; null if it is not compared, also from an
   *     older node
   */
  record Take(
      String id,
      @Nullable String definition,
      @Nullable String builder,
      JsonNode message,
      @Nullable String receipt,
      Instant at,
      @Nullable String version,
      @Nullable String digest)
      implements IntakeCommand {}

  /**
   * Asks for the message; answered with its {@link IntakeAnswer}.
   *
   * @param digest that of the message that is meant; null for any, also from an older node
   */
  record Look(@Nullable String digest) implements IntakeCommand {}

  /**
   * The builder has answered.
   *
   * @param ask number of the question
   * @param start what is to start; null for nothing, or if it failed
   * @param error why it failed; null if it did not
   * @param forGood whether another attempt would not help
   * @param spared whether the builder has not failed, but the cell or this node could not ask it or
   *     take its answer; null for no, also from an older node
   */
  record Answered(
      long ask,
      @Nullable IntakeStart start,
      @Nullable String error,
      boolean forGood,
      @Nullable Boolean spared)
      implements IntakeCommand {}

  /**
   * The instance has ended.
   *
   * @param ended how
   */
  record Ended(InstanceEnded ended) implements IntakeCommand {}

  /** Reminder of the actor to itself: an attempt or a start is due, or its time is over. */
  record Due() implements IntakeCommand {}
}
