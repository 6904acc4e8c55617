package io.callboard.examples.search;

import io.callboard.CallboardOptions;
import io.callboard.zone.ZoneOptions;

/** The four scheduling zones: none can starve another. */
final class SearchZones {
  /** The front ends: the event loops on which their HTTP connections live. */
  static final String FRONT = "front";

  /** Heads, gatherers and the overseer: many short turns. */
  static final String QUERY = "query";

  /** The nodes: Lucene blocks. */
  static final String SEARCH = "search";

  /** The indexers: they read and write for seconds. */
  static final String INDEXING = "indexing";

  private SearchZones() {}

  static CallboardOptions in(CallboardOptions options) {
    int cores = Runtime.getRuntime().availableProcessors();
    return options
        .zone(FRONT, ZoneOptions.eventLoop())
        .zone(QUERY, ZoneOptions.fixed(2))
        .zone(SEARCH, ZoneOptions.fixed(Math.max(2, cores)))
        .zone(INDEXING, ZoneOptions.fixed(Math.max(2, cores / 2)));
  }
}
