package io.callboard.codecs;

import java.util.Collection;

/** Something stored or received cannot be read; the message says what, where and what would be. */
public final class CodecException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private CodecException(String message, Throwable cause) {
    super(message, cause);
  }

  private CodecException(String message) {
    super(message);
  }

  static CodecException unknownType(String type, String protocol, Collection<String> known) {
    return new CodecException(
        "protocol %s has no message \"%s\"; it knows %s".formatted(protocol, type, known));
  }

  static CodecException newerVersion(String what, int version, int known) {
    return new CodecException(
        "%s has version %d, this node reads up to %d: it was written by a newer node"
            .formatted(what, version, known));
  }

  static CodecException malformed(String what, Throwable cause) {
    return new CodecException(
        "%s cannot be read: %s".formatted(what, firstLine(cause.getMessage())), cause);
  }

  static CodecException malformed(String what, String why) {
    return new CodecException("%s cannot be read: %s".formatted(what, why));
  }

  static CodecException unwritable(String what, Throwable cause) {
    return new CodecException(
        "%s cannot be written as JSON: %s".formatted(what, firstLine(cause.getMessage())), cause);
  }

  private static String firstLine(@org.jspecify.annotations.Nullable String text) {
    return text == null ? "no reason given" : text.lines().findFirst().orElse("");
  }
}
