package io.callboard.zookeeper;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.apache.zookeeper.server.DataNode;

/** Embedded servers for tests, on free ports, with their data below {@code target/}. */
public final class TestServers {
  private TestServers() {}

  /** Starts a server with its data in a new directory. */
  public static EmbeddedZooKeeper start(String name) {
    try {
      return start(directory(name));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Starts a server with its data in that directory, on a free port. */
  public static EmbeddedZooKeeper start(Path directory) throws IOException {
    return start(directory, 0);
  }

  /** Starts a server with its data in that directory, at that port. */
  static EmbeddedZooKeeper start(Path directory, int port) throws IOException {
    return EmbeddedZooKeeper.start(
        directory,
        port,
        failure -> {
          throw new AssertionError(failure);
        });
  }

  /** Lets the next segment of that mailbox have that number, as if so many had been before. */
  public static void nextNumber(EmbeddedZooKeeper server, String mailbox, long number) {
    znode(server, mailbox).stat.setCversion(Math.toIntExact(number));
  }

  /** Returns the node that the server holds in memory under that path. */
  static DataNode znode(EmbeddedZooKeeper server, String path) {
    DataNode node = server.server().getZKDatabase().getDataTree().getNode(path);
    if (node == null) {
      throw new AssertionError("there is no znode " + path);
    }
    return node;
  }

  /** A new directory. */
  public static Path directory(String name) throws IOException {
    Path parent = Files.createDirectories(Path.of("target", "zookeeper"));
    return Files.createTempDirectory(parent, name + "-");
  }
}
