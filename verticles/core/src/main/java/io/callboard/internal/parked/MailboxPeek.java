package io.callboard.internal.parked;

import io.callboard.admin.WaitingMessage;
import io.callboard.codecs.ActorPath;
import io.callboard.codecs.CodecException;
import io.callboard.codecs.Envelope;
import io.callboard.codecs.Json;
import io.callboard.codecs.Segment;
import io.callboard.store.ActorRecord;
import io.callboard.store.Consumed;
import io.callboard.store.Store;
import io.callboard.store.StoredActor;
import io.callboard.store.StoredSegment;
import io.callboard.supervision.Causes;
import io.vertx.core.Future;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Reader of messages of a durable mailbox that removes none, and reads no large bodies from the
 * blob log.
 */
public final class MailboxPeek {
  /** Limit of the messages. */
  static final int MOST = 1_000;

  private MailboxPeek() {}

  /**
   * The limit as it is, if it can be.
   *
   * @throws IllegalArgumentException if not
   */
  public static int checkedLimit(int limit) {
    if (limit < 1 || limit > MOST) {
      throw new IllegalArgumentException(
          "a limit is 1 to %d messages, not %d".formatted(MOST, limit));
    }
    return limit;
  }

  /** The oldest messages of {@code actor} that are not consumed. */
  public static Future<List<WaitingMessage>> of(Store store, ActorPath actor, int limit) {
    return store
        .actor(actor)
        .compose(
            found ->
                store.peek(actor, limit).map(segments -> waiting(actor, found, segments, limit)));
  }

  private static List<WaitingMessage> waiting(
      ActorPath actor, Optional<StoredActor> found, List<StoredSegment> segments, int limit) {
    ActorRecord record = found.map(StoredActor::record).orElse(ActorRecord.EMPTY);
    List<WaitingMessage> waiting = new ArrayList<>();
    for (StoredSegment segment : segments) {
      waiting.addAll(messages(actor, segment, record.consumed()));
      if (waiting.size() >= limit) {
        break;
      }
    }
    return waiting.stream().limit(limit).toList();
  }

  private static List<WaitingMessage> messages(
      ActorPath actor, StoredSegment segment, Consumed consumed) {
    String what = "segment %d of %s".formatted(segment.sequence(), actor);
    List<WaitingMessage> messages = new ArrayList<>();
    try {
      List<Envelope> envelopes = Segment.decode(what, segment.bytes());
      for (int i = 0; i < envelopes.size(); i++) {
        if (consumed.contains(segment.sequence(), i)) {
          continue;
        }
        Envelope envelope = envelopes.get(i);
        messages.add(
            new WaitingMessage(
                segment.sequence() + "-" + i,
                envelope.id(),
                envelope.type(),
                envelope.bytes(),
                envelope.blob() == null ? Json.parse(what, envelope.body()) : null,
                envelope.blob() != null,
                null,
                segment.added()));
      }
      return messages;
    } catch (CodecException e) {
      return List.of(
          new WaitingMessage(
              segment.sequence() + "-0",
              null,
              null,
              segment.bytes().length,
              null,
              false,
              Causes.message(e),
              segment.added()));
    }
  }
}
