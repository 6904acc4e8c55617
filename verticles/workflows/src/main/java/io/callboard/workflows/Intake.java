package io.callboard.workflows;

import com.fasterxml.jackson.databind.JsonNode;
import io.callboard.ActorRef;
import io.callboard.workflows.model.MessageReceipt;
import org.jspecify.annotations.Nullable;

/**
 * Message that becomes an instance.
 *
 * @param id id of the message: a repeated one is the same message, until 24 hours after nothing is
 *     left to do for it
 * @param definition name of the definition whose current version starts with the message as input;
 *     null if a builder decides
 * @param builder name of the {@link WorkflowBuilder}; null if a definition is given
 * @param message content, of up to 256 KiB as JSON
 * @param receipt durable actor to which the settlement is told, exactly once; null for none
 * @param digest digest of what the sender has sent: under the same id another one is refused with
 *     {@code INVALID}, as it is another message; null if that is not to be compared
 */
public record Intake(
    String id,
    @Nullable String definition,
    @Nullable String builder,
    JsonNode message,
    @Nullable ActorRef<MessageReceipt> receipt,
    @Nullable String digest) {
  /** Creates a message whose content is not compared. */
  public Intake(
      String id,
      @Nullable String definition,
      @Nullable String builder,
      JsonNode message,
      @Nullable ActorRef<MessageReceipt> receipt) {
    this(id, definition, builder, message, receipt, null);
  }

  /** Creates a message that is the input of an instance. */
  public static Intake of(String id, String definition, JsonNode message) {
    return new Intake(id, definition, null, message, null);
  }

  /** Creates a message for a builder. */
  public static Intake built(String id, String builder, JsonNode message) {
    return new Intake(id, null, builder, message, null);
  }

  /** Returns the same with a durable actor to which the settlement is told. */
  public Intake receipt(ActorRef<MessageReceipt> to) {
    return new Intake(id, definition, builder, message, to, digest);
  }

  /** Returns the same with a digest of what the sender has sent. */
  public Intake digest(String of) {
    return new Intake(id, definition, builder, message, receipt, of);
  }
}
