package io.callboard.dashboard.model;

import io.callboard.admin.StatusJson;
import io.callboard.dashboard.model.MailboxFigures.Row;
import java.time.Instant;
import java.util.List;
import java.util.function.ToDoubleFunction;
import org.jspecify.annotations.Nullable;

/** Series of durable mailboxes: one set for each of the first, up to a limit. Pure. */
final class MailboxSeries {
  /** Maximum number of mailboxes with series of their own. */
  static final int MOST = 200;

  private static final String OTHERS = Exposition.label("actor", "(others)");

  private final Exposition out;
  private final List<Row> shown;
  private final MailboxFigures others;
  private final Instant now;

  private MailboxSeries(Exposition out, MailboxFigures mailboxes, Instant now) {
    int most = Math.min(MOST, mailboxes.all().size());
    this.out = out;
    this.shown = mailboxes.all().subList(0, most);
    this.others = new MailboxFigures(mailboxes.all().subList(most, mailboxes.all().size()));
    this.now = now;
  }

  static void write(Exposition out, MailboxFigures mailboxes, Instant now) {
    out.gauge(
        "callboard_mailboxes",
        "Durable mailboxes of actors that this node owns",
        mailboxes.all().size());
    MailboxSeries series = new MailboxSeries(out, mailboxes, now);
    out.gauge(
        "callboard_mailboxes_not_shown",
        "Mailboxes without series of their own",
        series.others.all().size());
    series.gauges();
    series.counters();
  }

  private void gauges() {
    each(
        "callboard_mailbox_depth",
        "gauge",
        "Messages waiting in a durable mailbox, at least",
        row -> row.mailbox().depth());
    if (!others.all().isEmpty()) {
      out.line("callboard_mailbox_depth", OTHERS, others.depth());
    }
    each(
        "callboard_mailbox_oldest_seconds",
        "gauge",
        "Age of the oldest waiting message, 0 if there is none",
        row -> age(row.mailbox().oldestAt()));
    if (!others.all().isEmpty()) {
      out.line("callboard_mailbox_oldest_seconds", OTHERS, age(others.oldestAt()));
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
      String actor = Exposition.label("actor", row.actor().path().toString());
      out.line(name, actor, figure.applyAsDouble(row));
    }
  }

  private double age(@Nullable Instant oldestAt) {
    return oldestAt == null ? 0 : StatusJson.age(oldestAt, now).toMillis() / 1e3;
  }
}
