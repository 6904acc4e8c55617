package io.callboard.pollers.internal.file;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.vertx.core.json.JsonObject;
import java.nio.file.FileSystems;
import java.nio.file.Path;
import java.nio.file.PathMatcher;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Patterns of the files of a directory: they mean what the JDK's do, and are matched in time. */
class GlobTest {
  private static final String[] PATHS = {
    "a",
    "b",
    "a.json",
    "b.xml",
    "json",
    "a/b.json",
    "a/b/c.json",
    ".json",
    "a{b",
    "ab",
    "a,b",
    "]",
    "-",
    "^",
    "!",
    "\\",
    "a\\b",
    "a b",
    "a*",
    "a?",
    "(a)",
    "[a]",
    "x.tar.gz",
    "caf\u00e9",
    "a+",
    "$"
  };

  private static Glob glob(String pattern) {
    return DirectorySettings.of(new JsonObject().put("path", "/in").put("glob", pattern)).glob();
  }

  /** With a matcher that backtracks, this takes longer than there is time. */
  @Test
  void aPatternTakesTimeThatIsLinearInThePath() {
    Path path = Path.of("a".repeat(250));
    assertThat(glob("*a".repeat(20) + "b").matches(path)).isFalse();
    assertThat(glob("**a".repeat(20) + "b").matches(path)).isFalse();
    assertThat(glob("*a".repeat(20) + "*").matches(path)).isTrue();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "*",
        "**",
        "*.json",
        "**.json",
        "**/*.json",
        "*/*",
        "*.{json,xml}",
        "{a,b}",
        "{a,}",
        "?",
        "??",
        "[ab]",
        "[!ab]",
        "[^ab]",
        "[a-c]*",
        "[a-]",
        "[-a]",
        "[*]",
        "a[?]",
        "a\\*",
        "a\\{b",
        "a,b",
        "a}b",
        "[\\]",
        "a\\\\b",
        "(a)",
        "\\[a\\]",
        "*.tar.gz",
        "caf?",
        "a+",
        "$",
        "[a&&b]",
        "{*.json,a/**}",
        "*[!n]",
        "a/[!/]*"
      })
  void aGlobMatchesWhatTheJdkMatches(String pattern) {
    PathMatcher expected;
    try {
      expected = FileSystems.getDefault().getPathMatcher("glob:" + pattern);
    } catch (java.util.regex.PatternSyntaxException e) {
      assertThatThrownBy(() -> glob(pattern)).hasMessageContaining("\"glob\" is a pattern");
      return;
    }
    Glob glob = glob(pattern);
    for (String path : PATHS) {
      assertThat(glob.matches(Path.of(path)))
          .as("%s of %s", path, pattern)
          .isEqualTo(expected.matches(Path.of(path)));
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "[a      | a [ has no ]",
        "{a      | a { has no }",
        "{a,{b}} | a { within another",
        "[a/b]   | a / between [ and ]",
        "a\\     | nothing follows its last \\",
        "[z-a]   | invalid character class range"
      })
  void aPatternThatIsNoGlobIsRefused(String pattern, String cause) {
    assertThatThrownBy(() -> glob(pattern))
        .hasMessageContaining("\"glob\" is a pattern as *.json, not \"%s\"", pattern)
        .hasMessageContaining(cause);
  }
}
