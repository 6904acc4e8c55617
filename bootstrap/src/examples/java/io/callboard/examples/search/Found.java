package io.callboard.examples.search;

import java.util.List;

/**
 * Result of one share for a query, best hit first.
 *
 * @param total number of documents of the share that match
 * @param whole false if time ran out; then there are no hits
 */
record Found(int share, long total, List<Hit> hits, boolean whole) {
  /** A document. */
  record Hit(String document, float score, List<Piece> snippet) {}

  /** A piece of a snippet; what matched is to be marked. */
  record Piece(String text, boolean match) {}

  static Found outOfTime(int share) {
    return new Found(share, 0, List.of(), false);
  }
}
