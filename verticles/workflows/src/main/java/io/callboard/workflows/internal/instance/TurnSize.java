package io.callboard.workflows.internal.instance;

import io.callboard.codecs.Json;
import io.callboard.store.Limits;
import io.callboard.time.Machine;
import io.callboard.workflows.internal.protocol.InstanceEvent;
import org.jspecify.annotations.Nullable;

/**
 * Size of what a turn of an instance has emitted so far. A turn that is full leaves the rest to
 * another one: a commit takes 900 KiB of events and messages, and 64 MiB of large messages. The
 * limits are below that by what a turn adds when it is full: one event, one message, its report.
 */
@Machine
final class TurnSize {
  /** Maximum size of events and messages. */
  static final int MOST_BYTES = 512 << 10;

  /** Maximum size of large messages: inputs of sub-workflows. */
  static final int MOST_LARGE = 32 << 20;

  /** An event without texts and data, or a message besides its input; never more than this. */
  private static final int OWN = 400;

  /** Bytes of a character, escaped. */
  private static final int CHARACTER = 6;

  private int events;
  private long bytes;
  private long large;

  /** Returns whether the turn is to emit nothing more. */
  boolean isFull() {
    return events >= InstanceMachine.MOST_EVENTS || bytes >= MOST_BYTES || large >= MOST_LARGE;
  }

  /** Adds an event. */
  void event(InstanceEvent event) {
    events++;
    bytes += OWN + more(event);
  }

  /** Adds a message to an instance, with an input of so many bytes. */
  void message(int input) {
    bytes += OWN;
    if (input + OWN > Limits.INLINE_BYTES) {
      large += input;
    } else {
      bytes += input;
    }
  }

  private static long more(InstanceEvent event) {
    if (event instanceof InstanceEvent.Created e) {
      return Json.uncheckedBytes(e.spec()).length;
    } else if (event instanceof InstanceEvent.StepEnded e) {
      return e.bytes() + text(e.error());
    } else if (event instanceof InstanceEvent.StepRetries e) {
      return text(e.error());
    } else if (event instanceof InstanceEvent.StepLost e) {
      return text(e.cause());
    } else if (event instanceof InstanceEvent.StepSkipped e) {
      return text(e.reason());
    } else if (event instanceof InstanceEvent.UndoBegan e) {
      return text(e.reason());
    } else if (event instanceof InstanceEvent.Ended e) {
      return text(e.reason());
    } else if (event instanceof InstanceEvent.Reopened e) {
      return e.steps().stream().mapToLong(TurnSize::text).sum() + text(e.places());
    }
    return 0;
  }

  private static long text(@Nullable String text) {
    return text == null ? 0 : (long) CHARACTER * text.length();
  }
}
