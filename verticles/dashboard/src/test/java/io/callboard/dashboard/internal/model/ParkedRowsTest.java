package io.callboard.dashboard.internal.model;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.callboard.codecs.ActorPath;
import io.callboard.store.StoredParked;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

class ParkedRowsTest {
  private static StoredParked parked(String json) {
    return new StoredParked(ActorPath.of("/a/b"), "3-0", json.getBytes(StandardCharsets.UTF_8));
  }

  @Test
  void aSegmentThatCannotBeReadIsShownWherePayloadsAre() {
    StoredParked stored =
        parked(
            "{\"f\":3,\"attempts\":0,\"cause\":\"damaged\","
                + "\"segment\":{\"bytes\":9,\"cut\":4,\"text\":\"{\\\"f\\\":\"}}");
    JsonNode shown = ParkedRows.row(stored, true);
    assertThat(shown.path("cause").asText()).isEqualTo("damaged");
    assertThat(shown.at("/segment/text").asText()).isEqualTo("{\"f\":");
    assertThat(shown.at("/segment/cut").asInt()).isEqualTo(4);
    assertThat(ParkedRows.row(stored, false).has("segment")).isFalse();
  }

  @Test
  void aMessageOfAnUnknownClassIsMarkedAsMaskedByNamesOnly() {
    StoredParked stored =
        parked(
            "{\"f\":3,\"cause\":\"refused\",\"envelope\":{\"t\":\"of-no-class-here\",\"v\":1,"
                + "\"b\":{\"iban\":\"DE89\",\"password\":\"hunter2\"}}}");
    JsonNode shown = ParkedRows.row(stored, true);
    assertThat(shown.at("/body/password").asText()).isEqualTo("[masked]");
    assertThat(shown.at("/body/iban").asText()).as("@Sensitive, or not?").isEqualTo("DE89");
    assertThat(shown.path("maskedByNames").asBoolean()).isTrue();
    assertThat(ParkedRows.row(stored, false).has("maskedByNames")).isFalse();
  }
}
