package io.callboard.internal.node;

import io.callboard.admin.MailSurvey;
import io.callboard.internal.context.NodeContext;
import io.callboard.internal.context.SharedReading;
import io.vertx.core.Future;

/**
 * Looks at the mail of all actors of this node, on a worker thread, the longer they take the more
 * rarely. Thread-safe.
 */
final class MailSurveys {
  private final NodeContext node;
  private final LocalActors actors;
  private final SharedReading<MailSurvey> reading;

  MailSurveys(NodeContext node, LocalActors actors) {
    this.node = node;
    this.actors = actors;
    this.reading =
        new SharedReading<>(
            node::nanoTime,
            () -> node.vertx().executeBlocking(this::survey, false),
            SurveyPace::after);
  }

  /** Completes with the last survey, or with a new one if that is due; on any thread. */
  Future<MailSurvey> read() {
    return reading.read();
  }

  private MailSurvey survey() {
    MailTally tally = new MailTally(node.nanoTime());
    actors.each(tally::look);
    return tally.survey(node.clock().instant());
  }
}
