package io.callboard.codecs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class JournalTest {
  private static final Instant AT = Instant.parse("2026-11-22T10:15:30.123Z");

  private final ProtocolCodec<Event> codec = ProtocolCodec.of(Event.class);

  sealed interface Event {
    record Deposited(long cents) implements Event {}

    @Named(value = "noted", version = 3)
    record Noted(String text) implements Event {
      @Upcast(from = 1)
      static com.fasterxml.jackson.databind.node.ObjectNode second(
          com.fasterxml.jackson.databind.node.ObjectNode old) {
        return old.put("text", old.get("words").asText());
      }

      @Upcast(from = 2)
      static com.fasterxml.jackson.databind.node.ObjectNode third(
          com.fasterxml.jackson.databind.node.ObjectNode old) {
        return old;
      }
    }
  }

  static <E> List<E> events(JournalReader reader, ProtocolCodec<E> codec) {
    List<E> events = new ArrayList<>();
    while (reader.next()) {
      events.add(reader.event(codec));
    }
    return events;
  }

  static <E> List<E> writtenAndRead(List<E> events, ProtocolCodec<E> codec) {
    return events(Journal.read("it", entry(1, 1, events), 1), codec);
  }

  private static byte[] entry(long turn, long first, List<?> events) {
    return Journal.encode(turn, first, AT, events.stream().map(WrittenEvent::of).toList());
  }

  private static byte[] utf8(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  @Test
  void eventsAreReadWithTheirNumbers() {
    List<Event> events =
        List.of(
            new Event.Deposited(5),
            new Event.Deposited(7),
            new Event.Noted("a \"text\"\nof lines, {\"b\":1}"));
    JournalReader reader = Journal.read("it", entry(57, 1_234, events), 1);
    assertThat(reader.turn()).isEqualTo(57);
    assertThat(reader.first()).isEqualTo(1_234);
    assertThat(reader.count()).isEqualTo(3);
    assertThat(reader.at()).isEqualTo(AT);
    List<Long> numbers = new ArrayList<>();
    List<Event> read = new ArrayList<>();
    while (reader.next()) {
      numbers.add(reader.number());
      read.add(reader.event(codec));
      assertThat(reader.type()).isEqualTo(MessageType.of(read.get(read.size() - 1).getClass()));
    }
    assertThat(read).isEqualTo(events);
    assertThat(numbers).containsExactly(1_234L, 1_235L, 1_236L);
    assertThat(Journal.turn("it", entry(57, 1, events))).isEqualTo(57);
  }

  @Test
  void peopleCanReadIt() {
    assertThat(
            new String(
                entry(2, 9, List.of(new Event.Deposited(5), new Event.Deposited(7))),
                StandardCharsets.UTF_8))
        .matches(
            """
            \\{"f":2,"turn":2,"first":9,"n":2,"at":"2026-11-22T10:15:30\\.123Z","c":"[0-9a-f]{8}"}
            \\{"t":"deposited","v":1,"b":\\{"cents":5}}
            \\{"b":\\{"cents":7}}
            """);
  }

  @Test
  void theFirstFormatIsReadAndNumbered() {
    byte[] old =
        utf8(
            """
            {"f":1,"turn":3,"e":[{"t":"deposited","v":1,"b":{"cents":5}},\
            {"t":"noted","v":1,"b":{"words":"x"}}]}""");
    JournalReader reader = Journal.read("it", old, 41);
    assertThat(reader.turn()).isEqualTo(3);
    assertThat(reader.first()).isEqualTo(41);
    assertThat(reader.at()).isEqualTo(Instant.EPOCH);
    assertThat(events(reader, codec)).containsExactly(new Event.Deposited(5), new Event.Noted("x"));
    assertThat(Journal.turn("it", old)).isEqualTo(3);
  }

  @Test
  void anOldEventIsGivenAsItWasWritten() {
    JournalReader reader = Journal.read("it", entry(1, 8, List.of(new Event.Deposited(5))), 1);
    assertThat(reader.next()).isTrue();
    OldEvent old = reader.old();
    assertThat(old.number()).isEqualTo(8);
    assertThat(old.is("deposited")).isTrue();
    assertThat(old.body().get("cents").asLong()).isEqualTo(5);
    assertThat(reader.next()).isFalse();
  }

  @Test
  void aDamagedJournalIsRefused() {
    byte[] good = entry(1, 1, List.of(new Event.Deposited(5), new Event.Deposited(7)));
    for (int at = 0; at < good.length; at++) {
      byte[] bad = good.clone();
      bad[at] ^= 1;
      int place = at;
      try {
        JournalReader reader = Journal.read("it", bad, 1);
        // what is before the checksum tells only numbers, which the replay compares
        assertThat(events(reader, codec))
            .as("byte %d", place)
            .containsExactly(new Event.Deposited(5), new Event.Deposited(7));
      } catch (CodecException e) {
        assertThat(e).hasMessageStartingWith("it ");
      }
    }
    assertThatThrownBy(() -> Journal.read("it", utf8("{\"f\":3,\"turn\":1}"), 1))
        .isInstanceOf(CodecException.class)
        .hasMessageContaining("3");
    assertThatThrownBy(() -> Journal.read("it", utf8("{\"f\":2,\"turn\":1}"), 1))
        .isInstanceOf(CodecException.class)
        .hasMessageContaining("it is not a journal entry");
  }

  @Test
  void anEntryThatHoldsOtherThanItSaysIsRefused() {
    String good = new String(entry(1, 1, List.of(new Event.Deposited(5))), StandardCharsets.UTF_8);
    JournalReader more = Journal.read("it", utf8(good.replace("\"n\":1", "\"n\":2")), 1);
    assertThat(more.next()).isTrue();
    assertThatThrownBy(more::next)
        .isInstanceOf(CodecException.class)
        .hasMessageContaining("it holds 1 events, its header says 2");
  }
}
