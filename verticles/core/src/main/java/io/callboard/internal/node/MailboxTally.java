package io.callboard.internal.node;

import io.callboard.admin.MailboxSurvey;
import io.callboard.codecs.ActorPath;
import io.callboard.internal.durable.DurableRunner;
import io.callboard.internal.metrics.MailboxMeter;
import java.time.Instant;
import java.util.Comparator;
import java.util.PriorityQueue;

/** Tally of the mailboxes of all actors that are shown to it: the first, and the others summed. */
final class MailboxTally {
  /** Durable mailbox with the figures by which it is ranked. */
  private record Ranked(DurableRunner actor, long depth, double perSecond, long oldestMs) {
    ActorPath path() {
      return actor.path();
    }
  }

  private static final Comparator<Ranked> ORDER =
      Comparator.comparingLong((Ranked each) -> -each.depth())
          .thenComparingDouble(each -> -each.perSecond())
          .thenComparing(Ranked::path);

  private final long nowNanos;

  /** The first, the last of them on top. */
  private final PriorityQueue<Ranked> first = new PriorityQueue<>(ORDER.reversed());

  private long queued;
  private long others;
  private long othersDepth;
  private long othersOldestMs = -1;

  /**
   * @param nowNanos of the node's monotonic clock
   */
  MailboxTally(long nowNanos) {
    this.nowNanos = nowNanos;
  }

  void volatileMail(long waiting) {
    queued += waiting;
  }

  void durable(DurableRunner actor, MailboxMeter meter) {
    queued += meter.messages();
    first.add(new Ranked(actor, meter.depth(), meter.perSecond(nowNanos), meter.oldestMs()));
    if (first.size() > MailboxSurvey.FIRST) {
      other(first.remove());
    }
  }

  private void other(Ranked last) {
    others++;
    othersDepth += last.depth();
    if (last.oldestMs() >= 0 && (othersOldestMs < 0 || last.oldestMs() < othersOldestMs)) {
      othersOldestMs = last.oldestMs();
    }
  }

  /** Returns the result. */
  MailboxSurvey survey() {
    return new MailboxSurvey(
        queued,
        first.stream()
            .sorted(ORDER)
            .map(each -> each.actor().status())
            .filter(status -> status.mailbox() != null) // it went to another node meanwhile
            .toList(),
        others,
        othersDepth,
        othersOldestMs < 0 ? null : Instant.ofEpochMilli(othersOldestMs));
  }
}
