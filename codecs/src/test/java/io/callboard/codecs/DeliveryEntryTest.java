package io.callboard.codecs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.charset.StandardCharsets;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class DeliveryEntryTest {
  private static final int MUTATIONS = 20_000;
  private static final ActorPath COURIER = ActorPath.of("/courier");

  private record Deliver(long id, String what) {}

  private static Envelope message() {
    Envelope sent =
        Envelope.of(new MessageId("/a/b~7", 1), new Deliver(7, "it \" \n"), "durable:/a/b");
    return new Envelope(sent.id(), sent.type(), sent.body(), sent.replyTo());
  }

  private static DeliveryEntry entry() {
    return new DeliveryEntry(COURIER, 2, 1_763_759_224_000L, message());
  }

  @Test
  void readsWhatItWrote() {
    byte[] bytes = entry().encode();
    assertThat(DeliveryEntry.is(bytes)).isTrue();
    assertThat(TimerEntry.is(bytes)).isFalse();
    assertThat(DeliveryEntry.decode("it", bytes)).isEqualTo(entry());
    assertThat(new String(bytes, StandardCharsets.UTF_8))
        .startsWith("{\"f\":3,\"delivery\":{\"to\":\"/courier\",\"attempts\":2,\"dueMs\":");
    assertThat(entry().again(9)).isEqualTo(new DeliveryEntry(COURIER, 3, 9, message()));
  }

  @Test
  void isOnNoWayToAMailbox() {
    assertThat(OutboxEntry.decode("it", entry().encode())).isEmpty();
  }

  @Test
  void aMutatedOneIsReadOrRefused() {
    SplittableRandom random = new SplittableRandom(3);
    int refused = 0;
    for (int i = 0; i < MUTATIONS; i++) {
      byte[] bytes = entry().encode();
      bytes[random.nextInt(bytes.length)] ^= (byte) (1 << random.nextInt(8));
      try {
        assertThat(DeliveryEntry.decode("it", bytes).message()).isEqualTo(message());
      } catch (CodecException e) {
        assertThat(e.getMessage()).contains("it");
        refused++;
      }
    }
    assertThat(refused).isGreaterThan(MUTATIONS / 2);
  }

  @Test
  void aParkedOneIsAMessageOfItsActor() {
    ParkedDelivery parked = new ParkedDelivery(7, COURIER, message());
    assertThat(ParkedDelivery.is(parked.envelope())).isTrue();
    assertThat(ParkedDelivery.is(message())).isFalse();
    assertThat(ParkedDelivery.read(parked.envelope(), "durable:/a/b")).isEqualTo(parked);
  }

  @Test
  void anEditedOneThatIsNoneSaysWhy() {
    Envelope sound = new ParkedDelivery(7, COURIER, message()).envelope();
    String json = new String(sound.body(), StandardCharsets.UTF_8);
    assertRefused(sound, json.replace("\"number\":7", "\"number\":0"), "its number is 0");
    assertRefused(sound, json.replace("/courier", "/a//b"), "\"/a//b\" is not an actor");
    assertRefused(sound, json.replace("\"number\":7", "\"nummer\":7"), "\"number\"");
    assertRefused(sound, "{}", "");
  }

  private static void assertRefused(Envelope sound, String json, String why) {
    byte[] body = json.getBytes(StandardCharsets.UTF_8);
    Envelope edited = new Envelope(sound.id(), sound.type(), body, null);
    assertThatThrownBy(() -> ParkedDelivery.read(edited, "durable:/a/b"))
        .isInstanceOf(CodecException.class)
        .hasMessageContaining("the parked delivery")
        .hasMessageContaining(why);
  }
}
