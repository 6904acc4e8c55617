package io.callboard.zookeeper.faults;

import io.callboard.zookeeper.EmbeddedZooKeeper;
import java.io.IOException;
import java.nio.file.Path;

/** The embedded server in a process of its own. Ends with its parent. */
final class EmbeddedMain {
  private EmbeddedMain() {}

  /**
   * @param arguments directory and port
   */
  public static void main(String[] arguments) throws IOException {
    EmbeddedZooKeeper server =
        EmbeddedZooKeeper.start(
            Path.of(arguments[0]), Integer.parseInt(arguments[1]), System.err::println);
    int parentEnded = System.in.read();
    server.close();
    // a thread of ZooKeeper's connection factory outlives it
    Runtime.getRuntime().halt(parentEnded < 0 ? 0 : 1);
  }
}
