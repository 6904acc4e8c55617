package io.callboard.internal.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assertions.assertThrows;

import com.fasterxml.jackson.databind.JsonNode;
import io.callboard.CallboardException;
import io.callboard.CallboardException.Code;
import io.callboard.admin.ParkedFilter;
import io.callboard.codecs.ActorPath;
import io.callboard.codecs.CodecException;
import io.callboard.codecs.Envelope;
import io.callboard.codecs.Json;
import io.callboard.codecs.MessageId;
import io.callboard.codecs.MessageType;
import io.callboard.codecs.Segment;
import io.callboard.internal.parked.ParkedContent;
import io.callboard.internal.readahead.MailboxMessage;
import io.callboard.internal.unit.CommitUnitBuilder;
import io.callboard.internal.unit.UnreadableSegment;
import io.callboard.journal.SnapshotPolicy;
import io.callboard.store.ActorRecord;
import io.callboard.store.Lease;
import io.callboard.store.Limits;
import io.callboard.store.StoreException;
import io.callboard.store.StoredParked;
import io.callboard.store.StoredSnapshot;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** Records and parked messages that nobody honest wrote: refused with what the caller expects. */
class HostileStoreTest {
  private static final int MUTATIONS = 20_000;
  private static final ActorPath ACTOR = ActorPath.of("/a");

  private record Count(int value) {}

  private static byte[] mutate(byte[] original, SplittableRandom random) {
    byte[] bytes = original.clone();
    for (int left = 1 + random.nextInt(3); left > 0; left--) {
      int at = random.nextInt(bytes.length);
      switch (random.nextInt(5)) {
        case 0 -> bytes[at] = (byte) random.nextInt(256);
        case 1 -> bytes[at] ^= (byte) (1 << random.nextInt(8));
        case 2 -> bytes = Arrays.copyOf(bytes, Math.max(1, at));
        case 3 -> bytes[at] = (byte) "{}[]\":,\\0-e.".charAt(random.nextInt(12));
        default -> System.arraycopy(bytes, 0, bytes, at, Math.min(16, bytes.length - at));
      }
    }
    return bytes;
  }

  @Test
  void aMutatedRecordIsReadOrRefused() {
    SplittableRandom random = new SplittableRandom(11);
    ActorRecord record =
        new ActorRecord(7, 3, 9, 2, 40, List.of(StoredSnapshot.inPlace(5, new Count(12))));
    int refused = 0;
    for (int i = 0; i < MUTATIONS; i++) {
      try {
        ActorRecord read = ActorRecord.decode("it", mutate(record.encode(), random));
        assertThat(read.turn()).isNotNegative();
        assertThat(read.offset()).isNotNegative();
        read.state(Count.class).ifPresent(count -> assertThat(count).isNotNull());
      } catch (CodecException e) {
        refused++;
      } catch (StoreException e) {
        assertThat(e.kind()).isEqualTo(StoreException.Kind.CORRUPT);
        refused++;
      }
    }
    assertThat(refused).isBetween(MUTATIONS / 3, MUTATIONS - 100);
  }

  @Test
  void aRecordOfImpossibleNumbersIsRefused() {
    for (String field : List.of("turn", "epoch", "next", "offset", "sent", "journalFrom")) {
      for (String value : List.of("-1", "1e3", "99999999999999999999", "\"1\"", "null", "[]")) {
        String json =
            new String(ActorRecord.EMPTY.encode(), StandardCharsets.UTF_8)
                .replaceFirst("\"" + field + "\":0", "\"" + field + "\":" + value);
        assertThatThrownBy(() -> ActorRecord.decode("it", json.getBytes(StandardCharsets.UTF_8)))
            .as(json)
            .isInstanceOfAny(CodecException.class, StoreException.class);
      }
    }
  }

  private static Envelope envelope(byte[] body) {
    return new Envelope(new MessageId("/b", 4), new MessageType("count", 1), body, "x#1");
  }

  private static byte[] parked(Envelope envelope, Throwable cause) {
    return parked(MailboxMessage.of(0, 0, 0, true, envelope), cause);
  }

  private static byte[] parked(MailboxMessage mailboxMessage, Throwable cause) {
    return new CommitUnitBuilder(ACTOR, SnapshotPolicy.DEFAULT, false)
        .park(
            new CommitUnitBuilder.Basis(
                ActorRecord.EMPTY, 0, new Lease(ACTOR.partition(4), 1, "node", "boot", 0)),
            mailboxMessage,
            cause,
            1,
            null,
            null)
        .write()
        .orElseThrow()
        .parked()
        .get("0-0");
  }

  @Test
  void aMutatedParkedMessageIsReadOrRefused() {
    SplittableRandom random = new SplittableRandom(12);
    byte[] stored = parked(envelope(Json.bytes(new Count(1))), new IllegalStateException("why"));
    ParkedFilter filter =
        new ParkedFilter(Optional.empty(), Optional.of("count"), Optional.of("why"));
    int refused = 0;
    for (int i = 0; i < MUTATIONS; i++) {
      StoredParked one = new StoredParked(ACTOR, "0-0", mutate(stored, random));
      assertThat(ParkedContent.matches(filter, one)).isIn(true, false);
      try {
        Envelope again = ParkedContent.read(one).message(null);
        assertThat(Segment.encode(List.of(again))).isNotEmpty();
      } catch (CallboardException e) {
        assertThat(e.code()).isEqualTo(Code.BAD_MESSAGE);
        refused++;
      }
    }
    assertThat(refused).isBetween(MUTATIONS / 3, MUTATIONS - 100);
  }

  private static JsonNode parkedSegment(byte[] bytes) {
    CodecException why =
        assertThrows(CodecException.class, () -> Segment.decode("segment 0 of /a", bytes));
    byte[] stored = parked(MailboxMessage.unreadable(0, 0, bytes, why), why);
    assertThat(stored).hasSizeLessThan(Limits.UNIT_BYTES / 2);
    StoredParked one = new StoredParked(ACTOR, "0-0", stored);
    assertThatThrownBy(() -> ParkedContent.read(one).message(null))
        .hasMessageContaining("/a")
        .hasMessageContaining("can be discarded but not replayed")
        .hasMessageContaining("segment 0 of /a");
    JsonNode read = Json.parse("it", stored);
    assertThat(read.path("f").asInt()).isEqualTo(3);
    assertThat(read.path("cause").asText()).contains("segment 0 of /a");
    return read.path("segment");
  }

  @Test
  void aSegmentThatCannotBeReadIsParkedWithItsBytes() throws Exception {
    byte[] text = Segment.encode(List.of(envelope(Json.bytes(new Count(1)))));
    text[text.length - 5] ^= 1;
    JsonNode damaged = parkedSegment(text);
    assertThat(damaged.path("text").asText().getBytes(StandardCharsets.UTF_8)).isEqualTo(text);
    assertThat(damaged.path("bytes").asInt()).isEqualTo(text.length);
    assertThat(damaged.path("cut").asInt(-1)).isZero();
    assertThat(damaged.has("base64")).isFalse();
    byte[] binary = {(byte) 0xff, 0, (byte) 0xfe};
    JsonNode garbage = parkedSegment(binary);
    assertThat(garbage.path("base64").binaryValue()).isEqualTo(binary);
    assertThat(garbage.has("text")).isFalse();
    assertThat(parkedSegment(new byte[0]).path("text").asText("none")).isEmpty();
  }

  @Test
  void aLongSegmentIsCutBetweenCharactersAndSaysHowMuch() throws Exception {
    byte[] text = ("xy" + "\u20ac".repeat(50_000)).getBytes(StandardCharsets.UTF_8);
    JsonNode cut = parkedSegment(text);
    byte[] kept = cut.path("text").asText().getBytes(StandardCharsets.UTF_8);
    assertThat(kept).hasSizeBetween(UnreadableSegment.MOST_BYTES - 3, UnreadableSegment.MOST_BYTES);
    assertThat(kept).isEqualTo(Arrays.copyOf(text, kept.length));
    assertThat(cut.path("cut").asInt()).isEqualTo(text.length - kept.length);
    byte[] controls = new byte[Limits.UNIT_BYTES];
    assertThat(parkedSegment(controls).path("text").asText()).hasSize(UnreadableSegment.MOST_BYTES);
    byte[] binary = new byte[Limits.UNIT_BYTES];
    Arrays.fill(binary, (byte) 0xff);
    JsonNode garbage = parkedSegment(binary);
    assertThat(garbage.path("base64").binaryValue()).hasSize(UnreadableSegment.MOST_BYTES);
    assertThat(garbage.path("cut").asInt()).isEqualTo(binary.length - UnreadableSegment.MOST_BYTES);
  }

  @Test
  void aParkedMessageIsKeptAndFitsWhateverItsCause() {
    byte[] largest = new byte[Limits.INLINE_BYTES];
    Arrays.fill(largest, (byte) 0xff);
    Throwable endless = new IllegalStateException("\ud800".repeat(2_000_000));
    byte[] stored = parked(envelope(largest), endless);
    assertThat(stored).hasSizeLessThan(Limits.UNIT_BYTES / 2);
    StoredParked one = new StoredParked(ACTOR, "0-0", stored);
    assertThat(ParkedContent.read(one).message(null)).isEqualTo(envelope(largest));
  }
}
