package io.callboard.testkit.internal.world;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Effects of one turn of a durable actor, until it is committed. */
final class WorldTurn {
  /** Message in a mailbox, perhaps of a timer, and perhaps only in memory. */
  record Mail(
      Object message, boolean stored, @Nullable Timer timer, @Nullable WorldAnswer answer) {}

  /** Timer with the message that it sends. */
  record Timer(String key, Object message, long dueNs) {}

  /** Message that it handles. */
  final Mail mail;

  /** Messages to durable actors. */
  final List<Runnable> sends = new ArrayList<>();

  /** Effects that follow when it is durable, unless the object ends before. */
  final List<Runnable> effects = new ArrayList<>();

  /** Changes of durable timers. */
  final List<Runnable> timers = new ArrayList<>();

  /** Events, in their order. */
  final List<Object> persisted = new ArrayList<>();

  /** State after it; null for none. */
  @Nullable Object next;

  /** Whether its message is left to a later object. */
  boolean stashes;

  /** Whether nothing is left of the actor. */
  boolean deletes;

  WorldTurn(Mail mail, @Nullable Object state) {
    this.mail = mail;
    this.next = state;
  }
}
