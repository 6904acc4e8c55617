package io.callboard.pollers;

import io.callboard.pollers.internal.poll.Outcome;
import io.callboard.pollers.internal.poll.RateCounter;
import io.callboard.pollers.internal.target.MessageKey;
import io.callboard.pollers.internal.target.MessageStarter;
import io.callboard.pollers.model.AcceptedMessage;
import io.callboard.pollers.model.PollersException;
import io.callboard.pollers.model.PollersException.Code;
import io.callboard.pollers.model.SourceConfig;
import io.callboard.pollers.model.SourceRates;
import io.callboard.pollers.model.SourceStatus;
import io.callboard.pollers.model.SourceTotals;
import io.callboard.pollers.model.SourceView;
import io.callboard.pollers.source.SourceMessage;
import io.callboard.time.Time;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import java.time.Instant;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Source whose messages come by requests, on every node. Thread-safe. */
final class RequestSource {
  private static final int MOST_ID = 300;

  private final SourceConfig config;
  private final MessageStarter starter;
  private final Time time;
  private final RateCounter taken;
  private final RateCounter accepted;
  private @Nullable Instant lastAt;
  private @Nullable String error;
  private @Nullable Instant errorAt;

  RequestSource(SourceConfig config, MessageStarter starter, Time time) {
    this.config = config;
    this.starter = starter;
    this.time = time;
    this.taken = new RateCounter(time.clock().instant());
    this.accepted = new RateCounter(time.clock().instant());
  }

  /** Accepts a message, durably. A builder that takes longer may still refuse it. */
  Future<AcceptedMessage> accept(String id, Buffer body, Map<String, String> headers) {
    if (id.isBlank() || id.length() > MOST_ID) {
      return Future.failedFuture(
          new PollersException(
              Code.INVALID, "the id of a message has 1 to %d characters".formatted(MOST_ID)));
    }
    count(taken);
    return starter
        .start(new SourceMessage(id, id, body, headers, 0, null), 1)
        .compose(outcome -> answer(id, outcome));
  }

  private Future<AcceptedMessage> answer(String id, Outcome outcome) {
    if (outcome instanceof Outcome.Hopeless hopeless) {
      return refused(Code.INVALID, hopeless.cause());
    } else if (outcome instanceof Outcome.Refused refused) {
      return switch (refused.reason()) {
        case OVERLOADED -> refused(Code.OVERLOADED, refused.why());
        case MISSING -> refused(Code.ILLEGAL_STATE, refused.why());
        case UNAVAILABLE -> refused(Code.UNAVAILABLE, refused.why());
      };
    } else if (outcome instanceof Outcome.Undecided undecided) { // but it is durable
      error("message %s: %s".formatted(id, undecided.why()));
    }
    count(accepted);
    String ref = null;
    if (outcome instanceof Outcome.Begun begun) {
      ref = begun.ref();
    } else if (outcome instanceof Outcome.Succeeded succeeded) {
      ref = succeeded.ref();
    }
    String key = new MessageKey(config.name(), id, 1).text();
    return Future.succeededFuture(new AcceptedMessage(config.name(), id, key, ref));
  }

  private synchronized void count(RateCounter counter) {
    Instant now = time.clock().instant();
    counter.add(1, now);
    if (counter == accepted) {
      lastAt = now;
    }
  }

  private synchronized void error(String why) {
    error = why;
    errorAt = time.clock().instant();
  }

  private Future<AcceptedMessage> refused(Code code, String why) {
    error(why);
    return Future.failedFuture(new PollersException(code, why));
  }

  /** Returns what operators see, of this node. */
  synchronized SourceView view() {
    Instant now = time.clock().instant();
    return new SourceView(
        config.name(),
        config.kind(),
        config.ack(),
        config.target().words(),
        SourceStatus.ACCEPTING,
        null,
        null,
        null,
        null,
        null,
        null,
        0,
        0,
        new SourceTotals(taken.total(), accepted.total(), 0, 0, 0, 0, 0),
        new SourceRates(taken.rate(now), accepted.rate(now), 0, 0),
        null,
        lastAt,
        error,
        errorAt);
  }
}
