package io.callboard.examples.search;

import io.callboard.examples.search.Statistics.FieldCount;
import io.callboard.examples.search.Statistics.TermCount;
import java.io.IOException;
import java.util.HashMap;
import java.util.Map;
import org.apache.lucene.index.IndexReader;
import org.apache.lucene.index.Term;
import org.apache.lucene.search.CollectionStatistics;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.search.TermStatistics;
import org.jspecify.annotations.Nullable;

/**
 * Searches one share with the statistics of all. A share whose own counts are not in the sum uses
 * the larger of both, so that they stay consistent.
 */
final class WeighedSearcher extends IndexSearcher {
  private final Map<String, FieldCount> fields = new HashMap<>();
  private final Map<Term, TermCount> terms = new HashMap<>();

  WeighedSearcher(IndexReader reader, Statistics statistics) {
    super(reader);
    statistics.fields().forEach(count -> fields.put(count.field(), count));
    statistics.terms().forEach(count -> terms.put(new Term(count.field(), count.word()), count));
  }

  @Override
  public TermStatistics termStatistics(Term term, int documents, long occurrences)
      throws IOException {
    TermCount all = terms.get(term);
    return all == null
        ? super.termStatistics(term, documents, occurrences)
        : new TermStatistics(
            term.bytes(),
            Math.max(documents, all.documents()),
            Math.max(occurrences, all.occurrences()));
  }

  @Override
  public @Nullable CollectionStatistics collectionStatistics(String field) throws IOException {
    CollectionStatistics own = super.collectionStatistics(field);
    FieldCount all = fields.get(field);
    if (own == null || all == null) {
      return own;
    }
    return new CollectionStatistics(
        field,
        Math.max(own.maxDoc(), all.documents()),
        Math.max(own.docCount(), all.having()),
        Math.max(own.sumTotalTermFreq(), all.occurrences()),
        Math.max(own.sumDocFreq(), all.postings()));
  }
}
