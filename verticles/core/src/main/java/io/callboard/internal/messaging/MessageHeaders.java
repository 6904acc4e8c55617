package io.callboard.internal.messaging;

import io.callboard.Priority;
import io.callboard.TellOptions;
import io.callboard.codecs.Handling;
import io.callboard.codecs.TraceContext;
import io.callboard.internal.mailbox.Delivery;
import io.callboard.time.Time;
import java.time.Duration;
import java.util.Locale;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Headers of a message to another node, encoded into its sender field: reply address, priority,
 * time to live, trace. Format: {@code
 * <sender>[;to=<address>][;p=high][;ms=250][;tp=<traceparent>][;ts=<tracestate>]}; the last header
 * extends to the end, whatever it contains. A node that does not know headers takes the whole text
 * for the sender's name.
 *
 * @param from the sender, for the log; of an attempt of a delivery, {@code <path>~<id>}
 * @param replyTo the address of the answer; null if none is wanted
 * @param within time to live from now on; null if unlimited
 * @param trace the trace of the message; null if it is not traced
 */
public record MessageHeaders(
    String from,
    @Nullable String replyTo,
    Priority priority,
    @Nullable Duration within,
    @Nullable TraceContext trace) {
  private static final String REPLY_TO = "to=";
  private static final String PRIORITY = "p=";
  private static final String WITHIN = "ms=";
  private static final String TRACE_PARENT = "tp=";
  private static final String TRACE_STATE = ";ts=";
  private static final int MOST_DIGITS = 15;
  private static final Pattern ATTEMPT = Pattern.compile("/[^~]+~\\d+");

  /** Encodes the headers of a message that has no more than a trace. */
  static String text(String from, @Nullable TraceContext trace) {
    return trace == null
        ? from
        : new MessageHeaders(from, null, Priority.NORMAL, null, trace).text();
  }

  /** Returns the delivery of which the message is an attempt; null if it is none. */
  @Nullable String attemptOf() {
    return ATTEMPT.matcher(from).matches() ? from : null;
  }

  String text() {
    StringBuilder text = new StringBuilder(from);
    if (replyTo != null) {
      text.append(';').append(REPLY_TO).append(replyTo);
    }
    if (priority != Priority.NORMAL) {
      text.append(';').append(PRIORITY).append(priority.name().toLowerCase(Locale.ROOT));
    }
    if (within != null) {
      text.append(';').append(WITHIN).append(Math.max(1, within.toMillis()));
    }
    if (trace != null) {
      text.append(';').append(TRACE_PARENT).append(trace.parent());
      if (trace.state() != null) {
        text.append(TRACE_STATE).append(trace.state());
      }
    }
    return text.toString();
  }

  /** Decodes {@code text}; ignores unknown headers. */
  static MessageHeaders read(String text) {
    int end = text.indexOf(';');
    if (end < 0) {
      return new MessageHeaders(text, null, Priority.NORMAL, null, null);
    }
    String replyTo = null;
    Priority priority = Priority.NORMAL;
    Duration within = null;
    String parent = null;
    int state = text.indexOf(TRACE_STATE, end);
    String parts =
        state < 0 ? text.substring(end + 1) : text.substring(end + 1, Math.max(end + 1, state));
    for (String part : parts.split(";", -1)) {
      if (part.startsWith(REPLY_TO)) {
        replyTo = part.substring(REPLY_TO.length());
      } else if (part.startsWith(PRIORITY)) {
        priority = priority(part.substring(PRIORITY.length()));
      } else if (part.startsWith(WITHIN)) {
        within = millis(part.substring(WITHIN.length()));
      } else if (part.startsWith(TRACE_PARENT)) {
        parent = part.substring(TRACE_PARENT.length());
      }
    }
    String last = state < 0 ? null : text.substring(state + TRACE_STATE.length());
    TraceContext trace = parent == null ? null : TraceContext.read(parent, last).orElse(null);
    return new MessageHeaders(text.substring(0, end), replyTo, priority, within, trace);
  }

  private static Priority priority(String name) {
    for (Priority each : Priority.values()) {
      if (each.name().toLowerCase(Locale.ROOT).equals(name)) {
        return each;
      }
    }
    return Priority.NORMAL;
  }

  private static @Nullable Duration millis(String digits) {
    return digits.matches("\\d{1," + MOST_DIGITS + "}")
        ? Time.atMostLongest(Duration.ofMillis(Long.parseLong(digits)))
        : null;
  }

  /** Returns the deadline in milliseconds since the epoch, if it is {@code nowMs} now. */
  static long deadlineMs(Duration within, long nowMs) {
    return nowMs + Math.max(1, within.toMillis());
  }

  /** Returns the deadline on the monotonic clock that shows {@code nowNanos}. */
  long deadlineNanos(long nowNanos) {
    return deadlineNanos(within, nowNanos);
  }

  static long deadlineNanos(@Nullable Duration within, long nowNanos) {
    return within == null ? Delivery.NEVER : nowNanos + within.toNanos();
  }

  /** Returns the reply address of a message to a durable actor; null if no answer is wanted. */
  public static @Nullable String replyAddress(TellOptions options) {
    return options.replyTo() == null ? null : options.replyTo().address();
  }

  /** Encodes priority and time to live for a durable mailbox. */
  public static Handling handling(TellOptions options, long nowMs) {
    Duration within = options.within();
    if (within == null && options.priority() == Priority.NORMAL) {
      return Handling.PLAIN;
    }
    int lane = Priority.NORMAL.ordinal() - options.priority().ordinal();
    return new Handling(lane, within == null ? 0 : deadlineMs(within, nowMs), 0);
  }
}
