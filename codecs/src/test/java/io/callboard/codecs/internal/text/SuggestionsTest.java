package io.callboard.codecs.internal.text;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class SuggestionsTest {
  private static final List<String> NAMES =
      List.of("command", "env", "labels", "priority", "runAt");

  @Test
  void findsTheNameThatWasMeant() {
    assertThat(Suggestions.of("comand", NAMES)).contains("command");
    assertThat(Suggestions.of("COMMAND", NAMES)).contains("command");
    assertThat(Suggestions.of("label", NAMES)).contains("labels");
    assertThat(Suggestions.of("prioirty", NAMES)).contains("priority");
    assertThat(Suggestions.of("run_at", NAMES)).contains("runAt");
  }

  @Test
  void doesNotGuess() {
    assertThat(Suggestions.of("workingDirectory", NAMES)).isEmpty();
    assertThat(Suggestions.of("x".repeat(100_000), NAMES)).isEmpty();
    assertThat(Suggestions.hint("zzzzzz", NAMES))
        .isEqualTo("; there are command, env, labels, priority, runAt");
  }

  @Test
  void tenOfManyNamesAreGivenAndTheNumberOfTheOthers() {
    List<String> many = IntStream.range(0, 1000).mapToObj("type-%03d"::formatted).toList();
    assertThat(Suggestions.remedyOfMany("zzzzzz", many))
        .startsWith("there are type-000, type-001, ")
        .endsWith(", type-008, type-009 and 990 more");
    assertThat(Suggestions.remedyOfMany("zzzzzz", many.subList(0, 10))).endsWith(", type-009");
    assertThat(Suggestions.remedyOfMany("tpye-999", many)).isEqualTo("did you mean \"type-999\"?");
    assertThat(Suggestions.remedy("zzzzzz", many)).endsWith(", type-998, type-999");
  }

  @Test
  void countsAswapAsOne() {
    assertThat(Suggestions.distance("abcd", "abdc")).isEqualTo(1);
    assertThat(Suggestions.distance("", "abc")).isEqualTo(3);
  }
}
