package io.callboard.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.callboard.codecs.CodecException;
import io.callboard.codecs.Json;
import io.callboard.codecs.MessageType;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ActorRecordTest {
  record Total(int value) {}

  private static ActorRecord record(String type, int version, String state) {
    byte[] json = state.getBytes(StandardCharsets.UTF_8);
    return new ActorRecord(
        1, 1, 1, 0, 0, 1, new MessageType(type, version), Json.parse("the state", json));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "total | 1 | {\"value\":\"x\"} | state \"total\" of Total cannot be read: ",
        "total | 2 | {\"value\":1}     | state \"total\" of Total has version 2, this node reads",
        "sum   | 1 | {\"value\":1}     | protocol Total has no state \"sum\"; it knows [total]",
      })
  void aStateThatCannotBeReadIsCalledAState(
      String type, int version, String state, String message) {
    ActorRecord record = record(type, version, state);
    assertThatThrownBy(() -> record.state(Total.class))
        .isInstanceOf(CodecException.class)
        .hasMessageStartingWith(message)
        .satisfies(e -> assertThat(e.getMessage()).doesNotContain("message"));
  }

  @Test
  void oneThatCanIsRead() {
    assertThat(record("total", 1, "{\"value\":1}").state(Total.class)).contains(new Total(1));
  }
}
