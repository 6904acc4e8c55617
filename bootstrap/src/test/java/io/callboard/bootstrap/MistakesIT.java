package io.callboard.bootstrap;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Test that a user's mistake is reported in one line, with how to correct it, by the process that a
 * user starts. The other cases are in {@link MistakesTest}.
 */
@Tag("long")
@Tag("real")
class MistakesIT {
  private static final Duration LIMIT = Duration.ofSeconds(60);

  static Stream<Arguments> mistakes() {
    return Stream.of(
        Arguments.of(
            List.of("--http-prot", "1"),
            Map.of(),
            2,
            "there is no option --http-prot; did you mean --http-port?"),
        Arguments.of(List.of("--http-host", "0.0.0.0"), Map.of(), 1, "without authentication"),
        Arguments.of(
            List.of(),
            Map.of("CALLBOARD_HTTP_PORT", "abc"),
            2,
            "(from the environment, CALLBOARD_HTTP_PORT)"),
        Arguments.of(
            List.of("job", "x"),
            Map.of("CALLBOARD_URL", "http://127.0.0.1:1"),
            1,
            "no node answers at http://127.0.0.1:1"));
  }

  @ParameterizedTest
  @MethodSource("mistakes")
  void aMistakeIsToldInOneLine(
      List<String> arguments, Map<String, String> environment, int code, String message)
      throws Exception {
    try (LaunchedNode node = LaunchedNode.launch(environment, arguments.toArray(String[]::new))) {
      assertThat(node.exitCode(LIMIT)).isEqualTo(code);
      oneLine(node, message);
    }
  }

  static void oneLine(LaunchedNode node, String message) throws IOException {
    assertThat(node.errors()).contains(message).doesNotContain("\tat ", "Exception");
    assertThat(node.errors().lines()).hasSize(1);
    assertThat(node.output()).isEmpty();
  }
}
