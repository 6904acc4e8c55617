package io.callboard.dashboard.internal.contract;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * Error as reported over HTTP: {@code application/problem+json} of RFC 9457.
 *
 * @param kind kind of error
 * @param detail one sentence for people
 * @param errors faults of the request; empty if it is not at fault
 * @param state current state, where it conflicts with the request; else null
 */
public record Problem(Kind kind, String detail, List<Fault> errors, @Nullable String state) {
  /** Media type of the response. */
  public static final String MEDIA_TYPE = "application/problem+json";

  /** Kind of error; its name is the {@code code} that programs compare. */
  public enum Kind {
    /** Request that cannot be read. */
    MALFORMED(400, "Malformed request"),
    /**
     * Request of a caller who has not logged in, or whose credentials are wrong or have expired.
     */
    UNAUTHENTICATED(401, "Login required"),
    /** Request that is not allowed for the page, host name or role that sends it. */
    FORBIDDEN(403, "Forbidden"),
    /** Write to a node that is set to take none. */
    READ_ONLY(403, "Read-only"),
    /** Object that does not exist. */
    NOT_FOUND(404, "Not found"),
    /** Object that exists, but not for this method. */
    METHOD_NOT_ALLOWED(405, "Method not allowed"),
    /** Object in a state that does not allow the request. */
    ILLEGAL_STATE(409, "Illegal state"),
    /** Object that the toolkit needs, so that it cannot be stopped. */
    NEEDED(409, "Needed by the toolkit"),
    /** Object whose stored data cannot be read: an operator must look at what the detail names. */
    CORRUPT(409, "Damaged in the store"),
    /** Object that has changed from what the request's If-Match says. */
    PRECONDITION_FAILED(412, "Precondition failed"),
    /** Body that exceeds its limit. */
    TOO_LARGE(413, "Body too large"),
    /** Body that is not JSON. */
    UNSUPPORTED_MEDIA_TYPE(415, "Unsupported media type"),
    /** Range that contains nothing. */
    RANGE_NOT_SATISFIABLE(416, "Range not satisfiable"),
    /** Body that can be read, but asks for something impossible. */
    INVALID(422, "Invalid request"),
    /** The actor writes no events from which its state could be rebuilt. */
    NO_EVENTS(422, "No events"),
    /** Too much at once: try later. */
    OVERLOADED(429, "Overloaded"),
    /** Bug: the reference in the detail is also in the node's log. */
    INTERNAL(500, "Internal error"),
    /** Node that cannot answer for the cell now: try again later; the outcome may be unknown. */
    UNAVAILABLE(503, "Unavailable");

    private final int status;
    private final String title;

    Kind(int status, String title) {
      this.status = status;
      this.title = title;
    }

    /** Returns the HTTP status. */
    public int status() {
      return status;
    }

    /** Returns the number of seconds after which a retry makes sense; 0 if none does. */
    public int retryAfterSeconds() {
      return switch (this) {
        case OVERLOADED -> 5;
        case UNAVAILABLE -> 2;
        default -> 0;
      };
    }
  }

  /** Copies the list. */
  public Problem {
    errors = List.copyOf(errors);
  }

  /** Creates a problem that is not due to a fault of the request. */
  public static Problem of(Kind kind, String detail) {
    return new Problem(kind, detail, List.of(), null);
  }

  /** Creates a problem for several faults of one request; the detail is the first of them. */
  public static Problem of(Kind kind, List<Fault> faults) {
    Fault first = faults.get(0);
    String more = faults.size() == 1 ? "" : " (and %d more)".formatted(faults.size() - 1);
    return new Problem(kind, first.sentence() + more, faults, null);
  }

  /** Returns the body of the response. */
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
    for (Fault fault : errors) {
      ObjectNode error =
          list.addObject().put("pointer", fault.pointer()).put("detail", fault.detail());
      if (fault.code() != null) {
        error.put("code", fault.code());
      }
    }
    return json;
  }
}
