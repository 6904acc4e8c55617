package io.callboard.codecs;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Test;

class RawMessageTest {
  private static final MessageType ORDER = new MessageType("order", 3);
  private static final MessageId ID = new MessageId("/a", 1);

  private static RawMessage raw(String json) {
    return new RawMessage(ORDER, json.getBytes(UTF_8));
  }

  @Test
  void aRawMessageTravelsAsWhatItWas() {
    Envelope envelope = Envelope.of(ID, raw("{\"n\":1.10}"), null);
    assertThat(envelope.type()).isEqualTo(ORDER);
    List<Envelope> stored = Segment.decode("a segment", Segment.encode(List.of(envelope)));
    RawMessage read = ProtocolCodec.of(RawMessage.class).decode(stored.get(0));
    assertThat(read).isEqualTo(raw("{\"n\":1.10}"));
  }

  @Test
  void ofOtherMessagesItIsTheProtocol() {
    record Note(long n) {}
    Envelope envelope = Envelope.of(ID, new Note(5), null);
    RawMessage read = ProtocolCodec.of(RawMessage.class).decode(envelope);
    assertThat(read.type()).isEqualTo(new MessageType("note", 1));
    assertThat(new String(read.body(), UTF_8)).isEqualTo("{\"n\":5}");
  }

  @Test
  void textThatIsNoJsonIsRefusedAndLineBreaksSpoilNoSegment() {
    for (String bad : List.of("", "{", "{},\"d\":1", "{}}\n{")) {
      assertThatThrownBy(() -> Envelope.of(ID, raw(bad), null)).isInstanceOf(CodecException.class);
    }
    Envelope pretty = Envelope.of(ID, raw("{\n  \"n\" : 1\n}"), null);
    assertThat(new String(pretty.body(), UTF_8)).isEqualTo("{\"n\":1}");
  }
}
