package io.callboard.store;

import io.callboard.codecs.ActorPath;
import io.callboard.codecs.BlobRef;
import io.callboard.codecs.Envelope;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Unit of a commit: the durable effects of one turn, of one message sent by code outside of any
 * durable actor, or of an operator's action on a parked message.
 *
 * @param write what the turn did to its actor; empty for a message from outside
 * @param outgoing the messages by receiving actor, each list in order
 * @param unparked parked messages that go, of any partition; the unit is {@code STALE} if one is
 *     not there
 * @param blobs that go, because their messages were handled or discarded; one that is gone is left
 *     alone, whereas a unit that sends a message whose blob is not there is {@code STALE}
 */
public record CommitUnit(
    Optional<Write> write,
    Map<ActorPath, List<Envelope>> outgoing,
    Set<ParkedKey> unparked,
    Set<BlobKey> blobs) {

  /** Creates a unit that frees no blobs. */
  public CommitUnit(
      Optional<Write> write, Map<ActorPath, List<Envelope>> outgoing, Set<ParkedKey> unparked) {
    this(write, outgoing, unparked, Set.of());
  }

  /** Creates a unit that frees no blobs and removes no parked messages. */
  public CommitUnit(Optional<Write> write, Map<ActorPath, List<Envelope>> outgoing) {
    this(write, outgoing, Set.of());
  }

  /** Returns whether the unit holds only messages from outside of any turn. */
  public boolean isFromOutside() {
    return write.isEmpty() && unparked.isEmpty() && blobs.isEmpty();
  }

  /** Returns the blobs of the messages that it sends, and of its snapshot. */
  public List<BlobKey> named() {
    List<BlobKey> named = named(outgoing);
    write.ifPresent(
        turn -> {
          named.addAll(turn.outbox().named());
          BlobRef snapshot = turn.journal().snapshot();
          if (snapshot != null) {
            named.add(new BlobKey(turn.actor(), snapshot));
          }
        });
    return named;
  }

  /** Returns the blobs of that mail, by its receivers. */
  public static List<BlobKey> named(Map<ActorPath, List<Envelope>> mail) {
    List<BlobKey> named = new ArrayList<>(0);
    mail.forEach(
        (receiver, envelopes) -> {
          for (Envelope envelope : envelopes) {
            BlobRef blob = envelope.blob();
            if (blob != null) {
              named.add(new BlobKey(receiver, blob));
            }
          }
        });
    return named;
  }

  /** Operations that its blobs add to a commit: one for each it names, more for each that goes. */
  public int blobOperations() {
    int operations = named().size();
    for (BlobKey gone : blobs) {
      operations += 1 + gone.blob().parts();
    }
    return operations;
  }

  /**
   * @param expectedVersion of the record as read; {@link #NEW} if there is none, or only the empty
   *     one that a sender has made with the mailbox
   * @param consumed sequence numbers of the segments that are wholly consumed
   * @param journal what becomes of the actor's events
   * @param parked messages to park, by an id unique for the actor
   * @param header the new header of the mailbox, for senders; null to leave it
   * @param seal whether the {@link Generation} of the record's next segment is sealed, and the one
   *     after it made
   * @param emptied generations that are sealed and whose last segment is consumed: they go
   * @param outbox what becomes of the messages that could not go to their mailboxes
   */
  public record Write(
      ActorPath actor,
      int expectedVersion,
      ActorRecord record,
      List<Long> consumed,
      JournalChange journal,
      Map<String, byte[]> parked,
      @Nullable MailboxHeader header,
      boolean seal,
      List<Long> emptied,
      OutboxChange outbox) {

    /** The expected version of a record that does not exist. */
    public static final int NEW = -1;

    /** Returns whether it stores the actor for the first time, which makes its mailbox, too. */
    public boolean isFirst() {
      return expectedVersion == NEW;
    }

    /** Leaves the generations of the mailbox and the outbox as they are. */
    public Write(
        ActorPath actor,
        int expectedVersion,
        ActorRecord record,
        List<Long> consumed,
        JournalChange journal,
        Map<String, byte[]> parked,
        @Nullable MailboxHeader header) {
      this(
          actor,
          expectedVersion,
          record,
          consumed,
          journal,
          parked,
          header,
          false,
          List.of(),
          OutboxChange.NONE);
    }

    /** Returns this write over another version of the record. */
    public Write withVersion(int version) {
      return new Write(
          actor, version, record, consumed, journal, parked, header, seal, emptied, outbox);
    }

    /** Returns this write with another change of the outbox. */
    public Write withOutbox(OutboxChange other) {
      return new Write(
          actor, expectedVersion, record, consumed, journal, parked, header, seal, emptied, other);
    }
  }
}
