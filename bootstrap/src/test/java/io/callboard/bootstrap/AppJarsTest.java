package io.callboard.bootstrap;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.callboard.bootstrap.config.StartupFailure;
import io.callboard.cell.NodeVersion;
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

  private Path jar(String parts, Map<String, String> sources) throws IOException {
    return jar(Map.of(NodePart.class.getName(), parts), sources);
  }

  /** Makes a jar of sources, by the names of their files, with services by their interfaces. */
  private Path jar(Map<String, String> services, Map<String, String> sources) throws IOException {
    Path from = Files.createDirectories(directory.resolve("java"));
    for (Map.Entry<String, String> source : sources.entrySet()) {
      Path file = from.resolve(source.getKey());
      Files.createDirectories(file.getParent());
      Files.writeString(file, source.getValue());
    }
    Path resources = directory.resolve("resources");
    Path files = Files.createDirectories(resources.resolve("META-INF/services"));
    for (Map.Entry<String, String> service : services.entrySet()) {
      Files.writeString(files.resolve(service.getKey()), service.getValue());
    }
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
        .hasMessageStartingWith("--app none/*: the directory none cannot be listed: no such file");
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
  void aClassThatIsNamedAndNotInTheJarIsRefused() throws Exception {
    Path jar = jar("shop.Missing", Map.of("ShopPart.java", PART));
    assertThatThrownBy(() -> AppJars.open(jar.toString()))
        .isInstanceOf(StartupFailure.class)
        .hasMessage(
            "--app %s: %s: Provider shop.Missing not found: name a class of the jars that implements it",
            jar, SERVICES);
  }

  @Test
  void aPartThatCannotBeLoadedIsNamedWithItsCause() throws Exception {
    String broken =
        "NodePart<String> {\n  { if (true) throw new IllegalStateException(\"shut\"); }";
    Path jar =
        jar("shop.ShopPart", Map.of("ShopPart.java", PART.replace("NodePart<String> {", broken)));
    assertThatThrownBy(() -> AppJars.open(jar.toString()))
        .isInstanceOf(StartupFailure.class)
        .hasMessage(
            "--app %s: %s: Provider shop.ShopPart could not be instantiated: java.lang.IllegalStateException: shut",
            jar, SERVICES);
  }

  @Test
  void aFileThatIsNoJarIsNamed() throws Exception {
    Path file = Files.writeString(directory.resolve("notes.jar"), "notes");
    assertThatThrownBy(() -> AppJars.open(file.toString()))
        .isInstanceOf(StartupFailure.class)
        .hasMessageStartingWith("--app %s: %s is not a jar: ".formatted(file, file));
    Path empty = Files.createDirectory(directory.resolve("empty"));
    assertThatThrownBy(() -> AppJars.open(empty + "/*"))
        .hasMessage("--app %s/*: there is no jar in %s", empty, empty);
  }

  @Test
  void twoKindsOrMergersOfOneNameAreRefused() throws Exception {
    Path jar =
        jar(
            Map.of(
                "io.callboard.workflows.merge.NamedMerger", "shop.Sum\nshop.Total",
                "io.callboard.part.NodePart", "shop.ShopPart"),
            Map.of(
                "ShopPart.java", PART, "Sum.java", merger("Sum"), "Total.java", merger("Total")));
    assertThatThrownBy(() -> AppJars.open(jar.toString()))
        .isInstanceOf(StartupFailure.class)
        .hasMessage(
            "--app %s: two mergers are called sum, of shop.Sum and shop.Total: give them different names",
            jar);
  }

  private static String merger(String type) {
    return """
        package shop;

        import com.fasterxml.jackson.databind.JsonNode;
        import io.callboard.workflows.merge.NamedMerger;
        import io.callboard.workflows.merge.SourceOutput;
        import java.util.List;

        public final class %s implements NamedMerger {
          @Override
          public String name() {
            return "sum";
          }

          @Override
          public JsonNode merge(List<SourceOutput> outputs) {
            return outputs.get(0).output();
          }
        }
        """
        .formatted(type);
  }

  @Test
  void classesOfSeveralJarsAreReported() throws Exception {
    Path jar = shop();
    Path copy = Files.copy(jar, directory.resolve("copy.jar"));
    try (LogCapture log = LogCapture.of(AppJars.class)) {
      AppJars.open(jar + ":" + jar + ":" + copy).report();
      log.expect(Level.WARN, "2 classes are in several jars of app ");
    }
  }

  @Test
  void anAppBuiltForAnotherVersionIsReportedAndBlamedForWhatIsMissing() throws Exception {
    Path jar = shop();
    AppJar.builtFor("0.0.1", jar);
    AppJars app = AppJars.open(jar.toString());
    try (LogCapture log = LogCapture.of(AppJars.class)) {
      app.report();
      log.expect(Level.WARN, "was built for Callboard 0.0.1, this node is ");
    }
    assertThat(app.remedy(new IllegalStateException(new NoSuchMethodError("x"))))
        .isEqualTo("; it was built for Callboard 0.0.1: build it for " + NodeVersion.version());
    assertThat(app.remedy(new IllegalStateException("no disk"))).isEmpty();
  }
}
