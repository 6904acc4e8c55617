package io.callboard.bootstrap.client;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class TerminalTextTest {
  @Test
  void commandsToATerminalAreLeftOut() {
    assertThat(TerminalText.text("a\u001b[31m\u009b2Jred\r\nb\tc"))
        .isEqualTo("a [31m 2Jred \nb\tc");
    assertThat(TerminalText.text("exit \u202e3 edoc\u2069 \u200fx\u2028y"))
        .isEqualTo("exit  3 edoc   x y");
    assertThat(TerminalText.text("größer, 日本, 👩‍🔧")).isEqualTo("größer, 日本, 👩‍🔧");
  }

  @Test
  void aLineIsOneLine() {
    assertThat(TerminalText.line(" a\u0007\u001b\r\n \u202e b\u2029")).isEqualTo("a b");
  }
}
