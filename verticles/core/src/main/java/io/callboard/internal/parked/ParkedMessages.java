package io.callboard.internal.parked;

import com.fasterxml.jackson.databind.JsonNode;
import io.callboard.CallboardException;
import io.callboard.CallboardException.Code;
import io.callboard.admin.BulkReplay;
import io.callboard.admin.ParkedFilter;
import io.callboard.codecs.ActorPath;
import io.callboard.codecs.CodecException;
import io.callboard.codecs.Envelope;
import io.callboard.codecs.MessageId;
import io.callboard.codecs.ParkedDelivery;
import io.callboard.codecs.ProtocolCodec;
import io.callboard.internal.activation.DurableActors;
import io.callboard.internal.commit.CommitPort;
import io.callboard.internal.commit.PendingUnit;
import io.callboard.internal.commit.PendingUnit.Result;
import io.callboard.internal.context.NodeContext;
import io.callboard.internal.messaging.BlobTransfers;
import io.callboard.internal.messaging.MailboxAppender;
import io.callboard.internal.messaging.TellSequencer;
import io.callboard.store.BlobKey;
import io.callboard.store.CommitOutcome.Reason;
import io.callboard.store.CommitUnit;
import io.callboard.store.Limits;
import io.callboard.store.ParkedKey;
import io.callboard.store.Store;
import io.callboard.store.StoredParked;
import io.callboard.supervision.Causes;
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
 * Operations on parked messages. A replay removes the parked message and puts it into its actor's
 * mailbox in one commit, under a new id; a second replay of it is refused. Any node may replay, not
 * only the actor's owner. Thread-safe.
 */
public final class ParkedMessages {
  private static final Logger log = LoggerFactory.getLogger(ParkedMessages.class);

  private final NodeContext node;
  private final Store store;
  private final CommitPort commits;
  private final TellSequencer sequencer;
  private final BlobTransfers blobs;
  private final DurableActors durables;
  private final String sender;
  // on the durable context
  private long sent;
  private boolean closed;
  private @Nullable BulkReplayRun bulk;

  /**
   * @param sender the sender of messages replayed here, unique for this start of the node
   */
  public ParkedMessages(
      NodeContext node,
      Store store,
      CommitPort commits,
      TellSequencer sequencer,
      BlobTransfers blobs,
      DurableActors durables,
      String sender) {
    this.node = node;
    this.store = store;
    this.commits = commits;
    this.sequencer = sequencer;
    this.blobs = blobs;
    this.durables = durables;
    this.sender = sender;
  }

  public Future<Void> replay(ParkedKey key) {
    return find(key).compose(found -> replay(found, null));
  }

  /**
   * Replays a message with another body.
   *
   * @param body replaces the stored one
   * @return the original, which is stored nowhere else from now on
   */
  public Future<StoredParked> replayEdited(ParkedKey key, JsonNode body) {
    return find(key)
        .compose(
            found ->
                replay(found, body)
                    .map(
                        done -> {
                          log.info("{} was replayed with another body", key);
                          return found;
                        }));
  }

  /**
   * Replays a message. A large one names its blob again, unless its body is replaced: then the blob
   * is removed.
   */
  private Future<Void> replay(StoredParked found, @Nullable JsonNode body) {
    ParkedContent content = ParkedContent.read(found);
    Envelope message = content.message(body);
    if (body != null && ParkedDelivery.is(message)) {
      checkDelivery(content.message(null), message);
    } else if (body != null) {
      check(found.key(), message);
    }
    return blob(content)
        .compose(
            whole -> {
              if (body == null && content.blob().isPresent() && whole.isEmpty()) {
                return Future.failedFuture(content.bodyless(content.blob().get()));
              }
              Set<BlobKey> gone = body == null ? Set.of() : whole;
              return commit(found.key(), Optional.of(message), gone);
            });
  }

  /**
   * Refuses a body that no version of the actor can read, or that lacks a field here, where this
   * node knows the actor.
   *
   * @throws CodecException that says what is wrong with it
   */
  private void check(ParkedKey key, Envelope edited) {
    Class<?> protocol = durables.protocol(key.actor()).orElse(null);
    if (protocol == null) {
      return;
    }
    try {
      Object unused = ProtocolCodec.of(protocol).decode(edited);
    } catch (CodecException e) {
      if (e.reason() == CodecException.Reason.MALFORMED
          || e.reason() == CodecException.Reason.INCOMPLETE) {
        throw e;
      }
      // another node may have a version that knows the type
      log.debug(
          "{} is replayed although this node cannot read its content: {}", key, Causes.message(e));
    }
  }

  /** Checks that an edited delivery keeps its number, and could have been one in the beginning. */
  private static void checkDelivery(Envelope original, Envelope edited) {
    ParkedDelivery before = ParkedDelivery.read(original, "");
    ParkedDelivery after = ParkedDelivery.read(edited, "");
    if (after.number() != before.number()) {
      throw new CallboardException(
          Code.BAD_MESSAGE,
          "the number of a parked delivery must stay %d; edit only its \"body\", which is what is delivered"
              .formatted(before.number()));
    } else if (after.message().bytes() > Limits.INLINE_BYTES) {
      throw CallboardException.tooLarge(
          "the \"body\" of a delivery", after.message().bytes(), Limits.INLINE_BYTES);
    }
  }

  /** Completes with the key of a parked message's blob, if there is one and it can be removed. */
  private Future<Set<BlobKey>> blob(ParkedContent content) {
    Optional<BlobKey> blob = content.blob();
    return blob.isEmpty()
        ? Future.succeededFuture(Set.of())
        : blobs.isWhole(blob.get()).map(whole -> whole ? Set.of(blob.get()) : Set.of());
  }

  public Future<Void> discard(ParkedKey key) {
    return find(key).compose(this::blobOfAny).compose(gone -> commit(key, Optional.empty(), gone));
  }

  /**
   * Completes with the key of the blob, also for a message that cannot be read but can be
   * discarded.
   */
  private Future<Set<BlobKey>> blobOfAny(StoredParked found) {
    try {
      return blob(ParkedContent.read(found));
    } catch (CallboardException e) {
      return Future.succeededFuture(Set.of());
    }
  }

  private Future<StoredParked> find(ParkedKey key) {
    return store
        .parked(key)
        .map(
            found ->
                found.orElseThrow(
                    () -> new CallboardException(Code.NO_SUCH_MESSAGE, "there is no " + key)));
  }

  private Future<Void> commit(ParkedKey key, Optional<Envelope> message, Set<BlobKey> gone) {
    Promise<Void> done = Promise.promise();
    node.onDurableContext(
        done,
        () -> {
          if (message.isEmpty()) {
            submit(key, Map.of(), gone, done);
          } else {
            sequencer
                .pass(key.actor(), message.get())
                .map(
                    stored -> {
                      submit(key, outgoing(key, stored), gone, done);
                      return message.get().blob() != null
                          ? done.future()
                          : done.future()
                              .onFailure(cause -> blobs.forsake(key.actor(), stored, cause));
                    })
                .onFailure(done::tryFail);
          }
        });
    return done.future();
  }

  /**
   * Numbers the message; on the durable context, so that numbers rise in the order of the commits.
   */
  private Map<ActorPath, List<Envelope>> outgoing(ParkedKey key, Envelope message) {
    return Map.of(key.actor(), List.of(message.withId(new MessageId(sender, ++sent))));
  }

  private void submit(
      ParkedKey key,
      Map<ActorPath, List<Envelope>> outgoing,
      Set<BlobKey> gone,
      Promise<Void> done) {
    commits.submit(
        new PendingUnit(
            new CommitUnit(Optional.empty(), outgoing, Set.of(key), gone),
            Optional.empty(),
            result -> settle(key, !outgoing.isEmpty(), result, done)));
  }

  private void settle(ParkedKey key, boolean replay, Result result, Promise<Void> done) {
    if (result instanceof Result.Failed failed && failed.reason() == Reason.STALE) {
      done.fail(
          new CallboardException(
              Code.CONFLICT, "another request has already replayed or discarded " + key));
    } else if (!(result instanceof Result.Committed)) {
      done.fail(MailboxAppender.failure(key.actor(), result));
    } else {
      if (replay) {
        node.counters().sent.increment();
      }
      done.complete();
    }
  }

  // Many.

  /**
   * The limit of a listing as it is, if it can be.
   *
   * @throws IllegalArgumentException if not
   */
  public static int checkedLimit(int limit) {
    if (limit < 1 || limit > BulkReplayRun.MOST) {
      throw new IllegalArgumentException(
          "a limit is 1 to %d messages, not %d".formatted(BulkReplayRun.MOST, limit));
    }
    return limit;
  }

  /**
   * The rate of a bulk replay as it is, if it can be.
   *
   * @throws IllegalArgumentException if not
   */
  public static double checkedRate(double perSecond) {
    if (!(perSecond > 0 && perSecond <= BulkReplayRun.HIGHEST_RATE)) {
      throw new IllegalArgumentException(
          "a rate must be greater than 0 and at most %.0f messages a second, not %s"
              .formatted(BulkReplayRun.HIGHEST_RATE, perSecond));
    }
    return perSecond;
  }

  /** Starts a bulk replay; there is one at a time on this node. */
  public Future<BulkReplay> replayAll(ParkedFilter filter, double ratePerSecond) {
    Promise<Integer> replayed = node.promises().here();
    return node.fromDurableContext(
        Promise.promise(),
        () -> {
          if (closed) {
            return Future.failedFuture(CallboardException.stopped("the node"));
          } else if (bulk != null) {
            return Future.failedFuture(
                new CallboardException(Code.CONFLICT, "a bulk replay runs on this node already"));
          }
          return start(
                  new BulkReplayRun(node, store, this::replayEach, ratePerSecond), filter, replayed)
              .map(matched -> new BulkReplay(matched, replayed.future()));
        });
  }

  private Future<Integer> start(BulkReplayRun run, ParkedFilter filter, Promise<Integer> replayed) {
    bulk = run;
    // first of all, so that a listener for the end can start another
    run.end().onComplete(end -> bulk = null).onComplete(replayed);
    return run.start(filter);
  }

  private Future<Integer> replayEach(List<StoredParked> some) {
    List<Future<Boolean>> replays = new ArrayList<>();
    for (StoredParked stored : some) {
      try {
        replays.add(replay(stored, null).map(true).recover(cause -> leftOut(stored.key(), cause)));
      } catch (CallboardException e) {
        replays.add(leftOut(stored.key(), e));
      }
    }
    return Future.join(replays)
        .map(all -> (int) replays.stream().filter(replay -> replay.result()).count());
  }

  /** False for a message that cannot be replayed; fails if none can any more. */
  private static Future<Boolean> leftOut(ParkedKey key, Throwable cause) {
    if (cause instanceof CallboardException ours && ours.code() == Code.STOPPED) {
      return Future.failedFuture(cause);
    }
    log.debug("{} is skipped: {}", key, Causes.message(cause));
    return Future.succeededFuture(false);
  }

  /** Closes: replays under way end, none begins any more. On the durable context. */
  public void close() {
    closed = true;
    if (bulk != null) {
      bulk.cancel();
    }
  }
}
