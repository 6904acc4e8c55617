package io.callboard.bootstrap;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import java.util.stream.Stream;
import javax.tools.ToolProvider;

/** Jar of a project's sources and resources, as a build makes it. */
final class AppJar {
  private AppJar() {}

  /**
   * Compiles all sources below a directory, and packs their classes and the files of another.
   *
   * @param resources directory of files for the jar, which may be missing
   */
  static Path of(Path sources, Path resources, Path jar, String classPath) throws IOException {
    Path classes = Files.createTempDirectory(jar.toAbsolutePath().getParent(), "classes");
    List<String> arguments =
        new ArrayList<>(List.of("-parameters", "-cp", classPath, "-d", classes.toString()));
    try (Stream<Path> files = Files.walk(sources)) {
      files.map(Path::toString).filter(file -> file.endsWith(".java")).forEach(arguments::add);
    }
    assertThat(
            ToolProvider.getSystemJavaCompiler()
                .run(null, null, null, arguments.toArray(String[]::new)))
        .isZero();
    try (JarOutputStream out = new JarOutputStream(Files.newOutputStream(jar))) {
      add(classes, out);
      if (Files.exists(resources)) {
        add(resources, out);
      }
    }
    return jar;
  }

  /** Writes into the manifest of a jar for which version of Callboard it was built. */
  static void builtFor(String version, Path jar) throws IOException {
    try (FileSystem files = FileSystems.newFileSystem(jar)) {
      Path directory = Files.createDirectories(files.getPath("META-INF"));
      Files.writeString(
          directory.resolve("MANIFEST.MF"),
          "Manifest-Version: 1.0\nCallboard-Version: %s\n".formatted(version));
    }
  }

  private static void add(Path root, JarOutputStream out) throws IOException {
    try (Stream<Path> files = Files.walk(root)) {
      for (Path file : files.filter(Files::isRegularFile).toList()) {
        out.putNextEntry(new JarEntry(root.relativize(file).toString()));
        out.write(Files.readAllBytes(file));
      }
    }
  }
}
