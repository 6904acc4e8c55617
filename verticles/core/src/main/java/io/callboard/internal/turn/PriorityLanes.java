package io.callboard.internal.turn;

import io.callboard.codecs.Handling;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The mail of one actor in memory: a lane for each priority, each in the order of the mailbox, and
 * what was put aside. Not thread-safe.
 */
final class PriorityLanes {
  private final List<Deque<MailboxMessage>> lanes = new ArrayList<>(Handling.LANES);
  private final Deque<MailboxMessage> aside = new ArrayDeque<>(0);
  private int waiting;
  private long bytes;
  private boolean inOrder;

  PriorityLanes() {
    for (int i = 0; i < Handling.LANES; i++) {
      lanes.add(new ArrayDeque<>(i == 0 ? 16 : 0));
    }
  }

  void clear() {
    lanes.forEach(Deque::clear);
    aside.clear();
    waiting = 0;
    bytes = 0;
    inOrder = false;
  }

  /** Whether what comes first in the mailbox comes first, whatever its priority. */
  void inOrder(boolean now) {
    inOrder = now;
  }

  private Deque<MailboxMessage> lane(MailboxMessage mailboxMessage) {
    return lanes.get(
        mailboxMessage.envelope() == null ? 0 : mailboxMessage.envelope().handling().lane());
  }

  void addLast(MailboxMessage mailboxMessage) {
    lane(mailboxMessage).addLast(mailboxMessage);
    waiting++;
    bytes += mailboxMessage.size();
  }

  /** It was the first and is again, of its lane. */
  void putBack(MailboxMessage mailboxMessage) {
    lane(mailboxMessage).addFirst(mailboxMessage);
    waiting++;
    bytes += mailboxMessage.size();
  }

  /** Null if there is none but what was put aside. */
  @Nullable MailboxMessage first() {
    MailboxMessage first = null;
    for (int i = lanes.size() - 1; i >= 0; i--) {
      MailboxMessage next = lanes.get(i).peekFirst();
      if (next != null && (first == null || (inOrder && next.isBefore(first)))) {
        first = next;
      }
    }
    return first;
  }

  /** There must be one. */
  MailboxMessage removeFirst() {
    MailboxMessage first = first();
    if (first == null) {
      throw new IllegalStateException("no mail is in memory");
    }
    lane(first).removeFirst();
    waiting--;
    bytes -= first.size();
    return first;
  }

  /** One that was removed waits until it is released; nothing of the blob log is held for it. */
  void putAside(MailboxMessage mailboxMessage) {
    MailboxMessage kept = mailboxMessage.withoutBlob();
    aside.addLast(kept);
    bytes += kept.size();
  }

  /** The oldest {@code most} of what was put aside come before the rest of their lanes. */
  void release(int most) {
    Deque<MailboxMessage> next = new ArrayDeque<>(Math.min(most, aside.size()));
    while (next.size() < most && !aside.isEmpty()) {
      next.addLast(aside.removeFirst());
    }
    while (!next.isEmpty()) {
      MailboxMessage last = next.removeLast();
      bytes -= last.size();
      putBack(last);
    }
  }

  /** Messages that were put aside. */
  int aside() {
    return aside.size();
  }

  /** Those put aside too. */
  int size() {
    return waiting + aside.size();
  }

  long bytes() {
    return bytes;
  }
}
