package io.callboard.codecs;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonMappingException;
import com.fasterxml.jackson.databind.JsonMappingException.Reference;
import com.fasterxml.jackson.databind.exc.InvalidNullException;
import java.util.Collection;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Something stored or received cannot be read; the message says what, where and what would be. */
public final class CodecException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  /** Characters of what others wrote that a message repeats: it is stored and logged. */
  private static final int QUOTED = 500;

  private final Reason reason;

  /** Kind of the fault. */
  public enum Reason {
    /** Input that no version of this software can read. */
    MALFORMED,
    /** A required field is missing or null; the message names type and field. */
    INCOMPLETE,
    /** The type is not of the protocol that it is read as. */
    UNKNOWN_TYPE,
    /** Input that a newer version of this software wrote and can read. */
    NEWER,
    /** A value that has no JSON, or none that could be read back. */
    UNWRITABLE
  }

  private CodecException(Reason reason, String message, @Nullable Throwable cause) {
    super(message, cause);
    this.reason = reason;
  }

  /** Returns the kind of the fault, for callers that treat kinds differently. */
  public Reason reason() {
    return reason;
  }

  /** Returns the JSON pointer of what does not fit; empty if that is the whole, or unknown. */
  public String pointer() {
    StringBuilder pointer = new StringBuilder();
    if (getCause() instanceof JsonMappingException misfit) {
      for (Reference step : JsonFault.place(misfit)) {
        String name = step.getFieldName();
        pointer
            .append('/')
            .append(
                name == null
                    ? String.valueOf(step.getIndex())
                    : name.replace("~", "~0").replace("/", "~1"));
      }
    }
    return pointer.toString();
  }

  static CodecException unknownType(
      String kind, String type, String protocol, Collection<String> known) {
    return new CodecException(
        Reason.UNKNOWN_TYPE,
        "protocol %s has no %s \"%s\"; it knows %s".formatted(protocol, kind, some(type), known),
        null);
  }

  /**
   * Returns the failure of an event, read outside of its actor, whose type the protocol does not
   * have.
   *
   * @param what names the event
   */
  public static CodecException unknownEvent(
      String what, String type, String protocol, Collection<String> known) {
    return new CodecException(
        Reason.UNKNOWN_TYPE,
        "%s: protocol %s has no event \"%s\"; it knows %s; if an upcaster of the actor turns it into other events, read it with events(…)"
            .formatted(what, protocol, some(type), known),
        null);
  }

  static CodecException newerVersion(String what, int version, int known) {
    return new CodecException(
        Reason.NEWER,
        "%s has version %d, this node reads up to %d: it was written by a newer node"
            .formatted(what, version, known),
        null);
  }

  /**
   * Returns the failure of a stored name that this version does not know, and would have to.
   *
   * @param what names what has it
   * @param known the names that this version knows
   * @param remedy what operators can do
   */
  public static CodecException newerName(
      String what, String name, Collection<String> known, String remedy) {
    return new CodecException(
        Reason.NEWER,
        "%s is \"%s\", this node knows %s: it was written by a newer node; %s"
            .formatted(what, some(name), known, remedy),
        null);
  }

  /** Returns the failure of JSON that does not fit the class it is read as. */
  static CodecException misfit(String what, Throwable cause) {
    if (!(cause instanceof InvalidNullException missing) || missing.getPath().isEmpty()) {
      return malformed(what, cause);
    }
    List<Reference> path = JsonFault.place(missing);
    Reference last = path.get(path.size() - 1);
    String owner = last.getFrom() instanceof Class<?> type ? type.getSimpleName() : "it";
    return new CodecException(
        Reason.INCOMPLETE,
        "%s cannot be read: \"%s\" of %s must be there, but is missing or null"
            .formatted(what, some(field(path)), owner),
        plain(missing));
  }

  private static String field(List<Reference> path) {
    StringBuilder field = new StringBuilder();
    for (Reference each : path) {
      if (each.getFieldName() == null) {
        field.append('[').append(each.getIndex()).append(']');
      } else {
        field.append(field.isEmpty() ? "" : ".").append(each.getFieldName());
      }
    }
    return field.toString();
  }

  static CodecException malformed(String what, Throwable cause) {
    return cause instanceof JsonProcessingException e
        ? malformed(what, JsonFault.why(e), plain(e))
        : malformed(what, firstLine(cause.getMessage()), cause);
  }

  /** Returns the failure of a text that cannot be read. */
  public static CodecException malformed(String what, String why) {
    return malformed(what, why, null);
  }

  static CodecException malformed(String what, String why, @Nullable Throwable cause) {
    return new CodecException(
        Reason.MALFORMED, "%s cannot be read: %s".formatted(what, some(why)), cause);
  }

  static CodecException unwritable(String what, Throwable cause) {
    Throwable plain = plain(cause);
    return new CodecException(
        Reason.UNWRITABLE,
        "%s cannot be written as JSON: %s".formatted(what, some(firstLine(plain.getMessage()))),
        plain);
  }

  /** Returns the failure of a value that could be written, but is beyond a limit on reading. */
  static CodecException unreadable(String what, String why) {
    return new CodecException(
        Reason.UNWRITABLE, "%s cannot be read back: %s".formatted(what, why), null);
  }

  /** Returns the failure of a value that was written such that Jackson could not read it. */
  static CodecException unreadable(String what, Exception cause) {
    String why =
        cause instanceof JsonProcessingException e
            ? JsonFault.why(e)
            : firstLine(cause.getMessage());
    return new CodecException(
        Reason.UNWRITABLE, "%s cannot be read back: %s".formatted(what, some(why)), plain(cause));
  }

  /** Returns the failure of JSON that could not be read because it is beyond a limit on reading. */
  static CodecException beyond(CodecException limit) {
    return new CodecException(Reason.UNWRITABLE, String.valueOf(limit.getMessage()), limit);
  }

  /** Returns a failure of Jackson, which may have wrapped it, without values and keys. */
  private static Throwable plain(Throwable cause) {
    if (cause instanceof JsonProcessingException e) {
      return JsonFault.withoutValue(e);
    } else if (cause instanceof IllegalArgumentException
        && cause.getCause() instanceof JsonProcessingException e) {
      return JsonFault.withoutValue(e);
    }
    return cause;
  }

  private static String firstLine(@Nullable String text) {
    return text == null ? "no reason given" : text.lines().findFirst().orElse("");
  }

  private static String some(String text) {
    return text.length() <= QUOTED ? text : text.substring(0, QUOTED) + "…";
  }
}
