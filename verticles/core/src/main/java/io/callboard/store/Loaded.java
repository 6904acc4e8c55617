package io.callboard.store;

import java.util.List;
import java.util.Optional;

/**
 * Consistent snapshot of a stored actor: record, journal keys, first mail and outbox of one moment.
 *
 * @param record empty if the actor was never written to
 * @param journal the names of all journal entries, oldest first; some may be older than the oldest
 *     snapshot
 * @param mail the first waiting segments, and how many messages wait in all
 * @param header the header of its mailbox, for senders
 * @param outbox sent messages that are in no mailbox yet, in the order of their numbers
 */
public record Loaded(
    Optional<StoredRecord> record,
    List<JournalKey> journal,
    StoredMail mail,
    MailboxHeader header,
    List<StoredOutbox> outbox) {
  /** The snapshot of an actor that is not stored. */
  public static final Loaded NOTHING =
      new Loaded(Optional.empty(), List.of(), StoredMail.NONE, MailboxHeader.NEW, List.of());

  /** Creates a snapshot; the lists are copied. */
  public Loaded {
    journal = List.copyOf(journal);
    outbox = List.copyOf(outbox);
  }
}
