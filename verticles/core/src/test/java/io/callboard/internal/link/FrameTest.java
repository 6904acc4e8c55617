package io.callboard.internal.link;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.callboard.CallboardException;
import io.callboard.CallboardException.Code;
import io.callboard.codecs.ActorPath;
import io.callboard.codecs.MessageType;
import io.callboard.internal.link.Frame.Acknowledgement;
import io.callboard.internal.link.Frame.Acknowledgement.Refusal;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class FrameTest {
  private static final Frame.Origin SELF = new Frame.Origin("boot-1", "nöde");
  private static final String EPOCH_12 = "\0".repeat(7) + "\f";
  private static final int MUTATIONS = 100_000;

  private final FrameWriter writer = new FrameWriter(SELF);

  private static final class Any extends OutgoingMessage {
    Any(MessageKind kind, String to, String from, String type, String body) {
      super(kind, ActorPath.of(to), from, kind == MessageKind.ASK ? 77 : 0, type(type), utf8(body));
    }

    Any(MessageKind kind, long number, String type, String body) {
      super(kind, "boot-2", number, type(type), utf8(body));
    }

    private static MessageType type(String name) {
      return new MessageType(name, 2);
    }

    @Override
    protected void accepted() {}

    @Override
    protected void refused(CallboardException cause) {}
  }

  private static byte[] utf8(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  private static Frame read(byte[] bytes) {
    return new FrameReader(bytes).read();
  }

  private byte[] data() {
    return writer.data(
        5,
        6,
        7,
        List.of(
            new Acknowledgement(1, 0, List.of()),
            new Acknowledgement(300, 2, List.of(new Refusal(1, Code.MAILBOX_FULL, "voll ⚠")))),
        List.of(
            new Any(MessageKind.TELL, "/a/b", "/me", "add", "{\"n\":1}"),
            new Any(MessageKind.TELL, "/a/b", "/me", "add", "{\"n\":2}"),
            new Any(MessageKind.ASK, "/c", "/me", "get", "{}"),
            new Any(MessageKind.TELL, "/a/b", "/you", "add", ""),
            new Any(MessageKind.ANSWER, 1L << 40, "total", "{\"value\":3}"),
            new Any(MessageKind.FAILURE, 9, "TIMEOUT", "too späte"),
            new Push("boot-2", ActorPath.of("/c"), 12, 0, utf8("a segment"))));
  }

  private static String body(IncomingMessage message) {
    return new String(message.frame(), message.offset(), message.length(), StandardCharsets.UTF_8);
  }

  @Test
  void dataIsReadAsItWasWritten() {
    assertThat(writer.hello(1, 1)).isNotEmpty();
    Frame.Data read = (Frame.Data) read(data());
    assertThat(read.origin()).isEqualTo(SELF);
    assertThat(List.of(read.link(), read.sequence(), read.acknowledged()))
        .containsExactly(5L, 6L, 7L);
    assertThat(read.acknowledgements().get(1).lost()).isEqualTo(2);
    assertThat(read.acknowledgements().get(1).refused())
        .containsExactly(new Refusal(1, Code.MAILBOX_FULL, "voll ⚠"));
    assertThat(read.messages())
        .extracting(FrameTest::body)
        .containsExactly(
            "{\"n\":1}",
            "{\"n\":2}",
            "{}",
            "",
            "{\"value\":3}",
            "too späte",
            EPOCH_12 + "a segment");
    assertThat(read.messages())
        .extracting(message -> message.kind() + " " + message.to() + " " + message.number())
        .containsExactly(
            "TELL /a/b 0",
            "TELL /a/b 0",
            "ASK /c 77",
            "TELL /a/b 0",
            "ANSWER null " + (1L << 40),
            "FAILURE null 9",
            "PUSH /c 0");
    Push.Received push = Push.Received.of(read.messages().get(6), "boot-1");
    assertThat(push.receiver()).isEqualTo(ActorPath.of("/c"));
    assertThat(List.of(push.epoch(), push.sequence())).containsExactly(12L, 0L);
    assertThat(push.segment()).isEqualTo(utf8("a segment"));
    assertThat(push.from()).isEqualTo("boot-1");
    assertThat(read.messages().get(3).from()).isEqualTo("/you");
    assertThat(read.messages().get(2).type()).isEqualTo(new MessageType("get", 2));
  }

  @Test
  void theOtherKindsAreReadAsTheyWereWritten() {
    assertThat(read(writer.hello(3, 4))).isEqualTo(new Frame.Hello(SELF, 3, 4));
    assertThat(read(writer.welcome(3, 10, 20))).isEqualTo(new Frame.Welcome(SELF, 3, 10, 20));
    assertThat(read(writer.takesPushes(3))).isEqualTo(new Frame.TakesPushes(SELF, 3));
    assertThat(read(writer.reset(3))).isEqualTo(new Frame.Reset(SELF, 3));
    assertThat(read(writer.bye())).isEqualTo(new Frame.Bye(SELF));
  }

  private byte[] broadcast() {
    return writer.broadcast(
        List.of(
            new Broadcasts.News("prices", "key", new MessageType("price", 2), utf8("{\"n\":1}")),
            new Broadcasts.News("prices", null, new MessageType("price", 2), utf8("{}")),
            new Broadcasts.News("notes", null, new MessageType("note", 1), utf8("[]"))));
  }

  @Test
  void newsAreReadAsTheyWereWrittenButForTheirKeys() {
    Frame.Broadcast read = (Frame.Broadcast) read(broadcast());
    assertThat(read.origin()).isEqualTo(SELF);
    assertThat(read.messages())
        .extracting(
            each -> each.name() + " " + each.key() + " " + each.type() + " " + text(each.body()))
        .containsExactly(
            "prices null " + new MessageType("price", 2) + " {\"n\":1}",
            "prices null " + new MessageType("price", 2) + " {}",
            "notes null " + new MessageType("note", 1) + " []");
    byte[] large = new byte[Broadcasts.MOST_BYTES + 1];
    byte[] frame =
        writer.broadcast(List.of(new Broadcasts.News("a", null, new MessageType("n", 1), large)));
    assertThatThrownBy(() -> read(frame)).hasMessageContaining("body");
  }

  private static String text(byte[] utf8) {
    return new String(utf8, StandardCharsets.UTF_8);
  }

  @Test
  void aPackedMessageCostsFewBytesBesideItsBody() {
    List<OutgoingMessage> many = new ArrayList<>();
    for (int n = 0; n < 100; n++) {
      many.add(
          new Any(MessageKind.TELL, "/some/actor", "/some/sender", "some-type", "x".repeat(100)));
    }
    int bytes = writer.data(1, 1, 0, List.of(), many).length;
    assertThat(bytes).isLessThan(100 * (100 + 8) + 100);
    assertThat(many.stream().mapToInt(OutgoingMessage::bytes).sum()).isGreaterThan(bytes);
  }

  @Test
  void anImpossiblePushIsRefused() {
    assertThatThrownBy(() -> new Push("b", ActorPath.of("/a"), 1, 1, new byte[Push.MOST_BYTES + 1]))
        .hasMessageContaining("at most 32768 bytes");
    MessageType segment = new MessageType("segment", 1);
    ActorPath to = ActorPath.of("/a");
    byte[] frame = new byte[Push.MOST_BYTES + 100];
    for (IncomingMessage bad :
        List.of(
            new IncomingMessage(MessageKind.PUSH, to, "", 1, segment, frame, 0, Long.BYTES),
            new IncomingMessage(MessageKind.PUSH, to, "", 1, segment, frame, 0, 3),
            new IncomingMessage(MessageKind.PUSH, to, "", 1, segment, frame, 0, frame.length),
            new IncomingMessage(
                MessageKind.PUSH, to, "", 1, new MessageType("segment", 2), frame, 0, 50),
            new IncomingMessage(MessageKind.PUSH, null, "", 1, segment, frame, 0, 50))) {
      assertThatThrownBy(() -> Push.Received.of(bad, "b")).isInstanceOf(FrameException.class);
    }
  }

  @Test
  void everyTruncationIsRefused() {
    byte[] whole = data();
    for (int length = 0; length < whole.length; length++) {
      byte[] part = Arrays.copyOf(whole, length);
      assertThatThrownBy(() -> read(part)).isInstanceOf(FrameException.class);
    }
    byte[] more = Arrays.copyOf(whole, whole.length + 1);
    assertThatThrownBy(() -> read(more)).hasMessageContaining("1 bytes are left");
  }

  @Test
  void aFrameThatIsTooLargeOrOfAnotherVersionIsRefused() {
    assertThatThrownBy(() -> read(new byte[WireFormat.FRAME_BYTES + 1]))
        .hasMessageContaining("limit");
    byte[] newer = writer.bye();
    newer[0] = 2;
    assertThatThrownBy(() -> read(newer)).hasMessageContaining("version 2, this node reads 1");
    byte[] large =
        writer.data(
            1,
            1,
            0,
            List.of(),
            List.of(
                new Any(MessageKind.TELL, "/a", "", "t", "x".repeat(WireFormat.BODY_BYTES + 1))));
    assertThatThrownBy(() -> read(large)).hasMessageContaining("body");
  }

  @Test
  void mutatedFramesAreReadOrRefusedAndNothingElse() {
    SplittableRandom random = new SplittableRandom(42);
    List<byte[]> originals =
        List.of(
            data(),
            writer.hello(1, 1),
            writer.welcome(1, 2, 3),
            writer.reset(1),
            writer.bye(),
            broadcast());
    int refused = 0;
    for (int n = 0; n < MUTATIONS; n++) {
      byte[] mutated = originals.get(random.nextInt(3) == 0 ? random.nextInt(6) : 0).clone();
      for (int left = 1 + random.nextInt(4); left > 0; left--) {
        int at = random.nextInt(mutated.length);
        switch (random.nextInt(4)) {
          case 0 -> mutated[at] = (byte) random.nextInt(256);
          case 1 -> mutated[at] ^= (byte) (1 << random.nextInt(8));
          case 2 -> mutated = Arrays.copyOf(mutated, Math.max(1, at));
          default -> System.arraycopy(mutated, 0, mutated, at, Math.min(8, mutated.length - at));
        }
      }
      try {
        Frame frame = read(mutated);
        assertThat(frame.origin().boot()).isNotEmpty();
      } catch (FrameException e) {
        assertThat(e).hasMessageNotContaining("java.");
        refused++;
      }
    }
    assertThat(refused).isGreaterThan(MUTATIONS / 4);
  }
}
