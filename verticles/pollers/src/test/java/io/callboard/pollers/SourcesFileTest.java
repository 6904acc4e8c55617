package io.callboard.pollers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.callboard.pollers.model.SourceConfig;
import io.callboard.time.Time;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Sources of a file, as an application's node and the launcher read them. */
class SourcesFileTest {
  private static final String ORDERS =
      """
      sources:
        orders:
          kind: http
          start: {workflow: order}
      """;

  @TempDir Path directory;

  private Path file(String text) throws IOException {
    return Files.writeString(directory.resolve("sources.yaml"), text);
  }

  @Test
  void aFileHasASourceUnderEachName() throws IOException {
    assertThat(SourcesOptions.read(file(ORDERS), List.of()).sources())
        .extracting(SourceConfig::name)
        .containsExactly("orders");
    assertThat(Sources.from(file(ORDERS)).settings())
        .hasEntrySatisfying("orders", shown -> assertThat(shown).startsWith("http, "));
  }

  private void refused(String text, String message) throws IOException {
    Path file = file(text);
    assertThatThrownBy(() -> Sources.from(file))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith(message, file);
  }

  @Test
  void aMistakeIsNamedWithItsFile() throws IOException {
    refused(ORDERS + "name: n\n", "%s: /name: is unknown; there are sources");
    refused("", "%s must have the key sources, with a source under each name");
    refused("sources: [1]", "%s must have the key sources, with a source under each name");
    refused("sources: {a: 1, a: 2}", "%s:1 cannot be read: ");
    refused(ORDERS.replace("http", "htp"), "%s: /sources/orders/kind: ");
    assertThatThrownBy(() -> Sources.from(directory.resolve("none.yaml")))
        .hasMessage("the configuration file %s does not exist", directory.resolve("none.yaml"));
  }

  @Test
  void twoKindsOfOneNameAreRefused() {
    PlayedKind kind = new PlayedKind(Time.SYSTEM);
    assertThatThrownBy(() -> new SourcesOptions(List.of(), List.of(kind, kind)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith("two kinds of sources are called " + kind.name());
  }
}
