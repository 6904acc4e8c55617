package io.callboard.codecs.internal.text;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.callboard.codecs.CodecException;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class Utf8Test {
  @ParameterizedTest
  @CsvSource({
    "UTF-16, UTF-16",
    "UTF-16LE, UTF-16",
    "UTF-16BE, UTF-16",
    "x-UTF-16LE-BOM, UTF-16",
    "UTF-32, UTF-32",
    "UTF-32LE, UTF-32",
    "UTF-32BE, UTF-32",
    "X-UTF-32LE-BOM, UTF-32",
    "X-UTF-32BE-BOM, UTF-32"
  })
  void anotherEncodingIsNamed(String charset, String name) {
    for (String text : new String[] {"{\"a\":\"caf\u00e9\"}", "[]", "7", "name: x\n"}) {
      assertThatThrownBy(() -> Utf8.text("the body", text.getBytes(Charset.forName(charset))))
          .isInstanceOf(CodecException.class)
          .hasMessage("the body cannot be read: it is %s, and must be UTF-8", name);
    }
  }

  @Test
  void theFirstByteThatIsNotUtf8IsShown() {
    byte[] latin = "{\"a\":\"caf\u00e9 au lait\"}".getBytes(StandardCharsets.ISO_8859_1);
    assertThatThrownBy(() -> Utf8.text("the body", latin))
        .hasMessage("the body cannot be read: it is not UTF-8, as it must be: byte 10 is 0xE9");
    assertThatThrownBy(() -> Utf8.text("the body", new byte[] {'a', (byte) 0xC3}))
        .hasMessageEndingWith("byte 2 is 0xC3");
  }

  @Test
  void utf8IsReadWithoutItsMark() {
    for (String text : new String[] {"", "a", "\u0000", "{}", "\ud83d\ude00", "caf\u00e9"}) {
      byte[] bytes = ("\ufeff" + text).getBytes(StandardCharsets.UTF_8);
      assertThat(Utf8.text("it", bytes)).isEqualTo(text);
      assertThat(Utf8.text("it", text.getBytes(StandardCharsets.UTF_8))).isEqualTo(text);
    }
  }
}
