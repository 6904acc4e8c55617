package io.callboard.store;

import java.util.List;

/**
 * Mail that was read.
 *
 * @param segments the first of those asked for, oldest first
 * @param messages how many messages all of those asked for hold, read or not
 */
public record StoredMail(List<StoredSegment> segments, long messages) {
  /** There is none. */
  public static final StoredMail NONE = new StoredMail(List.of(), 0);

  public StoredMail {
    segments = List.copyOf(segments);
  }
}
