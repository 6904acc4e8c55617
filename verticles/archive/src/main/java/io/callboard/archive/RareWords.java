package io.callboard.archive;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;

/**
 * Words of a searched text that less than half of the rows contain, by the statistics of
 * PostgreSQL. An index of trigrams reads all rows of each word it is asked for; a word that is
 * nearly everywhere costs most and excludes least, so the index is asked for the rare ones only,
 * and the rows that it finds are compared with the whole text. Without the frequent words it finds
 * at most about twice as many rows for each word left out.
 */
final class RareWords {
  /** Characters of a part that the index can look up: a trigram. */
  private static final int LEAST = 3;

  /** Words looked at; a longer text is searched for as a whole. */
  private static final int MOST = 20;

  private RareWords() {}

  /**
   * Returns parts of the text that the index is to be asked for; empty for the whole text. Part of
   * a transaction.
   */
  static List<String> of(Connection connection, String table, String text) throws SQLException {
    List<String> words = words(text);
    if (words.size() < 2 || words.size() > MOST || !TextSearch.isPostgres(connection)) {
      return List.of();
    }
    return of(text, sample(connection, table));
  }

  /**
   * Returns parts of a text, as above. Of a text that is in the sample a page is found fast in the
   * order of the rows, which the database knows of the whole text only.
   */
  static List<String> of(String text, List<String> sample) {
    boolean frequent = sample.stream().anyMatch(row -> row.contains(text));
    return frequent ? List.of() : rare(words(text), sample);
  }

  /** Returns the words that less than half of the sample contains; empty if that is all of them. */
  static List<String> rare(List<String> words, List<String> sample) {
    List<String> rare = new ArrayList<>();
    for (String word : words) {
      if (sample.stream().filter(row -> has(row, word)).count() * 2 < sample.size()) {
        rare.add(word);
      }
    }
    return rare.size() == words.size() ? List.of() : rare;
  }

  /** Returns whether a row has this word; a character behind it says only that it ends there. */
  private static boolean has(String row, String word) {
    int length = word.length();
    boolean ends = !Character.isLetterOrDigit(word.charAt(length - 1));
    String letters = ends ? word.substring(0, length - 1) : word;
    for (int at = row.indexOf(letters); at >= 0; at = row.indexOf(letters, at + 1)) {
      int behind = at + letters.length();
      if (!ends || behind == row.length() || !Character.isLetterOrDigit(row.charAt(behind))) {
        return true;
      }
    }
    return false;
  }

  /**
   * Returns the words of a text that have a trigram, each with the character behind it, as the end
   * of a word narrows a search; its beginning has a trigram of a single letter, which many rows
   * have. A character of two halves is behind no word: half of it is in no row.
   */
  static List<String> words(String text) {
    List<String> words = new ArrayList<>();
    int from = 0;
    for (int at = 0; at <= text.length(); at++) {
      if (at == text.length() || !Character.isLetterOrDigit(text.charAt(at))) {
        boolean whole = at < text.length() && !Character.isSurrogate(text.charAt(at));
        int end = whole ? at + 1 : at;
        if (at > from && end - from >= LEAST) {
          words.add(text.substring(from, end));
        }
        from = at + 1;
      }
    }
    return words;
  }

  /** Returns some hundred searched texts, spread evenly; none before the table was analyzed. */
  private static List<String> sample(Connection connection, String table) throws SQLException {
    String select =
        """
        select row from pg_stats, unnest(histogram_bounds::text::text[]) row
        where schemaname = current_schema() and tablename = ? and attname = 'search'
        """;
    List<String> sample = new ArrayList<>();
    try (PreparedStatement statement = connection.prepareStatement(select)) {
      statement.setString(1, table);
      try (ResultSet row = statement.executeQuery()) {
        while (row.next()) {
          sample.add(row.getString(1));
        }
      }
    }
    return sample;
  }
}
