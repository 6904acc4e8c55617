package io.callboard.workflows.internal.protocol;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import io.callboard.workflows.definition.CheckedDefinition;
import io.callboard.workflows.definition.DefinitionReader;
import io.callboard.workflows.definition.DefinitionWriter;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Base64;
import java.util.Random;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;

/** Definitions as they are stored. */
class DefinitionTextTest {
  private static ObjectNode definition(String text) {
    return JsonNodeFactory.instance.objectNode().put("name", text);
  }

  @Test
  void smallOneStaysAsItIs() {
    ObjectNode small = definition("x");
    assertThat(DefinitionText.pack(small)).isSameAs(small);
    assertThat(DefinitionText.isLarge(small)).isFalse();
    assertThat(DefinitionText.unpack(small)).isEqualTo("{\"name\":\"x\"}");
  }

  @Test
  void largeOneIsCompressedAndComesBack() {
    ObjectNode large = definition("ä step ".repeat(400_000));
    JsonNode packed = DefinitionText.pack(large);
    assertThat(DefinitionText.isLarge(packed)).isTrue();
    assertThat(packed.textValue().length()).isLessThan(50_000);
    assertThat(DefinitionText.unpack(packed)).isEqualTo(large.toString());
  }

  /** The greatest number of steps, and two megabytes of text: all of it is within the limits. */
  @Test
  void definitionOfTenThousandStepsIsReadAndFitsWhatIsStored() {
    StringBuilder yaml = new StringBuilder("name: large\nsteps:\n");
    for (int i = 0; i < 10_000; i++) {
      yaml.append("  step-%d:\n    run: process\n".formatted(i));
      yaml.append(
          "    with: {command: [sh, -c, \"convert --page %d --to /out/%d.png\"]}\n"
              .formatted(i, i * 7));
      yaml.append("    retry: {attempts: 3, initial: PT1S}\n");
      if (i >= 137) { // paths of at most a hundred steps
        yaml.append("    after: {step-%d: success, step-%d: ok}\n".formatted(i - 100, i - 137));
      }
    }
    assertThat(yaml.length()).isBetween(1_500_000, 4_000_000);
    DefinitionReader.Result read = DefinitionReader.yaml(yaml.toString());
    CheckedDefinition definition = read.definition().orElseThrow();
    assertThat(definition.graph().size()).isEqualTo(10_000);
    JsonNode packed = DefinitionText.pack(DefinitionWriter.json(definition.definition()));
    assertThat(DefinitionText.isLarge(packed)).isTrue();
    assertThat(DefinitionReader.stored(DefinitionText.unpack(packed)).definition())
        .hasValueSatisfying(again -> assertThat(again.version()).isEqualTo(definition.version()));
  }

  @Test
  void aTextThatIsTooLargeNamesTheLimit() {
    assertThatThrownBy(() -> DefinitionText.pack(definition("x".repeat(4 << 20))))
        .hasMessageContaining("the limit is 4,194,304");
    StringBuilder random = new StringBuilder();
    new Random(7).ints(1_500_000, 'a', 'z').forEach(c -> random.append((char) c));
    assertThatThrownBy(() -> DefinitionText.pack(definition(random.toString())))
        .hasMessageContaining("the limit of a stored record is 786,432");
  }

  @Test
  void aTextThatIsDamagedOrUnpacksToTooMuchIsNotRead() throws IOException {
    assertThatThrownBy(() -> DefinitionText.unpack(TextNode.valueOf("AAAA")))
        .isInstanceOf(UncheckedIOException.class)
        .hasMessageContaining("is damaged");
    ByteArrayOutputStream bomb = new ByteArrayOutputStream();
    try (GZIPOutputStream gzip = new GZIPOutputStream(bomb)) {
      gzip.write(new byte[64 << 20]);
    }
    String text = Base64.getEncoder().encodeToString(bomb.toByteArray());
    assertThatThrownBy(() -> DefinitionText.unpack(TextNode.valueOf(text)))
        .hasMessageContaining("more than 4,194,304 bytes");
  }
}
