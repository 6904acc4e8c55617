package io.callboard.codecs;

import java.util.Optional;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The trace that a message belongs to, as the two headers of <a
 * href="https://www.w3.org/TR/trace-context/">W3C Trace Context</a>. Callboard passes it on as it
 * came: it makes no spans, and changes neither parent nor state. Immutable.
 *
 * @param parent the header {@code traceparent}, 55 characters of version 00
 * @param state the header {@code tracestate}, up to {@value #MOST_STATE} characters; null if there
 *     is none
 */
public record TraceContext(String parent, @Nullable String state) {
  /** Name of the header that says trace, parent span and flags. */
  public static final String TRACEPARENT = "traceparent";

  /** Name of the header for what tracing systems add. */
  public static final String TRACESTATE = "tracestate";

  /** Characters of a {@code tracestate} at most; a longer one is left out. */
  public static final int MOST_STATE = 512;

  private static final int PARENT_CHARS = 55;

  private static final Pattern PARENT =
      Pattern.compile("(?!ff)[0-9a-f]{2}-(?!0{32})[0-9a-f]{32}-(?!0{16})[0-9a-f]{16}-[0-9a-f]{2}");

  /** A list of {@code key=value}; what keys may be is left to those who made them. */
  private static final Pattern STATE =
      Pattern.compile(
          "[!-+\\--<>-~]+=[ -+\\--<>-~]+(?:[ \\t]*,[ \\t]*(?:[!-+\\--<>-~]+=[ -+\\--<>-~]+)?)*");

  /**
   * Creates a context.
   *
   * @throws IllegalArgumentException if one of them cannot be: what came from outside is {@link
   *     #read}
   */
  public TraceContext {
    if (parent.length() != PARENT_CHARS || !parent.startsWith("00-") || !isParent(parent)) {
      throw new IllegalArgumentException(
          "\"%.80s\" is not a traceparent: use 00-<32 hex digits>-<16 hex digits>-<2 hex digits>"
              .formatted(parent));
    }
    if (state != null && !isState(state)) {
      throw new IllegalArgumentException(
          "\"%.80s\" is not a tracestate: use 1 to %d characters, key=value, separated by commas"
              .formatted(state, MOST_STATE));
    }
  }

  /**
   * Returns the trace context that two headers of a message or request hold. As the standard says,
   * a {@code traceparent} that is missing or malformed makes both void, one of a later version is
   * read as far as version 00 goes, and a {@code tracestate} that is malformed or too long is left
   * out alone.
   */
  public static Optional<TraceContext> read(
      @Nullable String traceparent, @Nullable String tracestate) {
    if (traceparent == null || traceparent.length() < PARENT_CHARS) {
      return Optional.empty();
    }
    boolean exact = traceparent.length() == PARENT_CHARS;
    String known = exact ? traceparent : traceparent.substring(0, PARENT_CHARS);
    boolean later = !traceparent.startsWith("00");
    if (!isParent(known) || (!exact && !(later && traceparent.charAt(PARENT_CHARS) == '-'))) {
      return Optional.empty();
    }
    String state = tracestate == null || !isState(tracestate) ? null : tracestate;
    return Optional.of(new TraceContext(later ? "00" + known.substring(2) : known, state));
  }

  private static boolean isParent(String text) {
    return PARENT.matcher(text).matches();
  }

  private static boolean isState(String text) {
    return !text.isEmpty() && text.length() <= MOST_STATE && STATE.matcher(text).matches();
  }

  /** Returns the 32 hexadecimal digits of the trace id, for logs. */
  public String traceId() {
    return parent.substring(3, 35);
  }

  /** Returns the bytes that the context adds to a stored message, approximately. */
  int size() {
    return PARENT_CHARS + 16 + (state == null ? 0 : state.length());
  }
}
