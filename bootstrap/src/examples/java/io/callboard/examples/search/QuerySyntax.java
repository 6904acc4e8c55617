package io.callboard.examples.search;

import java.util.Set;
import java.util.TreeSet;
import org.apache.lucene.queryparser.classic.ParseException;
import org.apache.lucene.queryparser.classic.QueryParser;
import org.apache.lucene.search.BooleanQuery;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.search.MatchNoDocsQuery;
import org.apache.lucene.search.Query;
import org.apache.lucene.search.QueryVisitor;
import org.apache.lucene.util.automaton.TooComplexToDeterminizeException;
import org.jspecify.annotations.Nullable;

/**
 * Parser of queries in the syntax of Lucene's classic parser, without regular expressions; the
 * words of a query are alternatives.
 */
final class QuerySyntax {
  /** Characters of a query. */
  static final int MAX_CHARS = 500;

  private static final int MAX_WILDCARDS = 5;

  private QuerySyntax() {}

  /** A query that cannot be run; the message is for its author. */
  static final class BadQuery extends IllegalArgumentException {
    private static final long serialVersionUID = 1L;

    BadQuery(String message) {
      super(message);
    }
  }

  /** Refuses what takes long to read: it is read on an event loop. */
  private static final class Parser extends QueryParser {
    Parser() {
      super(SearchIndex.TEXT, SearchIndex.ANALYZER);
    }

    @Override
    protected Query getRegexpQuery(String field, String expression) throws ParseException {
      throw new ParseException("regular expressions are not run here; a slash is written \\/");
    }

    @Override
    protected Query getWildcardQuery(String field, String word) throws ParseException {
      if (word.chars().filter(c -> c == '*' || c == '?').count() > MAX_WILDCARDS) {
        throw new ParseException("a word has up to %d * and ?".formatted(MAX_WILDCARDS));
      }
      return super.getWildcardQuery(field, word);
    }
  }

  /**
   * Returns the query.
   *
   * @throws BadQuery if it is invalid; the message names the fault
   */
  static Query parse(String text) {
    if (text.isBlank()) {
      throw new BadQuery("there is no query: give words, a \"phrase\", a AND b, name:list");
    }
    if (text.length() > MAX_CHARS) {
      throw new BadQuery(
          "the query has %d characters, %d are allowed".formatted(text.length(), MAX_CHARS));
    }
    Query query = read(text);
    if (query instanceof MatchNoDocsQuery
        || (query instanceof BooleanQuery all && all.clauses().isEmpty())) {
      throw new BadQuery("the query has no word to search for");
    }
    requireFields(query);
    return query;
  }

  private static Query read(String text) {
    try {
      return new Parser().parse(text);
    } catch (ParseException e) {
      throw new BadQuery(oneLine(e.getMessage()));
    } catch (TooComplexToDeterminizeException | IndexSearcher.TooManyClauses e) {
      throw new BadQuery("the query is too complex: " + oneLine(e.getMessage()));
    } catch (IllegalArgumentException e) {
      throw new BadQuery("the query cannot be read: " + oneLine(e.getMessage()));
    }
  }

  private static String oneLine(@Nullable String message) {
    return message == null ? "no reason given" : message.strip().replaceAll("\\s+", " ");
  }

  private static void requireFields(Query query) {
    Set<String> unknown = new TreeSet<>();
    query.visit(
        new QueryVisitor() {
          @Override
          public boolean acceptField(String field) {
            if (!SearchIndex.FIELDS.contains(field)) {
              unknown.add(field);
            }
            return true;
          }
        });
    if (!unknown.isEmpty()) {
      throw new BadQuery(
          "there is no field %s; there are %s (a colon that is meant as such is written \\:)"
              .formatted(unknown, SearchIndex.FIELDS));
    }
  }
}
