package io.callboard.bootstrap;

import static org.assertj.core.api.Assertions.assertThat;

import io.callboard.testkit.Eventually;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** {@code bin/callboard} with the archive of classes that makes commands start sooner. */
@Tag("long")
@Tag("real")
class QuickCommandsIT {
  private static final Duration LIMIT = Duration.ofSeconds(60);

  /** Time limit of making an archive, which happens at a low priority. */
  private static final Duration ARCHIVE = Duration.ofMinutes(5);

  private Path home;
  private Path cache;

  /** A distribution: the scripts and the jar, without sources. */
  @BeforeEach
  void install() throws IOException {
    home = LaunchedNode.directory("quick");
    cache = home.resolve("a cache");
    Path bin = Files.createDirectories(home.resolve("bootstrap/bin"));
    for (String script : List.of("callboard", "lib.sh", "quick.sh")) {
      Files.copy(
          Path.of("bin", script),
          bin.resolve(script),
          java.nio.file.StandardCopyOption.COPY_ATTRIBUTES);
    }
    Files.copy(
        LaunchedNode.jar(),
        Files.createDirectories(home.resolve("bootstrap/target")).resolve("callboard.jar"));
  }

  private LaunchedNode launch(Map<String, String> environment) throws IOException {
    Path script = home.resolve("bootstrap/bin/callboard");
    return LaunchedNode.launch(environment, List.of(script.toString(), "--version"));
  }

  private void prints(Map<String, String> environment) throws Exception {
    try (LaunchedNode command = launch(environment)) {
      prints(command);
    }
  }

  private static void prints(LaunchedNode command) throws Exception {
    assertThat(command.exitCode(LIMIT)).isZero();
    assertThat(command.errors()).isEmpty();
    assertThat(command.output()).startsWith("Callboard ");
  }

  private Map<String, String> cached() {
    return Map.of("XDG_CACHE_HOME", cache.toString());
  }

  private List<String> archives() {
    try (Stream<Path> files = Files.list(cache.resolve("callboard"))) {
      return files.map(file -> file.getFileName().toString()).toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private String awaitArchive() {
    Eventually.assertThat(
        ARCHIVE, () -> assertThat(archives()).singleElement().asString().endsWith(".jsa"));
    return archives().get(0);
  }

  private void loadsFromTheArchive(boolean expected) throws Exception {
    Path classes = home.resolve("classes");
    prints(
        Map.of(
            "XDG_CACHE_HOME", cache.toString(), "JAVA_OPTS", "-Xlog:class+load:file=" + classes));
    assertThat(
            Files.readAllLines(classes).stream()
                .filter(line -> line.contains(" io.callboard.bootstrap.Main "))
                .toList())
        .singleElement()
        .asString()
        .satisfies(line -> assertThat(line.contains("shared objects file")).isEqualTo(expected));
  }

  @Test
  void theSecondCommandFindsTheArchiveOfTheFirst() throws Exception {
    try (LaunchedNode one = launch(cached());
        LaunchedNode other = launch(cached())) {
      prints(one);
      prints(other);
    }
    String first = awaitArchive();
    loadsFromTheArchive(true);

    Path jar = home.resolve("bootstrap/target/callboard.jar");
    Files.setLastModifiedTime(jar, FileTime.from(Instant.now().minus(Duration.ofDays(400))));
    loadsFromTheArchive(false);
    Eventually.assertThat(
        ARCHIVE,
        () ->
            assertThat(archives()).singleElement().asString().endsWith(".jsa").isNotEqualTo(first));
    loadsFromTheArchive(true);
  }

  @Test
  void aDamagedArchiveDoesNoHarm() throws Exception {
    prints(cached());
    Path archive = cache.resolve("callboard").resolve(awaitArchive());
    Files.write(archive, new byte[] {1, 2, 3});
    prints(cached());
  }

  @Test
  void withoutAPlaceForTheArchiveACommandWorks() throws Exception {
    Files.createFile(cache);
    prints(cached());
    prints(Map.of("HOME", "", "XDG_CACHE_HOME", ""));
    prints(Map.of("HOME", "/proc/nowhere"));
  }
}
