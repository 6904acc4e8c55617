package io.callboard.bootstrap.house;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** Java files of the repository: of the product, its examples, tests, chaos runs and benchmarks. */
final class Sources {
  private static final Path ROOT = Path.of("..").toAbsolutePath().normalize();
  private static final Pattern SOURCE = Pattern.compile("(.*/)?src/(\\w+)/java/.*\\.java");

  private Sources() {}

  /** Paths, relative to the root of the repository, of all source sets. */
  static List<Path> all() {
    try (Stream<Path> files = Files.walk(ROOT)) {
      return files
          .map(ROOT::relativize)
          .filter(file -> SOURCE.matcher(unix(file)).matches())
          .sorted()
          .toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Without tests. */
  static List<Path> ofTheProduct() {
    return all().stream().filter(file -> !isOf("test", file)).toList();
  }

  static boolean isOf(String sourceSet, Path file) {
    return unix(file).contains("/src/" + sourceSet + "/java/");
  }

  static String unix(Path file) {
    return file.toString().replace('\\', '/');
  }

  static Path absolute(Path file) {
    return ROOT.resolve(file);
  }

  static long lines(Path file) {
    try (Stream<String> lines = Files.lines(absolute(file))) {
      return lines.count();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
