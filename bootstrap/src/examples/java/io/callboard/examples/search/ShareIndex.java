package io.callboard.examples.search;

import io.callboard.examples.search.Found.Hit;
import io.callboard.examples.search.Found.Piece;
import io.callboard.examples.search.Statistics.FieldCount;
import io.callboard.examples.search.Statistics.TermCount;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.QueryTimeout;
import org.apache.lucene.index.Term;
import org.apache.lucene.search.CollectionStatistics;
import org.apache.lucene.search.FieldDoc;
import org.apache.lucene.search.Query;
import org.apache.lucene.search.QueryVisitor;
import org.apache.lucene.search.Sort;
import org.apache.lucene.search.SortField;
import org.apache.lucene.search.TopFieldCollectorManager;
import org.apache.lucene.search.TopFieldDocs;
import org.apache.lucene.store.Directory;
import org.apache.lucene.util.BytesRef;

/**
 * The index of one share, open for reading. Hits are in the order of their score, then of their
 * name; so the best of all shares are the best of one index of all. Blocks.
 */
final class ShareIndex implements AutoCloseable {
  private static final Sort ORDER =
      new Sort(SortField.FIELD_SCORE, new SortField(SearchIndex.ID, SortField.Type.STRING));

  private final int share;
  private final Directory directory;
  private final DirectoryReader reader;

  private ShareIndex(int share, Directory directory, DirectoryReader reader) {
    this.share = share;
    this.directory = directory;
    this.reader = reader;
  }

  /**
   * Opens an index.
   *
   * @param fingerprint fingerprint of the documents that it must contain
   * @throws IOException if the index cannot be read, or is of other documents
   */
  static ShareIndex open(int share, Path path, String fingerprint) throws IOException {
    Directory directory = SearchIndex.directory(path);
    try {
      if (!SearchIndex.isComplete(directory, fingerprint)) {
        throw new IOException("the index in %s is not complete".formatted(path));
      }
      return new ShareIndex(share, directory, DirectoryReader.open(directory));
    } catch (IOException | RuntimeException e) {
      directory.close();
      throw e;
    }
  }

  int documents() {
    return reader.numDocs();
  }

  /** Returns this share's part of the statistics for the words of a query. */
  Statistics weigh(Query query) throws IOException {
    List<FieldCount> fields = new ArrayList<>();
    var searcher = new WeighedSearcher(reader, Statistics.NONE);
    for (String field : SearchIndex.FIELDS) {
      CollectionStatistics counts = searcher.collectionStatistics(field);
      if (counts != null) {
        fields.add(
            new FieldCount(
                field,
                counts.maxDoc(),
                counts.docCount(),
                counts.sumTotalTermFreq(),
                counts.sumDocFreq()));
      }
    }
    Set<Term> words = new LinkedHashSet<>();
    query.visit(QueryVisitor.termCollector(words));
    List<TermCount> terms = new ArrayList<>();
    for (Term word : words) {
      terms.add(
          new TermCount(
              word.field(), word.text(), reader.docFreq(word), reader.totalTermFreq(word)));
    }
    return new Statistics(fields, terms);
  }

  /**
   * Returns the best hits.
   *
   * @param statistics statistics of all shares
   * @param limit maximum number of hits
   * @param timeout whether time has run out; then the result is not whole
   */
  Found find(Query query, Statistics statistics, int limit, QueryTimeout timeout)
      throws IOException {
    WeighedSearcher searcher = new WeighedSearcher(reader, statistics);
    searcher.setTimeout(timeout);
    TopFieldDocs best =
        searcher.search(query, new TopFieldCollectorManager(ORDER, limit, null, Integer.MAX_VALUE));
    if (searcher.timedOut()) {
      return Found.outOfTime(share);
    }
    int[] documents = new int[best.scoreDocs.length];
    for (int i = 0; i < documents.length; i++) {
      documents[i] = best.scoreDocs[i].doc;
    }
    List<List<Piece>> snippets = new Snippets(searcher).of(query, documents);
    List<Hit> hits = new ArrayList<>();
    for (int i = 0; i < documents.length; i++) {
      FieldDoc found = (FieldDoc) best.scoreDocs[i];
      float score = (Float) found.fields[0];
      String id = ((BytesRef) found.fields[1]).utf8ToString();
      hits.add(new Hit(id, score, snippets.get(i)));
    }
    return new Found(share, best.totalHits.value, hits, true);
  }

  @Override
  public void close() throws IOException {
    reader.close();
    directory.close();
  }
}
