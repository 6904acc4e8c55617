package io.callboard.bootstrap;

import io.callboard.bootstrap.config.StartupFailure;
import io.callboard.examples.articles.ArticlesDemo;
import io.callboard.examples.documents.DocumentsDemo;
import io.callboard.pollers.Sources;
import io.callboard.pollers.SourcesOptions;
import io.callboard.workflows.Workflows;
import io.vertx.core.Future;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import picocli.CommandLine;

/**
 * Example in a node of its own, with its dashboard; stops in order.
 *
 * @param name name of the node
 * @param data data directory of the node
 * @param sources its sources
 * @param exit whether the process ends with the example
 */
record ExampleProcess(
    String name, Path data, int httpPort, SourcesOptions sources, boolean exit, PrintWriter out) {
  private static final Logger log = LoggerFactory.getLogger(ExampleProcess.class);
  private static final int LIMIT_MIN = 30;

  /** Work of an example. */
  private interface Example {
    /**
     * Runs on a node.
     *
     * @param out gets what happens, in lines
     * @return completes at its end; false if it has failed
     */
    Future<Boolean> on(Node node, Consumer<String> out);
  }

  // The lambdas are here and not in the commands: picocli loads every class that a method of a
  // command names, and a client is to load none of a node's.

  /**
   * Runs until the process ends, or the example.
   *
   * @return exit code
   */
  int run(ArticlesDemo demo) throws Exception {
    return run(
        (node, out) ->
            demo.run(node.callboard(), node.part(Workflows.class), node.part(Sources.class), out),
        demo);
  }

  /**
   * Runs until the process ends, or the example.
   *
   * @return exit code
   */
  int run(DocumentsDemo demo) throws Exception {
    return run(
        (node, out) -> demo.run(node.callboard().vertx(), node.part(Workflows.class), out), demo);
  }

  /**
   * Runs until the process ends, or the example.
   *
   * @param resources what is closed after the node
   * @return exit code
   */
  private int run(Example example, AutoCloseable resources) throws Exception {
    Node node =
        Node.start(
            options(),
            Map.of(),
            line -> {
              print("the example stops: " + line);
              ShutdownHook.fail();
            });
    ShutdownHook.beforeExit(() -> close(node, resources));
    print("Dashboard: " + node.url());
    boolean good = example.on(node, this::print).await(LIMIT_MIN, TimeUnit.MINUTES);
    if (!exit) {
      ShutdownHook.await();
    }
    return good ? 0 : StartupFailure.FAILED;
  }

  /** Returns the options of a node that is alone and that others cannot reach. */
  private NodeCommand options() {
    NodeCommand options = new NodeCommand();
    var unused =
        new CommandLine(options)
            .parseArgs(
                "--name=" + name,
                "--data=" + data,
                "--http-port=" + httpPort,
                "--zookeeper-port=0",
                "--archive=none");
    options.sources = sources;
    return options;
  }

  private static void close(Node node, AutoCloseable resources) {
    node.close();
    try {
      resources.close();
    } catch (Exception e) {
      log.warn("the example was not closed in order", e);
    }
  }

  private void print(String line) {
    out.println(line);
    out.flush();
  }
}
