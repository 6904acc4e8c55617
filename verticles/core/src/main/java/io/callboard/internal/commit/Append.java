package io.callboard.internal.commit;

import io.callboard.codecs.ActorPath;
import io.callboard.codecs.Envelope;
import io.callboard.store.CommitUnit;
import io.vertx.core.Promise;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Message from outside of any turn on its way into a durable mailbox.
 *
 * @param untilNanos until when it waits for room
 * @param done completes when it is durable
 */
public record Append(ActorPath to, Envelope envelope, long untilNanos, Promise<Void> done) {
  /** Returns the commit unit that puts the message into the mailbox. */
  public CommitUnit unit() {
    return new CommitUnit(Optional.empty(), Map.of(to, List.of(envelope)));
  }
}
