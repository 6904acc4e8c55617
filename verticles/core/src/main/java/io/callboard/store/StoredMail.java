package io.callboard.store;

import java.util.List;

/**
 * Segments read from a mailbox, with the number of those that wait.
 *
 * @param segments the first of those asked for, oldest first
 * @param waiting how many segments there are of those asked for, read or not
 * @param messages how many messages they hold
 */
public record StoredMail(List<StoredSegment> segments, long waiting, long messages) {
  /** Empty mailbox. */
  public static final StoredMail NONE = new StoredMail(List.of(), 0, 0);

  /** Creates the result of a read; the list is copied. */
  public StoredMail {
    segments = List.copyOf(segments);
  }
}
