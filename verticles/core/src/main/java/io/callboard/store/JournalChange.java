package io.callboard.store;

import io.callboard.codecs.BlobRef;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Change of an actor's journal by a commit unit.
 *
 * @param entry to append under the record's turn; null for none
 * @param events in it
 * @param trim entries that no snapshot of the record needs any more
 * @param snapshot the blob of a snapshot that is in the record for the first time; null if none is
 */
@SuppressWarnings("ArrayRecordComponent")
public record JournalChange(
    byte @Nullable [] entry, int events, List<JournalKey> trim, @Nullable BlobRef snapshot) {
  /** Change that leaves the journal as it is. */
  public static final JournalChange NONE = new JournalChange(null, 0, List.of(), null);

  /** Appends {@code entry}. */
  public static JournalChange of(byte[] entry, int events) {
    return new JournalChange(entry, events, List.of(), null);
  }

  /** Returns the key of the entry that {@code appended} becomes. */
  public JournalKey key(long turn, byte[] appended) {
    return new JournalKey(turn, events, appended.length);
  }
}
