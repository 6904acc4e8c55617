package io.callboard.zookeeper.faults;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** ZooKeeper in processes of its own: one server or an ensemble. */
interface Servers extends AutoCloseable {
  /** Returns the ports of the servers, in their order. */
  List<Integer> ports();

  /** SIGKILL. */
  void kill(int server) throws Exception;

  /** Lets one that was killed go on with its data. */
  void restart(int server) throws Exception;

  /** Returns the whole transaction logs of the stopped servers. */
  List<Path> logs() throws IOException;

  /** Returns the directory of all that the servers keep. */
  Path directory();

  @Override
  void close() throws Exception;

  /** Returns the address for plain clients. */
  default String connectString() {
    return String.join(",", ports().stream().map(port -> "127.0.0.1:" + port).toList());
  }

  static Path directory(String name) throws IOException {
    Path parent = Files.createDirectories(Path.of("target", "faults"));
    return Files.createTempDirectory(parent, name + "-");
  }

  /**
   * Keeps the log files although the server may remove or cut them: the same files, once more. An
   * empty one is not kept: a server without room leaves it, and the next one removes it and writes
   * another of that name.
   */
  static void keep(Path data, Path archive) throws IOException {
    Files.createDirectories(archive);
    try (var files = Files.newDirectoryStream(data.resolve("version-2"), "log.*")) {
      for (Path file : files) {
        Path kept = archive.resolve(file.getFileName());
        if (!Files.exists(kept) && Files.size(file) > 0) {
          Files.createLink(kept, file);
        }
      }
    }
  }
}
