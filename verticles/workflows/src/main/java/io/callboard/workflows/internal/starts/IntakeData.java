package io.callboard.workflows.internal.starts;

import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.databind.JsonNode;
import io.callboard.workflows.model.InstanceState;
import io.callboard.workflows.model.MessageReceipt;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * Durable state of one message, the fold of its events.
 *
 * @param id id of the message; null before it was accepted
 * @param stage what it does now
 * @param definition name of the definition that it starts; null if a builder decides
 * @param builder name of the builder; null if a definition is given
 * @param message its content; null once it is not needed
 * @param receipt path of the actor to which the settlement is told; null for none
 * @param acceptedAt when it was accepted
 * @param attempts failures of the builder at what it is asked now
 * @param asked questions to the builder in all that had no answer
 * @param spared those at what it is asked now that were no failures of the builder; null for 0,
 *     also from an older node
 * @param dueAt when the next attempt or the next instance is due; null for none
 * @param next instance that starts then; null for none
 * @param instance id of the last instance; null for none
 * @param first id of the first instance; null for none
 * @param last outcome of the last instance that ended; null for none
 * @param settled state in which the message was settled; null before
 * @param outcome outcome of the first instance; null before
 * @param error why it or its chain failed; null for none
 * @param settledAt when it was settled; null before
 * @param finishedAt when nothing was left to do; null before
 * @param links number of instances that have begun
 * @param digest digest of what its sender has sent; null if it is not compared, also from an older
 *     node
 */
public record IntakeData(
    @Nullable String id,
    Stage stage,
    @Nullable String definition,
    @Nullable String builder,
    @Nullable JsonNode message,
    @Nullable String receipt,
    @Nullable Instant acceptedAt,
    int attempts,
    int asked,
    @Nullable Integer spared,
    @Nullable Instant dueAt,
    @Nullable IntakeStart next,
    @Nullable String instance,
    @Nullable String first,
    @Nullable InstanceState last,
    MessageReceipt.@Nullable State settled,
    @Nullable InstanceState outcome,
    @Nullable String error,
    @Nullable Instant settledAt,
    @Nullable Instant finishedAt,
    int links,
    @Nullable String digest) {
  /** Stage of a message. */
  public enum Stage {
    /** Stage of a message that was not accepted. */
    NONE,
    /** Stage of a message whose builder is asked what starts. */
    BUILD,
    /** An instance starts later. */
    DELAY,
    /** An instance runs. */
    RUN,
    /** Stage of a message whose builder is asked for a next instance. */
    NEXT,
    /** Stage in which nothing more happens. */
    DONE
  }

  /** State before it was accepted. */
  public static final IntakeData EMPTY =
      new IntakeData(
          null,
          Stage.NONE,
          null,
          null,
          null,
          null,
          null,
          0,
          0,
          0,
          null,
          null,
          null,
          null,
          null,
          null,
          null,
          null,
          null,
          null,
          0,
          null);

  /**
   * Returns how often the present question had no answer for a reason other than a failure of the
   * builder.
   */
  public int timesSpared() {
    return spared == null ? 0 : spared;
  }

  /** Returns whether a message with this id and that digest is another message. */
  public boolean isAnother(@Nullable String digestOf) {
    return digest != null && digestOf != null && !digest.equals(digestOf);
  }

  /** Returns whether the message is under way. */
  // written only: without this it would be read as a field of a newer version
  @JsonProperty(access = JsonProperty.Access.READ_ONLY)
  public boolean isOpen() {
    return stage != Stage.NONE && stage != Stage.DONE;
  }

  /** Returns the message as users see it. */
  public MessageReceipt view() {
    MessageReceipt.State state = settled;
    if (state == null) {
      state = first == null ? MessageReceipt.State.BUILDING : MessageReceipt.State.STARTED;
    }
    return new MessageReceipt(
        String.valueOf(id),
        state,
        first,
        outcome,
        error,
        acceptedAt == null ? Instant.EPOCH : acceptedAt,
        settledAt,
        asked,
        links);
  }

  /** Returns the state after an event. */
  public IntakeData after(IntakeEvent event) {
    if (event instanceof IntakeEvent.Accepted e) {
      return new IntakeData(
          e.id(),
          Stage.BUILD,
          e.definition(),
          e.builder(),
          e.message(),
          e.receipt(),
          e.at(),
          0,
          0,
          0,
          null,
          null,
          null,
          null,
          null,
          null,
          null,
          null,
          null,
          null,
          0,
          e.digest());
    } else if (event instanceof IntakeEvent.BuildFailed e) {
      boolean isSpared = Boolean.TRUE.equals(e.spared());
      return with(
          stage,
          attempts + (isSpared ? 0 : 1),
          asked + 1,
          timesSpared() + (isSpared ? 1 : 0),
          e.dueAt(),
          null,
          instance,
          last,
          e.error());
    } else if (event instanceof IntakeEvent.Delayed e) {
      return with(Stage.DELAY, 0, asked, 0, e.dueAt(), e.start(), instance, last, null);
    } else if (event instanceof IntakeEvent.Started e) {
      return with(Stage.RUN, 0, asked, 0, null, null, e.instance(), last, null);
    } else if (event instanceof IntakeEvent.LinkEnded e) {
      return with(Stage.NEXT, 0, asked, 0, null, null, instance, e.outcome(), null);
    } else if (event instanceof IntakeEvent.Settled e) {
      return settled(e);
    }
    IntakeEvent.Finished e = (IntakeEvent.Finished) event;
    return new IntakeData(
        id,
        Stage.DONE,
        definition,
        builder,
        null,
        null,
        acceptedAt,
        0,
        asked,
        0,
        null,
        null,
        instance,
        first,
        last,
        settled,
        outcome,
        e.error() == null ? error : e.error(),
        settledAt,
        e.at(),
        links,
        digest);
  }

  private IntakeData settled(IntakeEvent.Settled e) {
    return new IntakeData(
        id,
        e.chains() ? Stage.NEXT : Stage.DONE,
        definition,
        builder,
        e.chains() ? message : null,
        null,
        acceptedAt,
        0,
        asked,
        0,
        null,
        null,
        instance,
        first,
        e.outcome(),
        e.state(),
        e.outcome(),
        e.error(),
        e.at(),
        e.chains() ? null : e.at(),
        links,
        digest);
  }

  private IntakeData with(
      Stage itsStage,
      int itsAttempts,
      int itsAsked,
      int itsSpared,
      @Nullable Instant itsDueAt,
      @Nullable IntakeStart itsNext,
      @Nullable String itsInstance,
      @Nullable InstanceState itsLast,
      @Nullable String itsError) {
    boolean starts = itsStage == Stage.RUN;
    return new IntakeData(
        id,
        itsStage,
        definition,
        builder,
        message,
        receipt,
        acceptedAt,
        itsAttempts,
        itsAsked,
        itsSpared,
        itsDueAt,
        itsNext,
        itsInstance,
        first == null ? itsInstance : first,
        itsLast,
        settled,
        outcome,
        itsError,
        settledAt,
        finishedAt,
        links + (starts ? 1 : 0),
        digest);
  }
}
