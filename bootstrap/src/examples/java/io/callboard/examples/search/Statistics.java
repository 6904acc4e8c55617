package io.callboard.examples.search;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Statistics on which scores depend besides the document itself. With the sum over all shares each
 * share gives a document the same score as one index of all documents would.
 */
record Statistics(List<FieldCount> fields, List<TermCount> terms) {
  /** Empty statistics, while nothing is known of the other shares. */
  static final Statistics NONE = new Statistics(List.of(), List.of());

  /**
   * Counts of one field: documents in all and with the field, occurrences of words, and pairs of
   * document and word.
   */
  record FieldCount(String field, long documents, long having, long occurrences, long postings) {
    private FieldCount plus(FieldCount other) {
      return new FieldCount(
          field,
          documents + other.documents,
          having + other.having,
          occurrences + other.occurrences,
          postings + other.postings);
    }
  }

  /** Counts of one word in one field. */
  record TermCount(String field, String word, long documents, long occurrences) {
    private TermCount plus(TermCount other) {
      return new TermCount(
          field, word, documents + other.documents, occurrences + other.occurrences);
    }

    private String key() {
      return field + ":" + word;
    }
  }

  static Statistics sum(List<Statistics> shares) {
    Map<String, FieldCount> fields = new LinkedHashMap<>();
    Map<String, TermCount> terms = new LinkedHashMap<>();
    for (Statistics share : shares) {
      share.fields.forEach(count -> fields.merge(count.field(), count, FieldCount::plus));
      share.terms.forEach(count -> terms.merge(count.key(), count, TermCount::plus));
    }
    List<TermCount> sorted = new ArrayList<>(terms.values());
    sorted.sort(Comparator.comparing(TermCount::key));
    return new Statistics(List.copyOf(fields.values()), sorted);
  }
}
