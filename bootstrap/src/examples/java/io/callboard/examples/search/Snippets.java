package io.callboard.examples.search;

import io.callboard.examples.search.Found.Piece;
import java.io.IOException;
import java.text.BreakIterator;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.search.Query;
import org.apache.lucene.search.uhighlight.LengthGoalBreakIterator;
import org.apache.lucene.search.uhighlight.Passage;
import org.apache.lucene.search.uhighlight.PassageFormatter;
import org.apache.lucene.search.uhighlight.UnifiedHighlighter;

/**
 * Highlighter that returns the passage of each document that suits a query best, as pieces without
 * markup.
 */
final class Snippets extends UnifiedHighlighter {
  private static final int USUAL_CHARS = 160;
  private static final int MAX_CHARS = 400;

  Snippets(IndexSearcher searcher) {
    super(
        UnifiedHighlighter.builder(searcher, SearchIndex.ANALYZER)
            .withMaxLength(Corpus.MAX_CHARS)
            .withWeightMatches(false)
            .withBreakIterator(
                () ->
                    LengthGoalBreakIterator.createClosestToLength(
                        BreakIterator.getLineInstance(Locale.ROOT), USUAL_CHARS, 0.5f))
            .withFormatter(new Pieces()));
  }

  /** Returns one snippet for each document, in their order; empty where a document has no text. */
  List<List<Piece>> of(Query query, int[] documents) throws IOException {
    Object[] found =
        highlightFieldsAsObjects(
                new String[] {SearchIndex.TEXT}, query, documents.clone(), new int[] {1})
            .get(SearchIndex.TEXT);
    List<List<Piece>> snippets = new ArrayList<>();
    for (int i = 0; i < documents.length; i++) {
      snippets.add(found != null && found[i] instanceof Cut cut ? cut.pieces() : List.of());
    }
    return snippets;
  }

  private record Cut(List<Piece> pieces) {}

  private static final class Pieces extends PassageFormatter {
    @Override
    public Cut format(Passage[] passages, String content) {
      List<Piece> pieces = new ArrayList<>();
      for (Passage passage : passages) {
        cut(passage, content, pieces);
      }
      return new Cut(List.copyOf(pieces));
    }

    private static void cut(Passage passage, String content, List<Piece> pieces) {
      int at = passage.getStartOffset();
      int end = Math.min(passage.getEndOffset(), at + MAX_CHARS);
      for (int i = 0; i < passage.getNumMatches(); i++) {
        int from = Math.max(at, passage.getMatchStarts()[i]);
        int to = Math.min(end, passage.getMatchEnds()[i]);
        if (from < to) {
          add(pieces, content, at, from, false);
          add(pieces, content, from, to, true);
          at = to;
        }
      }
      add(pieces, content, at, end, false);
    }

    private static void add(List<Piece> pieces, String content, int from, int to, boolean match) {
      if (from < to) {
        pieces.add(new Piece(content.substring(from, to), match));
      }
    }
  }
}
