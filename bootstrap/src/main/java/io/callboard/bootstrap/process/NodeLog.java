package io.callboard.bootstrap.process;

import java.nio.file.Path;

/**
 * Logging of a node: a file below its data directory, and warnings on standard error. To be called
 * before the first logger is created; a configuration given with {@code
 * -Dlogback.configurationFile} takes precedence.
 */
public final class NodeLog {
  private NodeLog() {}

  public static void configure(Path data, String format) {
    System.setProperty("callboard.logs", data.resolve("logs").toString());
    if (System.getProperty("logback.configurationFile") == null) {
      System.setProperty(
          "logback.configurationFile",
          format.equals("json") ? "logback-node-json.xml" : "logback-node.xml");
    }
  }
}
