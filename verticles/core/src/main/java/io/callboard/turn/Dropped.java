package io.callboard.turn;

import io.callboard.CallboardException;
import io.callboard.codecs.ActorPath;
import io.callboard.codecs.Envelope;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Messages of one actor for which a full mailbox has no use ({@link
 * io.callboard.store.WhenFull#DROP}): dead letters, counted and answered at once, logged at most
 * twice a minute. Not thread-safe.
 */
final class Dropped {
  private static final Logger log = LoggerFactory.getLogger(Dropped.class);
  private static final long TELL_EVERY_NANOS = Duration.ofSeconds(30).toNanos();

  private final CallboardRuntime runtime;
  private final ActorPath sender;
  private final Map<ActorPath, Integer> untold = new TreeMap<>();
  private long tellAtNanos;

  Dropped(CallboardRuntime runtime, ActorPath sender) {
    this.runtime = runtime;
    this.sender = sender;
    this.tellAtNanos = runtime.nanoTime();
  }

  void add(ActorPath receiver, List<Envelope> mail) {
    CallboardException cause = CallboardException.mailboxFull(receiver);
    for (Envelope envelope : mail) {
      runtime.largeBodies().forsake(receiver, envelope);
      runtime.asks().replyTo(envelope.replyTo()).fail(cause);
    }
    runtime.counters().dead.add(mail.size());
    untold.merge(receiver, mail.size(), Integer::sum);
    long now = runtime.nanoTime();
    if (now - tellAtNanos >= 0) {
      tellAtNanos = now + TELL_EVERY_NANOS;
      tell();
    }
  }

  /** Logs what was not logged yet. */
  void tell() {
    untold.forEach(
        (receiver, count) ->
            log.warn(
                "{} messages of {} were dropped: the mailbox of {} is full",
                count,
                sender,
                receiver));
    untold.clear();
  }
}
