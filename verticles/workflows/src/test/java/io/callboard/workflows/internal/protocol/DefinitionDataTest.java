package io.callboard.workflows.internal.protocol;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import io.callboard.codecs.Json;
import io.callboard.workflows.internal.protocol.DefinitionData.Version;
import java.time.Instant;
import java.util.Collections;
import org.junit.jupiter.api.Test;

/** Size of the versions of a definition. */
class DefinitionDataTest {
  private static long stored(JsonNode definition, int versions) {
    Version version = new Version("v", DefinitionText.pack(definition), Instant.EPOCH);
    return new DefinitionData("v", Collections.nCopies(versions, version)).stored();
  }

  /** So that small definitions may have as many versions as the limit of versions says. */
  @Test
  void aSmallDefinitionCountsAsItIs() {
    JsonNode small = JsonNodeFactory.instance.objectNode().put("name", "x".repeat(1_000));
    assertThat(stored(small, 500)).isEqualTo(500L * Json.uncheckedBytes(small).length);
  }

  @Test
  void aLargeDefinitionCountsAsItIsPacked() {
    JsonNode large = JsonNodeFactory.instance.objectNode().put("name", "x".repeat(100_000));
    assertThat(stored(large, 2)).isBetween(2L, 2_000L);
  }
}
