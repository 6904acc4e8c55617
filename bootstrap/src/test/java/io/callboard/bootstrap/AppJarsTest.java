package io.callboard.bootstrap;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.callboard.bootstrap.config.StartupFailure;
import io.callboard.part.NodePart;
import io.callboard.testkit.LogCapture;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.event.Level;

class AppJarsTest {
  private static final String SERVICES = "META-INF/services/" + NodePart.class.getName();

  private static final String PART =
      """
      package shop;

      import io.callboard.part.NodePart;
      import io.callboard.part.RunningNode;
      import io.vertx.core.Future;

      public final class ShopPart implements NodePart<String> {
        @Override
        public String name() {
          return "shop";
        }

        @Override
        public Class<String> type() {
          return String.class;
        }

        @Override
        public Future<String> start(RunningNode node) {
          return Future.succeededFuture(new org.yaml.snakeyaml.Yaml().toString());
        }
      }
      """;

  /** A class that the node has, too. */
  private static final String YAML =
      """
      package org.yaml.snakeyaml;

      public class Yaml {
        @Override
        public String toString() {
          return "the shop's own";
        }
      }
      """;

  @TempDir Path directory;

  /** Makes a jar of sources, by the names of their files, with that file of services. */
  private Path jar(String services, Map<String, String> sources) throws IOException {
    Path from = Files.createDirectories(directory.resolve("java"));
    for (Map.Entry<String, String> source : sources.entrySet()) {
      Path file = from.resolve(source.getKey());
      Files.createDirectories(file.getParent());
      Files.writeString(file, source.getValue());
    }
    Path resources = directory.resolve("resources");
    Path file = resources.resolve(SERVICES);
    Files.createDirectories(file.getParent());
    Files.writeString(file, services);
    return AppJar.of(
        from, resources, directory.resolve("shop.jar"), System.getProperty("java.class.path"));
  }

  private Path shop() throws IOException {
    return jar(
        "shop.ShopPart", Map.of("ShopPart.java", PART, "org/yaml/snakeyaml/Yaml.java", YAML));
  }

  @Test
  @SuppressWarnings("NullAway") // the part needs no node
  void partsAreThoseThatTheJarsOffer() throws Exception {
    AppJars app = AppJars.open(shop().toString());
    assertThat(app.parts()).extracting(NodePart::name).containsExactly("shop");
    assertThat(app.kinds()).isEmpty();
    NodePart<?> part = app.parts().get(0);
    assertThat(part.getClass().getClassLoader()).isInstanceOf(AppClassLoader.class);
    assertThat(part.start(null).result()).as("its own class").isEqualTo("the shop's own");
  }

  @Test
  void allJarsOfADirectoryCanBeNamed() throws Exception {
    Path jar = shop();
    assertThat(AppJars.open(jar.getParent() + "/*").parts()).hasSize(1);
  }

  @Test
  void classesThatTheNodeHasTooAreReported() throws Exception {
    try (LogCapture log = LogCapture.of(AppJars.class)) {
      AppJars.open(shop().toString()).report();
      log.expect(Level.INFO, "parts [shop]");
      log.expect(Level.WARN, "1 classes are both in the node and in app ");
      log.expect(Level.WARN, "[org.yaml.snakeyaml.Yaml]");
    }
  }

  @Test
  void aJarThatIsMissingIsNamed() {
    assertThatThrownBy(() -> AppJars.open("no.jar"))
        .isInstanceOf(StartupFailure.class)
        .hasMessage(
            "--app no.jar: there is no jar \"no.jar\": give JAR, or DIRECTORY/* for all of a directory");
    assertThatThrownBy(() -> AppJars.open("none/*"))
        .isInstanceOf(StartupFailure.class)
        .hasMessageStartingWith("--app: the directory of none/* cannot be listed: no such file");
  }

  @Test
  void aJarThatOffersNothingIsRefused() throws Exception {
    Path jar = jar("", Map.of("ShopPart.java", PART));
    assertThatThrownBy(() -> AppJars.open(jar.toString()))
        .isInstanceOf(StartupFailure.class)
        .hasMessage(
            "--app %s offers nothing: name a class that implements NodePart in %s", jar, SERVICES);
  }

  @Test
  void aPartThatCannotBeLoadedIsNamedWithItsCause() throws Exception {
    Path jar = jar("shop.Missing", Map.of("ShopPart.java", PART));
    assertThatThrownBy(() -> AppJars.open(jar.toString()))
        .isInstanceOf(StartupFailure.class)
        .hasMessageContaining("a NodePart cannot be loaded: ")
        .hasMessageContaining("shop.Missing");
  }
}
