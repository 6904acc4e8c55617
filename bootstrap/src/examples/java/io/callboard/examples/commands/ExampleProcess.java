package io.callboard.examples.commands;

import io.callboard.bootstrap.config.StartupFailure;
import io.callboard.bootstrap.process.ShutdownHook;
import io.callboard.dashboard.DashboardServer;
import io.callboard.examples.articles.ArticlesDemo;
import io.callboard.examples.documents.DocumentsDemo;
import io.callboard.jobs.Jobs;
import io.callboard.node.CallboardNode;
import io.callboard.node.NodeOptions;
import io.callboard.pollers.Sources;
import io.callboard.pollers.SourcesOptions;
import io.callboard.workflows.Workflows;
import io.vertx.core.Future;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

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
    Future<Boolean> on(CallboardNode node, Consumer<String> out);
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
    CallboardNode node = CallboardNode.start(options());
    ShutdownHook.beforeExit(() -> close(node, resources));
    print("Dashboard: " + node.part(DashboardServer.class).url());
    boolean good = example.on(node, this::print).await(LIMIT_MIN, TimeUnit.MINUTES);
    if (!exit) {
      ShutdownHook.await();
    }
    return good ? 0 : StartupFailure.FAILED;
  }

  /** Returns the options of a node that is alone and that others cannot reach. */
  private NodeOptions options() {
    return new NodeOptions()
        .name(name)
        .directory(data)
        .zookeeperPort(0)
        .shutdownHook(false)
        .onFailure(
            cause -> {
              print("the example stops: " + cause.getMessage());
              ShutdownHook.fail();
            })
        .with(Jobs.part())
        .with(Workflows.part())
        .with(Sources.part(sources))
        .with(DashboardServer.on(httpPort));
  }

  private static void close(CallboardNode node, AutoCloseable resources) {
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
