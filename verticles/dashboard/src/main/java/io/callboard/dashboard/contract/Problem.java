package io.callboard.dashboard.contract;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * An error as it is told over HTTP: {@code application/problem+json} of RFC 9457.
 *
 * @param detail one sentence for people
 * @param state the present state, where it is what stands against the request
 */
public record Problem(Kind kind, String detail, List<Fault> errors, @Nullable String state) {
  public static final String MEDIA_TYPE = "application/problem+json";

  /** What kind of error it is; the name is the {@code code} that programs compare. */
  public enum Kind {
    /** The request cannot be read. */
    MALFORMED(400, "Malformed request"),
    /** It comes from a page or under a host name that may not ask. */
    FORBIDDEN(403, "Forbidden"),
    /** There is no such thing. */
    NOT_FOUND(404, "Not found"),
    /** The thing is there, but not for this method. */
    METHOD_NOT_ALLOWED(405, "Method not allowed"),
    /** The thing is in a state that does not allow it. */
    ILLEGAL_STATE(409, "Illegal state"),
    /** The toolkit needs the thing: it cannot be stopped. */
    NEEDED(409, "Needed by the toolkit"),
    /**
     * What is stored of the thing cannot be read: an operator must look at what the detail names.
     */
    CORRUPT(409, "Damaged in the store"),
    /** The body is over its limit. */
    TOO_LARGE(413, "Body too large"),
    /** The body is not JSON. */
    UNSUPPORTED_MEDIA_TYPE(415, "Unsupported media type"),
    /** There is nothing in the range that is asked for. */
    RANGE_NOT_SATISFIABLE(416, "Range not satisfiable"),
    /** The body can be read, but it asks for what cannot be. */
    INVALID(422, "Invalid request"),
    /** The actor writes no events from which its state could be rebuilt. */
    NO_EVENTS(422, "No events"),
    /** Too much at once: try later. */
    OVERLOADED(429, "Overloaded"),
    /** A bug: the reference in the detail is also in the node's log. */
    INTERNAL(500, "Internal error"),
    /** The node cannot answer for the cell now: try later, the outcome may be unknown. */
    UNAVAILABLE(503, "Unavailable");

    private final int status;
    private final String title;

    Kind(int status, String title) {
      this.status = status;
      this.title = title;
    }

    public int status() {
      return status;
    }

    /** After how many seconds it makes sense to try again; 0 if it makes none. */
    public int retryAfterSeconds() {
      return switch (this) {
        case OVERLOADED -> 5;
        case UNAVAILABLE -> 2;
        default -> 0;
      };
    }
  }

  public Problem {
    errors = List.copyOf(errors);
  }

  public static Problem of(Kind kind, String detail) {
    return new Problem(kind, detail, List.of(), null);
  }

  /** Several faults of one request; the detail is the first of them. */
  public static Problem of(Kind kind, List<Fault> faults) {
    Fault first = faults.get(0);
    String more = faults.size() == 1 ? "" : " (and %d more)".formatted(faults.size() - 1);
    return new Problem(kind, first.sentence() + more, faults, null);
  }

  /** The body of the response. */
  public ObjectNode json(String instance) {
    ObjectNode json =
        JsonNodeFactory.instance
            .objectNode()
            .put("type", "urn:callboard:problem:" + kind.name().toLowerCase(Locale.ROOT))
            .put("title", kind.title)
            .put("status", kind.status)
            .put("detail", detail)
            .put("instance", instance)
            .put("code", kind.name());
    if (state != null) {
      json.put("state", state);
    }
    ArrayNode list = json.putArray("errors");
    errors.forEach(
        fault -> list.addObject().put("pointer", fault.pointer()).put("detail", fault.detail()));
    return json;
  }
}
