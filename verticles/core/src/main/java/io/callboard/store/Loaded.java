package io.callboard.store;

import java.util.List;
import java.util.Optional;

/**
 * An actor as of one moment.
 *
 * @param record empty if the actor was never written to
 * @param journal the names of all journal entries, oldest first; some may be older than the oldest
 *     snapshot
 * @param mail the first waiting segments, and how many messages wait in all
 * @param header what its mailbox tells senders
 * @param outbox what it has sent and is in no mailbox yet, in the order of the numbers
 */
public record Loaded(
    Optional<StoredRecord> record,
    List<JournalKey> journal,
    StoredMail mail,
    MailboxHeader header,
    List<StoredOutbox> outbox) {
  /** Of an actor that is not stored. */
  public static final Loaded NOTHING =
      new Loaded(Optional.empty(), List.of(), StoredMail.NONE, MailboxHeader.NEW, List.of());

  public Loaded {
    journal = List.copyOf(journal);
    outbox = List.copyOf(outbox);
  }
}
