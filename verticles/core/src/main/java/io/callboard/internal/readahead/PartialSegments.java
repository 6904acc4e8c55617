package io.callboard.internal.readahead;

import io.callboard.store.Consumed;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

/**
 * Counts the consumed messages of segments that remain in a mailbox because others in them wait:
 * senders count whole segments. Not thread-safe.
 */
public final class PartialSegments {
  private final Map<Long, Integer> bySegment = new HashMap<>();
  private long messages;

  void clear() {
    bySegment.clear();
    messages = 0;
  }

  /** Reports that so many messages of a segment that was read are consumed. */
  void found(long segment, int count) {
    if (count > 0) {
      bySegment.merge(segment, count, Integer::sum);
      messages += count;
    }
  }

  /**
   * Reports a commit.
   *
   * @param inputs the messages that it consumed
   * @param now what is consumed after it
   */
  public void committed(List<MailboxMessage> inputs, Consumed now) {
    Set<Long> touched = new HashSet<>();
    for (MailboxMessage mailboxMessage : inputs) {
      touched.add(mailboxMessage.sequence());
      found(mailboxMessage.sequence(), 1);
    }
    for (long segment : touched) {
      if (now.containsAll(segment)) {
        messages -= Objects.requireNonNullElse(bySegment.remove(segment), 0);
      }
    }
  }

  public long messages() {
    return messages;
  }
}
