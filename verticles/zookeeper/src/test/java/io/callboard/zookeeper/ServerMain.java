package io.callboard.zookeeper;

import java.io.IOException;
import java.nio.file.Path;

/** A server in a process of its own, to be killed. Ends with its parent. */
final class ServerMain {
  private ServerMain() {}

  public static void main(String[] arguments) throws IOException {
    try (EmbeddedZooKeeper server =
        EmbeddedZooKeeper.start(
            Path.of(arguments[0]), Integer.parseInt(arguments[1]), failure -> {})) {
      int parentEnded = System.in.read();
      if (parentEnded >= 0 || server.port() < 0) {
        throw new IOException("nothing was expected on the standard input");
      }
    }
  }
}
