package io.callboard.store;

import java.util.List;
import java.util.Optional;

/**
 * An actor as of one moment.
 *
 * @param record empty if the actor was never written to
 * @param journal the entries since the record's state, oldest first
 * @param mail the first waiting segments
 * @param waiting how many segments wait in all
 */
public record Loaded(
    Optional<StoredRecord> record, List<byte[]> journal, List<StoredSegment> mail, long waiting) {
  public Loaded {
    journal = List.copyOf(journal);
    mail = List.copyOf(mail);
  }
}
