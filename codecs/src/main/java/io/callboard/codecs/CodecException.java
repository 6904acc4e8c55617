package io.callboard.codecs;

import com.fasterxml.jackson.core.JsonProcessingException;
import java.util.Collection;
import org.jspecify.annotations.Nullable;

/** Something stored or received cannot be read; the message says what, where and what would be. */
public final class CodecException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  /** Characters of what others wrote that a message repeats: it is stored and logged. */
  private static final int QUOTED = 500;

  private final Reason reason;

  /** What is wrong with it. */
  public enum Reason {
    /** No version of this software can read it. */
    MALFORMED,
    /** Its type is not of the protocol, here. */
    UNKNOWN_TYPE,
    /** A newer version of this software wrote it, and can read it. */
    NEWER,
    /** It has no JSON. */
    UNWRITABLE
  }

  private CodecException(Reason reason, String message, @Nullable Throwable cause) {
    super(message, cause);
    this.reason = reason;
  }

  public Reason reason() {
    return reason;
  }

  static CodecException unknownType(
      String kind, String type, String protocol, Collection<String> known) {
    return new CodecException(
        Reason.UNKNOWN_TYPE,
        "protocol %s has no %s \"%s\"; it knows %s".formatted(protocol, kind, some(type), known),
        null);
  }

  static CodecException newerVersion(String what, int version, int known) {
    return new CodecException(
        Reason.NEWER,
        "%s has version %d, this node reads up to %d: it was written by a newer node"
            .formatted(what, version, known),
        null);
  }

  static CodecException malformed(String what, Throwable cause) {
    String why =
        cause instanceof JsonProcessingException e
            ? JsonFault.why(e)
            : firstLine(cause.getMessage());
    return malformed(what, why, cause);
  }

  static CodecException malformed(String what, String why) {
    return malformed(what, why, null);
  }

  static CodecException malformed(String what, String why, @Nullable Throwable cause) {
    return new CodecException(
        Reason.MALFORMED, "%s cannot be read: %s".formatted(what, some(why)), cause);
  }

  static CodecException unwritable(String what, Throwable cause) {
    return new CodecException(
        Reason.UNWRITABLE,
        "%s cannot be written as JSON: %s".formatted(what, some(firstLine(cause.getMessage()))),
        cause);
  }

  private static String firstLine(@Nullable String text) {
    return text == null ? "no reason given" : text.lines().findFirst().orElse("");
  }

  private static String some(String text) {
    return text.length() <= QUOTED ? text : text.substring(0, QUOTED) + "…";
  }
}
