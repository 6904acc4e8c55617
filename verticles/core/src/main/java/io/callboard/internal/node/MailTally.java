package io.callboard.internal.node;

import io.callboard.admin.ActorStatus;
import io.callboard.admin.ActorStatus.State;
import io.callboard.admin.MailSurvey;
import io.callboard.internal.durable.DurableRunner;
import io.callboard.internal.inmemory.VolatileRunner;
import io.callboard.internal.lifecycle.ActorRunner;
import io.callboard.internal.metrics.MailboxMeter;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;
import java.util.stream.Stream;

/** Tally of the mail of the actors that are shown to it, one after the other. */
final class MailTally {
  /** Actor with a figure of it. */
  private record Figure(ActorRunner actor, long of) {}

  private final MailboxTally all;
  private final PriorityQueue<Figure> fullest =
      new PriorityQueue<>(Comparator.comparingLong(Figure::of));
  private final PriorityQueue<Figure> oldest =
      new PriorityQueue<>(Comparator.comparingLong(Figure::of).reversed());
  private long queued;
  private long mailboxes;
  private long depth;
  private long oldestMs = -1;

  /**
   * @param nowNanos of the node's monotonic clock
   */
  MailTally(long nowNanos) {
    this.all = new MailboxTally(nowNanos);
  }

  void look(ActorRunner actor) {
    if (actor instanceof DurableRunner durable) {
      if (durable.state() != State.ELSEWHERE) {
        durable(durable, durable.figures());
      }
    } else if (actor instanceof VolatileRunner inMemory) {
      long waiting = inMemory.queued();
      all.volatileMail(waiting);
      queued += actor.isToolkit() ? 0 : waiting;
      full(actor, waiting);
    }
  }

  private void durable(DurableRunner actor, MailboxMeter meter) {
    all.durable(actor, meter);
    long since = meter.oldestMs();
    if (!actor.isToolkit()) {
      queued += meter.messages();
      mailboxes++;
      depth += meter.depth();
      oldestMs = oldestMs < 0 || (since >= 0 && since < oldestMs) ? since : oldestMs;
    }
    full(actor, meter.depth());
    if (since >= 0) {
      oldest.add(new Figure(actor, since));
      if (oldest.size() > MailSurvey.OLDEST) {
        oldest.poll();
      }
    }
  }

  private void full(ActorRunner actor, long waiting) {
    if (waiting > 0 && !actor.isToolkit()) {
      fullest.add(new Figure(actor, waiting));
      if (fullest.size() > MailSurvey.FULLEST) {
        fullest.poll();
      }
    }
  }

  /** Returns the result. */
  MailSurvey survey(Instant at) {
    return new MailSurvey(
        at,
        queued,
        mailboxes,
        depth,
        oldestMs < 0 ? null : Instant.ofEpochMilli(oldestMs),
        sorted(fullest.stream().sorted(Comparator.comparingLong(Figure::of).reversed())),
        sorted(oldest.stream().sorted(Comparator.comparingLong(Figure::of))),
        all.survey());
  }

  private static List<ActorStatus> sorted(Stream<Figure> figures) {
    return figures.map(figure -> figure.actor().status()).toList();
  }
}
