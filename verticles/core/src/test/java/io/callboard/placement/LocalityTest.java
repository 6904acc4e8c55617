package io.callboard.placement;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.callboard.store.Member;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

class LocalityTest {
  private static final Locality RACK =
      new Locality("rack-1", Map.of("disk", "ssd", "zone", "eu-1"));

  private static Member member(String offer) {
    return new Member("me", "boot-me", Instant.EPOCH, Map.of(Offer.FACT, offer));
  }

  @Test
  void anOfferThatANodePublishesIsReadByOthers() {
    Offer offer =
        new Offer(Set.of("s"), Set.of("cashier"), 2.5, true, RACK, Map.of("scribe", "gpu=a"));
    assertThat(offer.fact())
        .isEqualTo(
            "{\"f\":1,\"spaces\":[\"s\"],\"roles\":[\"cashier\"],\"weight\":2.5,\"draining\":true,"
                + "\"machine\":\"rack-1\",\"labels\":{\"disk\":\"ssd\",\"zone\":\"eu-1\"},"
                + "\"unfit\":{\"scribe\":\"gpu=a\"}}");
    assertThat(Offer.of(member(offer.fact()))).isEqualTo(offer);
    assertThat(Locality.of(member(offer.fact()))).isEqualTo(RACK);
  }

  @Test
  void anOlderNodesOfferIsReadWithoutThem() {
    Offer older =
        Offer.of(
            member("{\"f\":1,\"spaces\":[\"s\"],\"roles\":[],\"weight\":1.0,\"draining\":false}"));
    assertThat(older).isEqualTo(new Offer(Set.of("s"), Set.of(), 1, false));
    assertThat(older.locality()).isEqualTo(Locality.UNKNOWN);
    assertThat(Locality.of(new Member("me", "boot-me", Instant.EPOCH, Map.of())))
        .isEqualTo(Locality.UNKNOWN);
  }

  @Test
  void aNodeHasTheLabelsThatAreRequired() {
    assertThat(RACK.has(Map.of())).isTrue();
    assertThat(RACK.has(Map.of("disk", "ssd"))).isTrue();
    assertThat(RACK.has(Map.of("disk", "hdd"))).isFalse();
    assertThat(RACK.has(Map.of("disk", "ssd", "gpu", ""))).isFalse();
    assertThat(Locality.text(RACK.labels())).isEqualTo("disk=ssd,zone=eu-1");
  }

  @Test
  void anInvalidLocalityIsRefusedWithWhatWouldBeRight() {
    assertThatThrownBy(() -> new Locality("rack 1", Map.of()))
        .hasMessage(
            "\"rack 1\" is not the name of a machine: use up to 253 letters, digits and - _ . :, the first a letter or digit");
    assertThatThrownBy(() -> new Locality("", Map.of("a b", "c")))
        .hasMessageContaining("\"a b\" is not the key of a label");
    assertThatThrownBy(() -> new Locality("", Map.of("a", "b c")))
        .hasMessageContaining("\"b c\" is not a value of the label a");
    Map<String, String> many = new HashMap<>();
    for (int i = 0; i <= Locality.MOST_LABELS; i++) {
      many.put("k" + i, "v");
    }
    assertThatThrownBy(() -> new Locality("", many))
        .hasMessage("33 labels are too many: give at most 32");
  }
}
