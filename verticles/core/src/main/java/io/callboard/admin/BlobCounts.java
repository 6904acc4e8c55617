package io.callboard.admin;

/**
 * Counters of the bodies of large messages, since the start of the node; all only grow.
 *
 * @param written before the commit of their message
 * @param fetched to be handled
 * @param deleted by a commit of this node that was through with their message
 * @param forsaken and removed, because their message was not sent after all
 * @param fetchFailures bodies that were not there as they were written, or that the store could not
 *     give
 */
public record BlobCounts(
    Moved written, Moved fetched, Moved deleted, Moved forsaken, long fetchFailures) {

  /** A number of bodies, and their bytes in total. */
  public record Moved(long count, long bytes) {}
}
