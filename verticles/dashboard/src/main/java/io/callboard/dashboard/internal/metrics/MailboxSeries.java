package io.callboard.dashboard.internal.metrics;

import io.callboard.admin.MailSurvey;
import io.callboard.admin.MailboxSurvey;
import io.callboard.admin.StatusJson;
import io.callboard.dashboard.internal.model.MailboxFigures;
import io.callboard.dashboard.internal.model.MailboxFigures.Row;
import java.time.Instant;
import java.util.List;
import java.util.function.ToDoubleFunction;
import org.jspecify.annotations.Nullable;

/** Series of durable mailboxes: one set for each of the first of a survey. Pure. */
final class MailboxSeries {
  private static final String OTHERS = PrometheusWriter.label("actor", "(others)");

  private final PrometheusWriter out;
  private final List<Row> shown;
  private final MailboxSurvey survey;
  private final Instant now;

  private MailboxSeries(PrometheusWriter out, MailboxSurvey survey, Instant now) {
    this.out = out;
    this.shown = MailboxFigures.of(survey.first()).all();
    this.survey = survey;
    this.now = now;
  }

  static void write(PrometheusWriter out, MailSurvey mail, Instant now) {
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
    out.head("callboard_mailboxes_age_seconds", "gauge", "Time since the mailboxes were looked at");
    out.line("callboard_mailboxes_age_seconds", "", series.age(mail.at()));
    series.gauges();
    series.counters();
  }

  private void gauges() {
    each(
        "callboard_mailbox_depth",
        "gauge",
        "Messages waiting in a durable mailbox, at least",
        row -> row.mailbox().depth());
    if (survey.others() > 0) {
      out.line("callboard_mailbox_depth", OTHERS, survey.othersDepth());
    }
    each(
        "callboard_mailbox_oldest_seconds",
        "gauge",
        "Age of the oldest waiting message, 0 if there is none",
        row -> age(row.mailbox().oldestAt()));
    if (survey.others() > 0) {
      out.line("callboard_mailbox_oldest_seconds", OTHERS, age(survey.othersOldestAt()));
    }
    each(
        "callboard_mailbox_attempts",
        "gauge",
        "Failed attempts so far of the message being handled",
        row -> row.mailbox().attempts());
  }

  /**
   * Adds the counters of the first mailboxes only: the set of the others changes, so a sum could
   * fall and look like a restart.
   */
  private void counters() {
    each(
        "callboard_mailbox_handled_total",
        "counter",
        "Messages handled and committed",
        row -> row.actor().handled());
    each(
        "callboard_mailbox_parked_total",
        "counter",
        "Messages parked",
        row -> row.mailbox().parked());
  }

  private void each(String name, String type, String help, ToDoubleFunction<Row> figure) {
    out.head(name, type, help);
    for (Row row : shown) {
      String actor = PrometheusWriter.label("actor", row.actor().path().toString());
      out.line(name, actor, figure.applyAsDouble(row));
    }
  }

  private double age(@Nullable Instant since) {
    return since == null ? 0 : StatusJson.age(since, now).toMillis() / 1e3;
  }
}
