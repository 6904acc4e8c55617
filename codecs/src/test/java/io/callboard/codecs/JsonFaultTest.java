package io.callboard.codecs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

class JsonFaultTest {
  private static void faulty(String json, String why) {
    assertThatThrownBy(() -> Json.parse("it", json.getBytes(StandardCharsets.UTF_8)))
        .isInstanceOf(CodecException.class)
        .hasMessageStartingWith("it cannot be read: ")
        .hasMessageContaining(why)
        .satisfies(
            e ->
                assertThat(e.getMessage())
                    .doesNotContain("`", "Source", "Feature", "start marker"));
  }

  @Test
  void saysWhatIsWrongWithoutTheParsersVocabulary() {
    faulty("{\"a\":1,\"b\":2,\"a\":3}", "the key \"a\" is there twice: keep one of them");
    faulty("[".repeat(101) + "]".repeat(101), "it is nested deeper than 100 levels");
    faulty("1".repeat(1_001), "a limit is exceeded: number value length is 1001, at most 1000");
    faulty("{} {}", "something follows after its end");
    faulty("{\"a\":", "Unexpected end-of-input");
    faulty("{\"a\":tru}", "Unrecognized token 'tru'");
  }
}
