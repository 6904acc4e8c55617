package io.callboard.codecs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class OutboxEntryTest {
  private static final MessageType TYPE = new MessageType("note", 1);
  private static final byte[] ENTRY = OutboxEntry.encode(mail());

  private static Map<ActorPath, List<Envelope>> mail() {
    Map<ActorPath, List<Envelope>> mail = new LinkedHashMap<>();
    mail.put(ActorPath.of("/space/b"), List.of(note(1), note(2)));
    mail.put(ActorPath.of("/space/a"), List.of(note(3)));
    return mail;
  }

  private static Envelope note(long number) {
    byte[] body = "{\"text\":\"ü%d\"}".formatted(number).getBytes(StandardCharsets.UTF_8);
    return new Envelope(new MessageId("/space/s", number), TYPE, body, null);
  }

  @Test
  void entriesAreReadInTheOrderInWhichTheyWereWritten() {
    assertThat(OutboxEntry.decode("it", ENTRY)).containsExactlyEntriesOf(mail());
    assertThat(new String(ENTRY, StandardCharsets.UTF_8).lines())
        .hasSize(1 + 3 + 2)
        .first()
        .asString()
        .contains("\"/space/b\"");
  }

  @Test
  void aNewerFormatIsRefusedByItsName() {
    byte[] newer =
        new String(ENTRY, StandardCharsets.UTF_8)
            .replaceFirst("\"f\":1", "\"f\":2")
            .getBytes(StandardCharsets.UTF_8);
    assertThatThrownBy(() -> OutboxEntry.decode("the entry", newer))
        .isInstanceOf(CodecException.class)
        .hasMessageContaining("the entry");
  }

  @Test
  void aFirstLineThatLacksSomethingIsRefused() {
    for (String line :
        List.of(
            "{\"f\":1}",
            "{\"f\":1,\"to\":null}",
            "{\"f\":1,\"to\":[]}",
            "{\"f\":1,\"to\":[null]}",
            "{\"f\":1,\"to\":[{\"bytes\":5}]}",
            "{\"f\":1,\"to\":[{\"actor\":\"/a\"}]}")) {
      byte[] entry = (line + "\n12345").getBytes(StandardCharsets.UTF_8);
      assertThatThrownBy(() -> OutboxEntry.decode("the entry", entry))
          .as(line)
          .isInstanceOf(CodecException.class)
          .hasMessageContaining("the entry");
    }
  }

  @Test
  void everyTruncationIsRefused() {
    for (int length = 0; length < ENTRY.length; length++) {
      byte[] cut = Arrays.copyOf(ENTRY, length);
      assertThatThrownBy(() -> OutboxEntry.decode("it", cut)).isInstanceOf(CodecException.class);
    }
  }

  @Test
  void noDamageIsReadAsSomethingElse() {
    SplittableRandom random = new SplittableRandom(17);
    for (int i = 0; i < 20_000; i++) {
      byte[] damaged = ENTRY.clone();
      damaged[random.nextInt(damaged.length)] ^= (byte) (1 << random.nextInt(8));
      try {
        // what is undetected may only be the name of a receiver
        assertThat(OutboxEntry.decode("it", damaged).values())
            .containsExactlyElementsOf(mail().values());
      } catch (CodecException e) {
        assertThat(e).hasMessageContaining("it");
      }
    }
  }
}
