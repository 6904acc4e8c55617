package io.callboard.internal.messaging;

import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.databind.JsonNode;
import io.callboard.codecs.ActorPath;
import io.callboard.codecs.CodecException;
import io.callboard.codecs.Json;
import io.callboard.supervision.Causes;
import io.callboard.supervision.Failure;
import io.callboard.supervision.Failure.Kind;
import java.time.Instant;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * End of a volatile actor, and the answer to a watch from another node. Earlier nodes of version 1
 * answer without a failure, and read no more than {@code cause}.
 *
 * @param reason for people
 * @param failure the failure that ended it; null if it was stopped
 */
public record Termination(@JsonProperty("cause") String reason, @Nullable Failure failure) {
  private static final Logger log = LoggerFactory.getLogger(Termination.class);

  /** Node of a failure whose node is not known. */
  private static final String UNKNOWN = "unknown";

  /** Decodes the answer of another node, of any version. */
  static Termination read(ActorPath actor, JsonNode answer, Instant now) {
    String reason = answer.path("cause").asText();
    JsonNode failure = answer.path("failure");
    if (failure.isMissingNode() || failure.isNull()) {
      return new Termination(reason, null);
    }
    try {
      Failure read = Json.convert("the failure that ended " + actor, failure, Failure.class);
      return new Termination(reason, read);
    } catch (CodecException e) {
      log.warn(
          "{} ended by a failure that a newer node reported in a form that this node cannot read",
          actor,
          Causes.readable(e));
      return new Termination(reason, failure(now, Kind.THROWN, reason));
    }
  }

  /**
   * Returns the termination of an actor whose node took the watch and is gone without having
   * reported an end.
   */
  static Termination nodeLost(String reason, Instant now) {
    String cause = "its node failed without having reported an end: " + reason;
    return new Termination(reason, failure(now, Kind.NODE_LOST, cause));
  }

  private static Failure failure(Instant now, Kind kind, String cause) {
    return new Failure(now, kind, cause, null, UNKNOWN, 0, 1, null, null);
  }
}
