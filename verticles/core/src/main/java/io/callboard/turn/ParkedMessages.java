package io.callboard.turn;

import com.fasterxml.jackson.databind.JsonNode;
import io.callboard.BulkReplay;
import io.callboard.CallboardException;
import io.callboard.CallboardException.Code;
import io.callboard.ParkedFilter;
import io.callboard.codecs.ActorPath;
import io.callboard.codecs.Envelope;
import io.callboard.codecs.MessageId;
import io.callboard.outbox.Ready;
import io.callboard.store.CommitUnit;
import io.callboard.store.Limits;
import io.callboard.store.ParkedKey;
import io.callboard.store.StoredParked;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What operators do with messages that were put aside. A replay takes the parked message away and
 * puts it into its actor's mailbox in one commit, under a new id: whoever comes second is refused.
 * Any node may, not only the actor's owner. Thread-safe.
 */
final class ParkedMessages {
  private static final Logger log = LoggerFactory.getLogger(ParkedMessages.class);

  private final CallboardRuntime runtime;
  private final String sender;
  // on the durable context
  private long sent;
  private boolean closed;
  private @Nullable BulkRun bulk;

  /**
   * @param sender of what is replayed here, unique for this start of the node
   */
  ParkedMessages(CallboardRuntime runtime, String sender) {
    this.runtime = runtime;
    this.sender = sender;
  }

  /**
   * @param body instead of the stored one; null to keep that
   */
  Future<Void> replay(ParkedKey key, @Nullable JsonNode body) {
    return find(key)
        .compose(found -> commit(key, Optional.of(ParkedContent.read(found).message(body))));
  }

  Future<Void> discard(ParkedKey key) {
    return find(key).compose(found -> commit(key, Optional.empty()));
  }

  private Future<StoredParked> find(ParkedKey key) {
    return runtime
        .store()
        .parked(key)
        .map(
            found ->
                found.orElseThrow(
                    () -> new CallboardException(Code.NO_SUCH_MESSAGE, "there is no " + key)));
  }

  private Future<Void> commit(ParkedKey key, Optional<Envelope> message) {
    Promise<Void> done = Promise.promise();
    runtime.onDurableContext(
        () ->
            runtime.submit(
                new Ready(
                    new CommitUnit(Optional.empty(), outgoing(key, message), Set.of(key)),
                    Optional.empty(),
                    false,
                    result -> settle(key, message.isPresent(), result, done))));
    return done.future();
  }

  /** On the durable context, so that numbers rise in the order of the commits. */
  private Map<ActorPath, List<Envelope>> outgoing(ParkedKey key, Optional<Envelope> message) {
    return message.isEmpty()
        ? Map.of()
        : Map.of(key.actor(), List.of(message.get().withId(new MessageId(sender, ++sent))));
  }

  private void settle(ParkedKey key, boolean replay, Ready.Result result, Promise<Void> done) {
    if (result instanceof Ready.Result.Failed failed) {
      done.fail(
          switch (failed.reason()) {
            case STALE ->
                new CallboardException(Code.CONFLICT, "somebody else was first to take " + key);
            case FULL -> CallboardException.mailboxFull(key.actor(), Limits.MAILBOX_MESSAGES);
            case TOO_LARGE -> new CallboardException(Code.PAYLOAD_TOO_LARGE, failed.detail());
            case DENIED -> new CallboardException(Code.DENIED, failed.detail());
            default -> new CallboardException(Code.STOPPED, failed.detail());
          });
    } else if (result instanceof Ready.Result.Unknown unknown) {
      done.fail(new CallboardException(Code.STOPPED, unknown.detail()));
    } else {
      if (replay) {
        runtime.counters().sent.increment();
      }
      done.complete();
    }
  }

  // Many.

  /** Starts the only replay of many on this node. */
  Future<BulkReplay> replayAll(ParkedFilter filter, double ratePerSecond) {
    if (!(ratePerSecond > 0 && ratePerSecond <= BulkRun.HIGHEST_RATE)) {
      throw new IllegalArgumentException(
          "a rate is over 0 and at most %.0f messages a second, not %s"
              .formatted(BulkRun.HIGHEST_RATE, ratePerSecond));
    }
    Promise<BulkReplay> started = Promise.promise();
    Promise<Integer> replayed = Promises.here();
    runtime.onDurableContext(
        () -> {
          if (closed) {
            started.fail(CallboardException.stopped("the node"));
          } else if (bulk != null) {
            started.fail(
                new CallboardException(
                    Code.CONFLICT, "a replay of many runs on this node already"));
          } else {
            start(new BulkRun(runtime, this::replayEach, ratePerSecond), filter, replayed)
                .map(matched -> new BulkReplay(matched, replayed.future()))
                .onComplete(started);
          }
        });
    return started.future();
  }

  private Future<Integer> start(BulkRun run, ParkedFilter filter, Promise<Integer> replayed) {
    bulk = run;
    // first of all, so that whoever is told of the end can start another
    run.end().onComplete(end -> bulk = null).onComplete(replayed);
    return run.start(filter);
  }

  private Future<Integer> replayEach(List<StoredParked> some) {
    List<Future<Boolean>> replays = new ArrayList<>();
    for (StoredParked stored : some) {
      try {
        replays.add(
            commit(stored.key(), Optional.of(ParkedContent.read(stored).message(null)))
                .map(true)
                .recover(cause -> leftOut(stored.key(), cause)));
      } catch (CallboardException e) {
        replays.add(leftOut(stored.key(), e));
      }
    }
    return Future.join(replays)
        .map(all -> (int) replays.stream().filter(replay -> replay.result()).count());
  }

  /** False, unless nothing more can be replayed at all. */
  private static Future<Boolean> leftOut(ParkedKey key, Throwable cause) {
    if (cause instanceof CallboardException ours && ours.code() == Code.STOPPED) {
      return Future.failedFuture(cause);
    }
    log.debug("{} is left out: {}", key, cause.getMessage());
    return Future.succeededFuture(false);
  }

  /** On the durable context: what is under way ends, nothing more begins. */
  void close() {
    closed = true;
    if (bulk != null) {
      bulk.cancel();
    }
  }
}
