package io.callboard.metric;

import io.callboard.admin.ActorStatus;
import io.callboard.admin.MailSurvey;
import io.callboard.admin.MailboxStatus;
import io.callboard.admin.MailboxSurvey;
import io.callboard.admin.StatusJson;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.function.ToDoubleFunction;
import org.jspecify.annotations.Nullable;

/** Series of durable mailboxes: one set for each of the first of a survey. */
final class MailboxSeries {
  private static final String[] OTHERS = {"actor", "(others)"};

  private final Metrics out;
  private final MailboxSurvey survey;
  private final List<Row> shown = new ArrayList<>();
  private final Instant now;

  private record Row(ActorStatus actor, MailboxStatus mailbox) {
    String[] label() {
      return new String[] {"actor", actor.path().toString()};
    }
  }

  private MailboxSeries(Metrics out, MailboxSurvey survey, Instant now) {
    this.out = out;
    this.survey = survey;
    this.now = now;
    for (ActorStatus actor : survey.first()) {
      MailboxStatus mailbox = actor.mailbox();
      if (mailbox != null) {
        shown.add(new Row(actor, mailbox));
      }
    }
  }

  static void write(Metrics out, MailSurvey mail, Instant now) {
    MailboxSeries series = new MailboxSeries(out, mail.every(), now);
    out.gauge("callboard_mailbox_queued", "Messages waiting in memory", series.survey.queued());
    out.gauge(
        "callboard_mailboxes",
        "Durable mailboxes of actors that this node owns",
        series.shown.size() + series.survey.others());
    out.gauge(
        "callboard_mailboxes_not_shown",
        "Mailboxes without series of their own",
        series.survey.others());
    out.gauge(
        "callboard_mailboxes_age_seconds",
        "Time since the mailboxes were looked at",
        series.age(mail.at()));
    series.gauges();
    series.counters();
  }

  private void gauges() {
    Metrics.Series depth =
        out.gauges("callboard_mailbox_depth", "Messages waiting in a durable mailbox, at least");
    figures(depth, MailboxStatus::depth);
    Metrics.Series oldest =
        out.gauges(
            "callboard_mailbox_oldest_seconds",
            "Age of the oldest waiting message, 0 if there is none");
    figures(oldest, mailbox -> age(mailbox.oldestAt()));
    if (survey.others() > 0) {
      depth.add(survey.othersDepth(), OTHERS);
      oldest.add(age(survey.othersOldestAt()), OTHERS);
    }
    figures(
        out.gauges(
            "callboard_mailbox_attempts", "Failed attempts so far of the message being handled"),
        MailboxStatus::attempts);
  }

  /**
   * Adds the counters of the first mailboxes only: the set of the others changes, so a sum could
   * fall and look like a restart.
   */
  private void counters() {
    Metrics.Series handled =
        out.counters("callboard_mailbox_handled_total", "Messages handled and committed");
    shown.forEach(row -> handled.add(row.actor().handled(), row.label()));
    figures(
        out.counters("callboard_mailbox_parked_total", "Messages parked"), MailboxStatus::parked);
  }

  private void figures(Metrics.Series series, ToDoubleFunction<MailboxStatus> figure) {
    shown.forEach(row -> series.add(figure.applyAsDouble(row.mailbox()), row.label()));
  }

  private double age(@Nullable Instant since) {
    return since == null ? 0 : StatusJson.age(since, now).toMillis() / 1e3;
  }
}
