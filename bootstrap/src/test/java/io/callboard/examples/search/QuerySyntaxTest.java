package io.callboard.examples.search;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.callboard.examples.search.QuerySyntax.BadQuery;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class QuerySyntaxTest {
  static Stream<Arguments> faults() {
    return Stream.of(
        Arguments.of("", "there is no query"),
        Arguments.of("  ", "there is no query"),
        Arguments.of("a AND (", "Encountered \"<EOF>\""),
        Arguments.of("\"open", "Lexical error"),
        Arguments.of("*any", "'*' or '?' not allowed as first character"),
        Arguments.of("[a TO", "Encountered \"<EOF>\""),
        Arguments.of("std::vector", "Encountered \" \":\" \": \"\""),
        Arguments.of("java:list", "there is no field [java]; there are [text, name]"),
        Arguments.of("(id:x OR secret:y)", "there is no field [id, secret]"),
        Arguments.of("!!!", "Encountered"),
        Arguments.of("\"...\"", "no word to search for"),
        Arguments.of("/((a*)*b){500}(c|d){999}/", "regular expressions are not run here"),
        Arguments.of("a /(/", "regular expressions are not run here"),
        Arguments.of("a*".repeat(100), "a word has up to 5 * and ?"),
        Arguments.of("<script>alert(1)</script>", "Lexical error"),
        Arguments.of("x".repeat(501), "501 characters, 500 are allowed"),
        Arguments.of("(".repeat(500), "Encountered"));
  }

  @ParameterizedTest
  @MethodSource("faults")
  void aFaultIsNamedInOneLine(String query, String message) {
    assertThatThrownBy(() -> QuerySyntax.parse(query))
        .isInstanceOf(BadQuery.class)
        .hasMessageContaining(message)
        .hasMessageNotContaining("\n");
  }

  @ParameterizedTest
  @org.junit.jupiter.params.provider.ValueSource(
      strings = {
        "hash",
        "hash map",
        "\"hash map\"~3",
        "name:list AND -text:queue",
        "ha?h* OR usr\\/bin",
        "hash~1^2",
        "std\\:\\:vector",
        "<script>alert(1)<\\/script>",
        "text:[a TO b]"
      })
  void theSyntaxOfLuceneIsRead(String query) {
    assertThat(QuerySyntax.parse(query)).isNotNull();
  }

  @Test
  void wordsAreOrEd() {
    assertThat(QuerySyntax.parse("Hash Map")).hasToString("text:hash text:map");
  }
}
