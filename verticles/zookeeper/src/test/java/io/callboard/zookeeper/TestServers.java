package io.callboard.zookeeper;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Embedded servers for tests, on free ports, with their data below {@code target/}. */
final class TestServers {
  private TestServers() {}

  static EmbeddedZooKeeper start(String name) throws IOException {
    return EmbeddedZooKeeper.start(
        directory(name),
        0,
        failure -> {
          throw new AssertionError(failure);
        });
  }

  /** A new directory. */
  static Path directory(String name) throws IOException {
    Path parent = Files.createDirectories(Path.of("target", "zookeeper"));
    return Files.createTempDirectory(parent, name + "-");
  }
}
