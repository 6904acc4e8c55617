package io.callboard.codecs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class TimerEntryTest {
  private static final int MUTATIONS = 20_000;

  private record Remind(String what) {}

  private static TimerEntry entry() {
    Envelope message =
        Envelope.of(new MessageId("/a/b~timer", 7), new Remind("it \" \n"), null)
            .with(new Handling(0, 0, 7));
    return new TimerEntry("a \"key\"", 1_763_759_224_000L, 60_000, false, message);
  }

  @Test
  void readsWhatItWrote() {
    byte[] bytes = entry().encode();
    assertThat(TimerEntry.is(bytes)).isTrue();
    assertThat(TimerEntry.decode("it", bytes)).isEqualTo(entry());
    assertThat(TimerEntry.decode("it", entry().inMailbox().encode()).fired()).isTrue();
    assertThat(new String(bytes, StandardCharsets.UTF_8))
        .startsWith("{\"f\":2,\"timer\":{\"key\":");
  }

  @Test
  void isOnNoWay() {
    assertThat(OutboxEntry.decode("it", entry().encode())).isEmpty();
    byte[] mail = OutboxEntry.encode(Map.of(ActorPath.of("/a/b"), List.of(entry().message())));
    assertThat(TimerEntry.is(mail)).isFalse();
  }

  @Test
  void aMutatedOneIsReadOrRefused() {
    SplittableRandom random = new SplittableRandom(3);
    int refused = 0;
    for (int i = 0; i < MUTATIONS; i++) {
      byte[] bytes = entry().encode();
      bytes[random.nextInt(bytes.length)] ^= (byte) (1 << random.nextInt(8));
      try {
        assertThat(TimerEntry.decode("it", bytes).message().handling().timer()).isEqualTo(7);
      } catch (CodecException e) {
        assertThat(e.getMessage()).contains("it");
        refused++;
      }
    }
    assertThat(refused).isGreaterThan(MUTATIONS / 2);
  }

  @Test
  void anEntryWithoutAMessageIsNoTimer() {
    byte[] line =
        "{\"f\":2,\"timer\":{\"key\":\"k\",\"dueMs\":1,\"everyMs\":0,\"fired\":false}}"
            .getBytes(StandardCharsets.UTF_8);
    assertThatThrownBy(() -> TimerEntry.decode("it", line)).isInstanceOf(CodecException.class);
  }
}
