package io.callboard.internal.node;

import io.callboard.admin.MailSurvey;
import io.callboard.internal.context.NodeContext;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.RejectedExecutionException;
import org.jspecify.annotations.Nullable;

/**
 * Looks at the mail of all actors of this node: each begins when somebody asks and the last one is
 * too old, on a worker thread, and all who ask meanwhile share it. Thread-safe.
 */
final class MailSurveys {
  private final NodeContext node;
  private final LocalActors actors;
  private @Nullable MailSurvey last;
  private @Nullable Future<MailSurvey> underWay;
  private long dueNanos;

  MailSurveys(NodeContext node, LocalActors actors) {
    this.node = node;
    this.actors = actors;
  }

  /** Completes with the last survey, or with a new one if that is due; on any thread. */
  Future<MailSurvey> read() {
    Promise<MailSurvey> begun = Promise.promise();
    synchronized (this) {
      if (underWay != null) {
        return underWay;
      } else if (last != null && node.nanoTime() - dueNanos < 0) {
        return Future.succeededFuture(last);
      }
      underWay = begun.future();
    }
    begun.future().onComplete(done -> ended());
    try {
      node.vertx().executeBlocking(this::survey, false).onComplete(begun);
    } catch (RejectedExecutionException e) { // the Vert.x has closed
      begun.fail(e);
    }
    return begun.future();
  }

  private synchronized void ended() {
    underWay = null;
  }

  private MailSurvey survey() {
    long began = node.nanoTime();
    MailTally tally = new MailTally();
    actors.each(tally::look);
    MailSurvey found = tally.survey(node.clock().instant());
    Duration took = Duration.ofNanos(node.nanoTime() - began);
    synchronized (this) {
      last = Objects.requireNonNull(found, "a survey");
      dueNanos = node.nanoTime() + SurveyPace.after(took).toNanos();
    }
    return found;
  }
}
