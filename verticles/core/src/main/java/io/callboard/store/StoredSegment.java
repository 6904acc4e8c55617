package io.callboard.store;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A segment of a mailbox, not decoded.
 *
 * @param sequence its place in the mailbox
 * @param bytes as {@link io.callboard.codecs.Segment} wrote them
 * @param added when it came into the mailbox, by the store's clock; null if that is not known
 */
@SuppressWarnings("ArrayRecordComponent")
public record StoredSegment(long sequence, byte[] bytes, @Nullable Instant added) {
  /** Creates a segment whose time of arrival is unknown. */
  public StoredSegment(long sequence, byte[] bytes) {
    this(sequence, bytes, null);
  }
}
