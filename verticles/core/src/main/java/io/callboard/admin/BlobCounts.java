package io.callboard.admin;

/**
 * What a node counted of the bodies of large messages since it started; all only grow.
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

  /** How many, and their bytes together. */
  public record Moved(long count, long bytes) {}
}
