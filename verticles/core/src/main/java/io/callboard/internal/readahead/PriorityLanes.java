package io.callboard.internal.readahead;

import io.callboard.codecs.Handling;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Mail of one actor in memory: a lane for each priority, each in the order of the mailbox, and the
 * stash. Not thread-safe.
 */
public final class PriorityLanes {
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

  /** Sets whether the order of the mailbox applies, whatever the priorities. */
  public void inOrder(boolean now) {
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

  /** Puts a message back as the first of its lane. */
  public void putBack(MailboxMessage mailboxMessage) {
    lane(mailboxMessage).addFirst(mailboxMessage);
    waiting++;
    bytes += mailboxMessage.size();
  }

  /** Returns the next message; null if there is none outside of the stash. */
  public @Nullable MailboxMessage first() {
    MailboxMessage first = null;
    for (int i = lanes.size() - 1; i >= 0; i--) {
      MailboxMessage next = lanes.get(i).peekFirst();
      if (next != null && (first == null || (inOrder && next.isBefore(first)))) {
        first = next;
      }
    }
    return first;
  }

  /** Removes the next message; there must be one. */
  public MailboxMessage removeFirst() {
    MailboxMessage first = first();
    if (first == null) {
      throw new IllegalStateException("no mail is in memory");
    }
    lane(first).removeFirst();
    waiting--;
    bytes -= first.size();
    return first;
  }

  /** Stashes a message that was removed, without its body if that is in the blob log. */
  public void putAside(MailboxMessage mailboxMessage) {
    MailboxMessage kept = mailboxMessage.withoutBlob();
    aside.addLast(kept);
    bytes += kept.size();
  }

  /** Unstashes the oldest {@code most} messages, before the rest of their lanes. */
  public void release(int most) {
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

  /** Returns the number of stashed messages. */
  public int aside() {
    return aside.size();
  }

  /** Returns the number of messages, stashed ones too. */
  public int size() {
    return waiting + aside.size();
  }

  long bytes() {
    return bytes;
  }
}
