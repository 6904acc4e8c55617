package io.callboard.bootstrap;

import io.callboard.bootstrap.config.StartupFailure;
import io.callboard.examples.documents.DocumentsDemo;
import io.vertx.core.Vertx;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import picocli.CommandLine;

/** Workflow example in a node of its own, with its dashboard; stops in order. */
final class DocumentsProcess {
  private static final Logger log = LoggerFactory.getLogger(DocumentsProcess.class);
  private static final int LIMIT_MIN = 30;

  private DocumentsProcess() {}

  /**
   * Runs until the process ends, or the report is written.
   *
   * @param data data directory of the node
   * @param exit whether it ends with the report
   * @return exit code
   */
  static int run(DocumentsDemo demo, Path data, int httpPort, boolean exit, PrintWriter out)
      throws Exception {
    Node node =
        Node.start(
            options(data, httpPort),
            Map.of(),
            line -> {
              print(out, "the example stops: " + line);
              ShutdownHook.fail();
            });
    ShutdownHook.beforeExit(() -> close(demo, node));
    print(out, "Dashboard: " + node.url());
    Vertx vertx = node.callboard().vertx();
    boolean good =
        demo.run(vertx, node.workflows(), line -> print(out, line))
            .await(LIMIT_MIN, TimeUnit.MINUTES);
    if (!exit) {
      ShutdownHook.await();
    }
    return good ? 0 : StartupFailure.FAILED;
  }

  /** Returns the options of a node that is alone and that others cannot reach. */
  private static NodeCommand options(Path data, int httpPort) {
    NodeCommand options = new NodeCommand();
    var unused =
        new CommandLine(options)
            .parseArgs(
                "--name=documents",
                "--data=" + data,
                "--http-port=" + httpPort,
                "--zookeeper-port=0",
                "--archive=none");
    return options;
  }

  private static void close(DocumentsDemo demo, Node node) {
    node.close();
    try {
      demo.close();
    } catch (Exception e) {
      log.warn("the index was not closed in order", e);
    }
  }

  private static void print(PrintWriter out, String line) {
    out.println(line);
    out.flush();
  }
}
