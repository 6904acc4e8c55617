package io.callboard.pollers.internal.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.callboard.pollers.source.SourceMessage;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.json.JsonObject;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Checks the messages that elements of lists are, without a server. */
class ListElementTest {
  private static SourceMessage read(String content, JsonObject more) throws Unreadable {
    JsonObject settings =
        new JsonObject().put("url", "redis://localhost").put("list", "l").mergeIn(more);
    ListSettings read = ListSettings.of(settings);
    return new ListElement("7-a", 1, Buffer.buffer(content)).message(read);
  }

  private static SourceMessage envelope(String content) throws Unreadable {
    return read(content, new JsonObject().put("format", "envelope"));
  }

  @Test
  void numbersOfEnvelopesKeepTheirDigits() throws Exception {
    SourceMessage message =
        envelope(
            """
            {"id": 1234567890123456789.01, "headers": {"sum": 0.12345678901234567890, "none": null},
             "body": {"sum": 12345678901234567.89, "price": 1.10}}
            """);
    assertThat(message.id()).isEqualTo("1234567890123456789.01");
    assertThat(message.headers()).isEqualTo(Map.of("sum", "0.12345678901234567890"));
    assertThat(message.body().toString())
        .isEqualTo("{\"sum\":12345678901234567.89,\"price\":1.10}");
  }

  @Test
  void headersOfEnvelopesAreTexts() throws Exception {
    assertThat(
            envelope(
                    "{\"headers\":{\"t\":\"a\",\"n\":7,\"b\":true,\"o\":{\"x\":[1]}},\"body\":\"\"}")
                .headers())
        .isEqualTo(Map.of("t", "a", "n", "7", "b", "true", "o", "{\"x\":[1]}"));
  }

  @Test
  void idsThatAreEqualAsDoublesAreTwo() throws Exception {
    JsonObject settings = new JsonObject().put("id", "order");
    assertThat(read("{\"order\":1234567890123456789.01}", settings).id())
        .isNotEqualTo(read("{\"order\":1234567890123456789.02}", settings).id());
    assertThat(read("{\"order\":null}", settings).id()).isEqualTo("7-a");
    assertThat(read("no JSON", settings).id()).isEqualTo("7-a");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "{\"id\":\"1\",\"id\":\"2\",\"body\":\"\"} | the key \"id\" is there twice: keep one of them",
        "{\"headers\":{\"a\":1,\"a\":2},\"body\":\"\"} | the key \"a\" is there twice: keep one of them",
        "{\"body\":{\"a\":1,\"a\":2}} | the key \"a\" is there twice: keep one of them",
        "[1] | it is no envelope, which is a JSON object",
      })
  void anEnvelopeThatCannotBeReadIsRefusedWithTheReason(String content, String reason) {
    assertThatThrownBy(() -> envelope(content))
        .isInstanceOf(Unreadable.class)
        .hasMessageContaining(reason);
  }

  @ParameterizedTest
  @ValueSource(strings = {"AP8K", "_w", "_w=="})
  void bytesOfEnvelopesAreInTheAlphabetOfUrls(String base64) throws Exception {
    assertThat(envelope("{\"base64\":\"" + base64 + "\"}").body().length()).isPositive();
  }
}
