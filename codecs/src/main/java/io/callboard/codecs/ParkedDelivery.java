package io.callboard.codecs;

import com.fasterxml.jackson.databind.JsonNode;

/**
 * A delivery that was given up, as a message to the actor that made it: so it is among its parked
 * messages, and a replay brings it into its mailbox, from where it is delivered again.
 *
 * <pre>
 * {"number":7,"to":"/courier","type":"deliver","version":1,"body":{}}
 * </pre>
 *
 * @param number of the delivery, which its message may hold
 * @param message as its receiver is to get it
 */
public record ParkedDelivery(long number, ActorPath to, Envelope message) {
  /** Logical name of the message; no protocol can have a type of this name. */
  public static final String TYPE = "callboard..delivery";

  private record Stored(long number, String to, String type, int version, JsonNode body) {}

  /** Returns whether a message in an actor's mailbox is a parked delivery. */
  public static boolean is(Envelope envelope) {
    return envelope.type().name().equals(TYPE);
  }

  /** Returns the message that is parked. */
  public Envelope envelope() {
    JsonNode body = Json.parse("the body of a delivery", message.body());
    MessageType type = message.type();
    Stored stored = new Stored(number, to.toString(), type.name(), type.version(), body);
    return new Envelope(message.id(), new MessageType(TYPE, 1), Json.uncheckedBytes(stored), null)
        .with(message.trace());
  }

  /**
   * Reads the delivery of a message.
   *
   * @param replyTo where the receiver answers
   * @throws CodecException if it is none, as an edited one may be
   */
  public static ParkedDelivery read(Envelope envelope, String replyTo) {
    String what = "the parked delivery " + envelope.id();
    Stored stored = Json.read(what, envelope.body(), Stored.class);
    if (stored.number() < 1) {
      throw CodecException.malformed(what, "its number is " + stored.number());
    }
    MessageType type = MessageType.read(what, stored.type(), stored.version());
    Envelope message =
        new Envelope(envelope.id(), type, Json.bytes(stored.body()), replyTo)
            .with(envelope.trace());
    return new ParkedDelivery(stored.number(), OutboxEntry.receiver(what, stored.to()), message);
  }
}
