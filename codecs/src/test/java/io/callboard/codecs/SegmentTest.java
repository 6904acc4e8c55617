package io.callboard.codecs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.zip.CRC32C;
import org.junit.jupiter.api.Test;

class SegmentTest {
  private static final int MUTATIONS = 100_000;

  private static final BlobRef BLOB = new BlobRef("node.1f0c.7", 90_000, 2, "0e5fd1a2");

  private static final String TRACED_CRC = "a3fa332d";

  private record Note(String text) {}

  private static List<Envelope> some() {
    return List.of(
        Envelope.of(new MessageId("/a/b", 17), new Note("one"), null),
        Envelope.of(new MessageId("/a/b", 18), new Note("zwei \" \n ö 😀"), null),
        Envelope.of(new MessageId("/a/b", 25), new Note(""), "node#5"),
        Envelope.of(new MessageId("edge: \"odd\\ name\"", 1), new Note("x"), null),
        new Envelope(
            new MessageId("/c", Long.MAX_VALUE), new MessageType("other", 3), ascii("7"), null),
        new Envelope(new MessageId("/c", 1), new MessageType("big", 1), BLOB, "node#6"));
  }

  private static byte[] ascii(String text) {
    return text.getBytes(StandardCharsets.US_ASCII);
  }

  @Test
  void readsWhatItWrote() {
    assertThat(Segment.decode("it", Segment.encode(some()))).isEqualTo(some());
  }

  @Test
  void leavesOutWhatALineSharesWithTheOneBefore() {
    String text = new String(Segment.encode(some().subList(0, 2)), StandardCharsets.UTF_8);
    assertThat(text.lines())
        .hasSize(3)
        .satisfies(lines -> assertThat(lines.get(2)).startsWith("{\"b\":{\"text\":\"zwei"));
  }

  @Test
  void readsTheFormatBefore() {
    String text =
        "{\"f\":1,\"e\":[{\"from\":\"/a\",\"n\":2,\"t\":\"note\",\"v\":1,\"b\":{\"text\":\"old\"}}]}";
    Envelope old = Segment.decode("it", ascii(text)).get(0);
    assertThat(ProtocolCodec.of(Note.class).decode(old)).isEqualTo(new Note("old"));
  }

  @Test
  void readsTheFormatBeforeReferencesAndWritesItWithoutThem() {
    List<Envelope> inline = some().subList(0, 5);
    assertThat(new String(Segment.encode(inline), StandardCharsets.UTF_8)).startsWith("{\"f\":2,");
    assertThat(Segment.decode("it", Segment.encode(inline))).isEqualTo(inline);
    assertThat(new String(Segment.encode(some()), StandardCharsets.UTF_8)).startsWith("{\"f\":3,");
  }

  @Test
  void sayHowTheyWantToBeHandled() {
    List<Envelope> special =
        List.of(
            some().get(0).with(new Handling(2, 0, 0)),
            some().get(2).with(new Handling(1, 1_763_759_224_000L, 0)),
            some().get(3),
            some().get(5).with(new Handling(0, Long.MAX_VALUE, 1L << 62)));
    String text = new String(Segment.encode(special), StandardCharsets.UTF_8);
    assertThat(text).startsWith("{\"f\":4,").contains("\"p\":2,\"b\"", "\"d\":1763759224000,");
    assertThat(Segment.decode("it", Segment.encode(special))).isEqualTo(special);
    for (Envelope each : special) {
      assertThat(Segment.decode("it", Segment.encode(each))).isEqualTo(each);
    }
  }

  @Test
  void tracedMessagesAreWrittenInANewerFormatAndOthersAsBefore() {
    TraceContext trace =
        new TraceContext("00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01", "a=\"1\",b=2");
    List<Envelope> untraced = some().subList(0, 2);
    List<Envelope> traced =
        List.of(
            some().get(0).with(trace),
            some().get(1),
            some().get(5).with(new TraceContext(trace.parent(), null)).with(new Handling(1, 0, 0)));
    assertThat(new String(Segment.encode(traced), StandardCharsets.UTF_8))
        .isEqualTo(
            """
            {"f":5,"n":3,"c":"%s"}
            {"from":"/a/b","n":17,"t":"note","v":1,"tp":"00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01","ts":"a=\\"1\\",b=2","b":{"text":"one"}}
            {"b":{"text":"zwei \\" \\n ö \\uD83D\\uDE00"}}
            {"from":"/c","n":1,"t":"big","v":1,"r":"node#6","p":1,"tp":"00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01","blob":{"id":"node.1f0c.7","bytes":90000,"parts":2,"crc":"0e5fd1a2"}}
            """
                .formatted(TRACED_CRC));
    assertThat(Segment.decode("it", Segment.encode(traced))).isEqualTo(traced);
    for (Envelope each : traced) {
      assertThat(Segment.decode("it", Segment.encode(each))).isEqualTo(each);
    }
    assertThat(new String(Segment.encode(untraced), StandardCharsets.UTF_8))
        .startsWith("{\"f\":2,\"n\":2,\"c\":\"");
    assertThat(new String(Segment.encode(some()), StandardCharsets.UTF_8)).startsWith("{\"f\":3,");
    Envelope lane = some().get(0).with(new Handling(1, 0, 0));
    assertThat(new String(Segment.encode(List.of(lane)), StandardCharsets.UTF_8))
        .startsWith("{\"f\":4,");
  }

  @Test
  void aLaneThatDoesNotExistIsRefused() {
    String line = "{\"from\":\"/a\",\"n\":1,\"t\":\"note\",\"v\":1,\"p\":3,\"b\":{}}\n";
    CRC32C crc = new CRC32C();
    crc.update(ascii(line));
    String text = "{\"f\":4,\"n\":1,\"c\":\"%08x\"}\n%s".formatted(crc.getValue(), line);
    assertThatThrownBy(() -> Segment.decode("it", ascii(text)))
        .isInstanceOf(CodecException.class)
        .hasMessageContaining("lane 3");
  }

  @Test
  void aReferenceStandsForTheBody() {
    Envelope note = Envelope.of(new MessageId("/a", 1), new Note("x".repeat(5_000)), null);
    BlobRef blob = BlobRef.of("node.1.1", note.body(), 1_000);
    assertThat(blob.parts()).isEqualTo(6);
    Envelope sent = note.in(blob);
    assertThat(sent.lacksBody()).as("its receiver may be in this process").isFalse();
    assertThat(sent.bytes()).isEqualTo(note.body().length);
    Envelope read = Segment.decode("it", Segment.encode(List.of(sent))).get(0);
    assertThat(read.lacksBody()).isTrue();
    assertThat(read.blob()).isEqualTo(blob);
    assertThat(Segment.decode("it", Segment.encode(read))).isEqualTo(read);
    assertThat(blob.fits(note.body())).isTrue();
    byte[] damaged = note.body().clone();
    damaged[7] ^= 1;
    assertThat(blob.fits(damaged)).isFalse();
    assertThat(ProtocolCodec.of(Note.class).decode(read.withBody(note.body())))
        .isEqualTo(note.message());
  }

  @Test
  void noticesEveryChangedByte() {
    byte[] bytes = Segment.encode(some());
    for (int i = 0; i < bytes.length; i++) {
      byte[] damaged = bytes.clone();
      damaged[i] ^= 4;
      assertThatThrownBy(() -> Segment.decode("it", damaged))
          .as("byte %d", i)
          .isInstanceOf(CodecException.class);
    }
  }

  /** Mutated segments have a checksum that fits, as a hostile writer would make it. */
  @Test
  void refusesAnythingElseWithItsOwnError() {
    SplittableRandom random = new SplittableRandom(1);
    String text = new String(Segment.encode(some()), StandardCharsets.UTF_8);
    byte[] lines = text.substring(text.indexOf('\n') + 1).getBytes(StandardCharsets.UTF_8);
    int read = 0;
    for (int i = 0; i < MUTATIONS; i++) {
      try {
        read += Segment.decode("it", signed(mutate(lines, random))).size();
      } catch (CodecException e) {
        assertThat(e).hasMessageContaining("it ");
      }
    }
    assertThat(read).as("some still are segments").isPositive();
  }

  private static byte[] mutate(byte[] lines, SplittableRandom random) {
    List<Byte> bytes = new ArrayList<>();
    for (byte each : lines) {
      bytes.add(each);
    }
    for (int change = random.nextInt(4); change >= 0; change--) {
      int at = random.nextInt(bytes.size());
      switch (random.nextInt(4)) {
        case 0 -> bytes.set(at, (byte) random.nextInt(256));
        case 1 -> bytes.add(at, (byte) "{}[]\":,\\\n0b".charAt(random.nextInt(11)));
        case 2 -> bytes.subList(at, bytes.size()).clear();
        default -> bytes.remove(at);
      }
      if (bytes.isEmpty()) {
        bytes.add((byte) '{');
      }
    }
    byte[] mutated = new byte[bytes.size()];
    for (int i = 0; i < mutated.length; i++) {
      mutated[i] = bytes.get(i);
    }
    return mutated;
  }

  private static byte[] signed(byte[] lines) {
    CRC32C crc = new CRC32C();
    crc.update(lines);
    String header = "{\"f\":3,\"n\":6,\"c\":\"%08x\"}\n".formatted(crc.getValue());
    return (header + new String(lines, StandardCharsets.ISO_8859_1))
        .getBytes(StandardCharsets.ISO_8859_1);
  }
}
