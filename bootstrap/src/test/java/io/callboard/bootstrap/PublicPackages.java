package io.callboard.bootstrap;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Packages of the published modules, divided into what users program against and the rest. */
final class PublicPackages {
  static final Path ROOT = Path.of("").toAbsolutePath().getParent();

  /** Packages for users: their Javadoc is published. Every other one is excluded in the pom. */
  static final Set<String> DOCUMENTED =
      Set.of(
          "io.callboard",
          "io.callboard.admin",
          "io.callboard.archive",
          "io.callboard.bootstrap",
          "io.callboard.cell",
          "io.callboard.codecs",
          "io.callboard.codecs.fields",
          "io.callboard.codecs.redaction",
          "io.callboard.dashboard",
          "io.callboard.delivery",
          "io.callboard.feed",
          "io.callboard.grid",
          "io.callboard.grid.cells",
          "io.callboard.guard",
          "io.callboard.jobs",
          "io.callboard.jobs.handler",
          "io.callboard.jobs.model",
          "io.callboard.jobs.testing",
          "io.callboard.journal",
          "io.callboard.metric",
          "io.callboard.node",
          "io.callboard.part",
          "io.callboard.placement",
          "io.callboard.pollers",
          "io.callboard.pollers.config",
          "io.callboard.pollers.model",
          "io.callboard.pollers.source",
          "io.callboard.proxy",
          "io.callboard.routing",
          "io.callboard.store",
          "io.callboard.store.memory",
          "io.callboard.supervision",
          "io.callboard.task",
          "io.callboard.testkit",
          "io.callboard.testkit.actor",
          "io.callboard.testkit.compat",
          "io.callboard.testkit.rehearsal",
          "io.callboard.testkit.tck",
          "io.callboard.time",
          "io.callboard.topic",
          "io.callboard.workflows",
          "io.callboard.workflows.condition",
          "io.callboard.workflows.definition",
          "io.callboard.workflows.graph",
          "io.callboard.workflows.merge",
          "io.callboard.workflows.model",
          "io.callboard.workflows.template",
          "io.callboard.workflows.testing",
          "io.callboard.zone",
          "io.callboard.zookeeper",
          "io.callboard.zookeeper.access",
          "io.callboard.zookeeper.cluster",
          "io.callboard.zookeeper.fsck");

  /** A published module: its directory, its artifact's name. */
  record Module(Path directory, String artifact) {
    Path artifact(String end) {
      return directory.resolve("target").resolve(artifact + end);
    }

    /** Where the sources of its jar are. */
    List<Path> sources() {
      return Stream.of("src/main/java", "src/examples/java")
          .map(directory::resolve)
          .filter(Files::isDirectory)
          .toList();
    }

    /** The packages of its jar. */
    Set<String> packages() {
      return sources().stream()
          .flatMap(folder -> packages(folder).stream())
          .collect(Collectors.toCollection(TreeSet::new));
    }

    private static Set<String> packages(Path folder) {
      return files(folder).stream().map(file -> nameOf(folder, file)).collect(Collectors.toSet());
    }
  }

  private static List<Path> files(Path folder) {
    try (Stream<Path> files = Files.walk(folder)) {
      return files.filter(file -> file.toString().endsWith(".java")).toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static String nameOf(Path folder, Path file) {
    return folder.relativize(file.getParent()).toString().replaceAll("[/\\\\]", ".");
  }

  /** Source files of the packages for users. */
  static List<Path> sources() {
    return modules().stream()
        .flatMap(module -> module.sources().stream())
        .flatMap(
            folder ->
                files(folder).stream().filter(file -> DOCUMENTED.contains(nameOf(folder, file))))
        .toList();
  }

  private static final Pom PARENT = Pom.of(ROOT.resolve("pom.xml"));

  private PublicPackages() {}

  static List<Module> modules() {
    String version = PARENT.text("/project/version");
    return PARENT.texts("/project/modules/module").stream()
        .filter(module -> !module.equals("bom"))
        .map(ROOT::resolve)
        .filter(PublicPackages::isPublished)
        .map(module -> new Module(module, artifactId(module) + "-" + version))
        .toList();
  }

  private static boolean isPublished(Path module) {
    return !Pom.of(module.resolve("pom.xml"))
        .text("/project/properties/maven.deploy.skip")
        .equals("true");
  }

  private static String artifactId(Path module) {
    return Pom.of(module.resolve("pom.xml")).text("/project/artifactId");
  }

  /** The packages that the parent pom keeps out of the Javadoc, as it writes them. */
  static List<String> excluded() {
    String written =
        PARENT.text(
            "//plugin[artifactId='maven-javadoc-plugin']/configuration/excludePackageNames");
    return Stream.of(written.split(":")).map(String::strip).toList();
  }

  /**
   * Returns the packages that one of {@link #excluded()} stands for: a star at its end is one name,
   * one at its beginning one or several.
   */
  static Pattern pattern(String excluded) {
    String names = excluded.replace(".", "\\.");
    String first = names.startsWith("*") ? ".+" + names.substring(1) : names;
    return Pattern.compile(first.replaceAll("\\*$", "[^.]+"));
  }
}
