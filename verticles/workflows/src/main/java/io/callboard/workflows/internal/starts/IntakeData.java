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

  /** Components of the state that events change. */
  private final class Parts {
    private @Nullable String id = IntakeData.this.id;
    private Stage stage = IntakeData.this.stage;
    private @Nullable String definition = IntakeData.this.definition;
    private @Nullable String builder = IntakeData.this.builder;
    private @Nullable JsonNode message = IntakeData.this.message;
    private @Nullable String receipt = IntakeData.this.receipt;
    private @Nullable Instant acceptedAt = IntakeData.this.acceptedAt;
    private int attempts;
    private int asked = IntakeData.this.asked;
    private int spared;
    private @Nullable Instant dueAt;
    private @Nullable IntakeStart next;
    private @Nullable String instance = IntakeData.this.instance;
    private @Nullable InstanceState last = IntakeData.this.last;
    private MessageReceipt.@Nullable State settled = IntakeData.this.settled;
    private @Nullable InstanceState outcome = IntakeData.this.outcome;
    private @Nullable String error;
    private @Nullable Instant settledAt = IntakeData.this.settledAt;
    private @Nullable Instant finishedAt = IntakeData.this.finishedAt;
    private int links = IntakeData.this.links;
    private @Nullable String digest = IntakeData.this.digest;
  }

  /** Returns the state after an event. */
  public IntakeData after(IntakeEvent event) {
    Parts its = new Parts();
    if (event instanceof IntakeEvent.Accepted e) {
      its.id = e.id();
      its.stage = Stage.BUILD;
      its.definition = e.definition();
      its.builder = e.builder();
      its.message = e.message();
      its.receipt = e.receipt();
      its.acceptedAt = e.at();
      its.digest = e.digest();
    } else if (event instanceof IntakeEvent.BuildFailed e) {
      boolean isSpared = Boolean.TRUE.equals(e.spared());
      its.attempts = attempts + (isSpared ? 0 : 1);
      its.asked++;
      its.spared = timesSpared() + (isSpared ? 1 : 0);
      its.dueAt = e.dueAt();
      its.error = e.error();
    } else if (event instanceof IntakeEvent.Delayed e) {
      its.stage = Stage.DELAY;
      its.dueAt = e.dueAt();
      its.next = e.start();
    } else if (event instanceof IntakeEvent.Started e) {
      its.stage = Stage.RUN;
      its.instance = e.instance();
      its.links++;
    } else if (event instanceof IntakeEvent.LinkEnded e) {
      its.stage = Stage.NEXT;
      its.last = e.outcome();
    } else if (event instanceof IntakeEvent.Settled e) {
      its.stage = e.chains() ? Stage.NEXT : Stage.DONE;
      its.message = e.chains() ? message : null;
      its.receipt = null;
      its.last = e.outcome();
      its.settled = e.state();
      its.outcome = e.outcome();
      its.error = e.error();
      its.settledAt = e.at();
      its.finishedAt = e.chains() ? null : e.at();
    } else if (event instanceof IntakeEvent.Finished e) {
      its.stage = Stage.DONE;
      its.message = null;
      its.receipt = null;
      its.error = e.error() == null ? error : e.error();
      its.finishedAt = e.at();
    }
    return new IntakeData(
        its.id,
        its.stage,
        its.definition,
        its.builder,
        its.message,
        its.receipt,
        its.acceptedAt,
        its.attempts,
        its.asked,
        its.spared,
        its.dueAt,
        its.next,
        its.instance,
        first == null ? its.instance : first,
        its.last,
        its.settled,
        its.outcome,
        its.error,
        its.settledAt,
        its.finishedAt,
        its.links,
        its.digest);
  }
}
