package io.callboard.internal.parked;

import com.fasterxml.jackson.databind.JsonNode;
import io.callboard.CallboardException;
import io.callboard.CallboardException.Code;
import io.callboard.admin.ParkedFilter;
import io.callboard.codecs.BlobRef;
import io.callboard.codecs.CodecException;
import io.callboard.codecs.Envelope;
import io.callboard.codecs.Handling;
import io.callboard.codecs.Json;
import io.callboard.codecs.Segment;
import io.callboard.internal.unit.CommitUnitBuilder;
import io.callboard.store.BlobKey;
import io.callboard.store.Limits;
import io.callboard.store.StoredParked;
import io.callboard.supervision.Causes;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Decoded form of what {@link CommitUnitBuilder#park} stored. */
public final class ParkedContent {
  private final StoredParked stored;
  private final CommitUnitBuilder.Parked parked;

  private ParkedContent(StoredParked stored, CommitUnitBuilder.Parked parked) {
    this.stored = stored;
    this.parked = parked;
  }

  /**
   * Decodes a parked message.
   *
   * @throws CallboardException {@code BAD_MESSAGE}
   */
  public static ParkedContent read(StoredParked stored) {
    CommitUnitBuilder.Parked parked;
    try {
      parked = Json.read("it", stored.bytes(), CommitUnitBuilder.Parked.class);
    } catch (CodecException e) {
      throw unreadable(stored, Causes.message(e));
    }
    if (parked.f() < 1 || parked.f() > CommitUnitBuilder.Parked.FORMAT) {
      throw unreadable(
          stored, "it has format %d, which this version cannot read".formatted(parked.f()));
    }
    return new ParkedContent(stored, parked);
  }

  private static CallboardException unreadable(StoredParked stored, String why) {
    return new CallboardException(
        Code.BAD_MESSAGE, "%s can be discarded but not replayed: %s".formatted(stored.key(), why));
  }

  /**
   * Returns the message as it was sent; a large one names its blob.
   *
   * @param body replaces its own body; null to keep that
   * @throws CallboardException {@code BAD_MESSAGE} or {@code PAYLOAD_TOO_LARGE}
   * @throws CodecException if {@code body} could not be read back
   */
  public Envelope message(@Nullable JsonNode body) {
    JsonNode envelope = parked.envelope();
    if (envelope == null || envelope.isNull()) {
      throw unreadable(stored, "the message that was sent could not be read: " + parked.cause());
    }
    Envelope message;
    try {
      message = Segment.decode("it", envelope);
    } catch (CodecException e) {
      throw unreadable(stored, Causes.message(e));
    }
    // a replay is late, and its timer has ended
    message = message.with(new Handling(message.handling().lane(), 0, 0));
    if (body == null) {
      return message;
    }
    byte[] bytes = Json.bytes("the body", body);
    if (bytes.length > Limits.MESSAGE_BYTES) {
      throw CallboardException.tooLarge("the body", bytes.length, Limits.MESSAGE_BYTES);
    }
    return new Envelope(message.id(), message.type(), bytes, message.replyTo())
        .with(message.handling())
        .with(message.trace());
  }

  /** Returns the key of the message's body, if that is in the blob log. */
  Optional<BlobKey> blob() {
    JsonNode blob = parked.envelope() == null ? null : parked.envelope().get("blob");
    try {
      return Optional.ofNullable(blob)
          .map(named -> Json.convert("it", named, BlobRef.class))
          .map(named -> new BlobKey(stored.actor(), named));
    } catch (CodecException e) {
      throw unreadable(stored, Causes.message(e));
    }
  }

  /** Returns the failure of a message whose blob is gone or damaged. */
  CallboardException bodyless(BlobKey blob) {
    return unreadable(stored, "%s is missing or damaged; replay it with a body".formatted(blob));
  }

  /**
   * Returns whether type and cause match the filter; those of an unreadable message are unknown.
   */
  public static boolean matches(ParkedFilter filter, StoredParked stored) {
    ParkedContent content;
    try {
      content = read(stored);
    } catch (CallboardException e) {
      return false;
    }
    JsonNode envelope = content.parked.envelope();
    String type = envelope == null ? "" : envelope.path("t").asText("");
    String cause = content.parked.cause();
    return filter.type().map(type::equals).orElse(true)
        && filter.cause().map(cause::contains).orElse(true);
  }
}
