package io.callboard.internal.eventbus;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.callboard.codecs.CodecException;
import io.callboard.codecs.Named;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.List;
import org.junit.jupiter.api.Test;

class BusCodecTest {
  @Named("said")
  record Said(String text) {}

  private static Object overTheWire(Object message) {
    BusCodec<Object> codec = new BusCodec<>(BusCodec.ANSWER);
    Buffer buffer = Buffer.buffer("before");
    codec.encodeToWire(buffer, message);
    return codec.decodeFromWire(6, buffer.appendString("behind"));
  }

  @Test
  void toAnotherNodeItIsTheJsonThatAnyActorTakes() {
    assertThat(overTheWire(new Said("ö")))
        .isEqualTo(new JsonObject().put("text", "ö").put("@type", "said").put("@version", 1));
    assertThat(overTheWire(List.of("a"))).isEqualTo(new JsonArray().add("a"));
    assertThat(overTheWire("text")).isEqualTo("text");
    assertThat(overTheWire(7)).isEqualTo(7L);
    assertThat(overTheWire(0.5)).isEqualTo(0.5);
    assertThat(overTheWire(true)).isEqualTo(true);
  }

  @Test
  void hereItIsTheObject() {
    Said said = new Said("a");
    assertThat(BusCodec.of(Said.class).transform(said)).isSameAs(said);
    assertThat(BusCodec.of(Said.class).name()).isEqualTo("callboard." + Said.class.getName());
  }

  @Test
  void aMessageThatIsNoJsonIsRefused() {
    Buffer buffer = Buffer.buffer().appendInt(3).appendString("{\"a");
    assertThatThrownBy(() -> BusCodec.of(Said.class).decodeFromWire(0, buffer))
        .isInstanceOf(CodecException.class);
    for (int length : List.of(-1, 100, Integer.MAX_VALUE)) {
      Buffer lying = Buffer.buffer().appendInt(length).appendString("{}");
      assertThatThrownBy(() -> BusCodec.of(Said.class).decodeFromWire(0, lying))
          .as("length %d", length)
          .isInstanceOf(CodecException.class)
          .hasMessageContaining("a message on the event bus cannot be read");
    }
  }
}
