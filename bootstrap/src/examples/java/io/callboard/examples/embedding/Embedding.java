package io.callboard.examples.embedding;

import io.callboard.ActorOptions;
import io.callboard.ActorRef;
import io.callboard.archive.CellArchive;
import io.callboard.dashboard.Dashboard;
import io.callboard.dashboard.DashboardOptions;
import io.callboard.dashboard.DashboardServer;
import io.callboard.examples.reference.Timekeeper;
import io.callboard.jobs.Jobs;
import io.callboard.jobs.model.JobSpec;
import io.callboard.jobs.model.JobsOptions;
import io.callboard.jobs.model.Submission;
import io.callboard.node.CallboardNode;
import io.callboard.node.NodeOptions;
import io.callboard.workflows.Workflows;
import io.callboard.zone.ZoneOptions;
import io.vertx.core.Future;
import io.vertx.core.WorkerExecutor;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerOptions;
import io.vertx.ext.web.Router;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/** Start of a node in an application, with the options that it has. */
public final class Embedding {
  private Embedding() {}

  /** With a ZooKeeper of its own, whose store is in the directory. */
  public static CallboardNode embedded() {
    return CallboardNode.start(new NodeOptions().directory(Path.of("data/a")));
  }

  /** In the cell of an ensemble. */
  public static CallboardNode joined() {
    return CallboardNode.start(
        new NodeOptions()
            .name("shop-1")
            .directory(Path.of("data/shop-1"))
            .zookeeper("zoo1:2181,zoo2:2181,zoo3:2181")
            .clusterHost("10.0.0.17"));
  }

  /** Without a directory and without ZooKeeper. */
  public static CallboardNode inMemory() {
    return CallboardNode.start(new NodeOptions().name("trial"));
  }

  /** With options of the Callboard, and with something that its actors need. */
  public static CallboardNode prepared() {
    return CallboardNode.start(
        new NodeOptions()
            .directory(Path.of("data/a"))
            .closeTimeout(Duration.ofSeconds(10))
            .prepare(
                node -> {
                  node.options().zone("reports", ZoneOptions.fixed(2)).weight(2);
                  WorkerExecutor printers = node.vertx().createSharedWorkerExecutor("printers", 4);
                  node.closeAfterActors("printers", printers::close);
                }));
  }

  /** An HTTP server that stands on actors: it is closed before them. */
  public static void serve(CallboardNode node, HttpServer server) {
    node.onClose("HTTP", server::shutdown);
  }

  /** A process that ends with its node. */
  public static void endWith(CallboardNode node) {
    node.closed().onFailure(failure -> System.exit(1));
  }

  /** A role of the grid: one node holds it, another takes over. */
  public static Future<ActorRef<Timekeeper.Order>> role(CallboardNode node) {
    return node.grid().role("timekeeper", Timekeeper::new, new ActorOptions());
  }

  /** Job scheduler, workflow engine, page, and a database for what has ended. */
  public static CallboardNode withParts(int port) {
    return CallboardNode.start(
        new NodeOptions()
            .directory(Path.of("data/a"))
            .with(CellArchive.part("jdbc:h2:file:./data/history"))
            .with(Jobs.part(JobsOptions.DEFAULT.slots(4)))
            .with(Workflows.part())
            .with(DashboardServer.on(port)));
  }

  /** Finds by its type what a part has started. */
  public static Future<Submission> submit(CallboardNode node) {
    return node.part(Jobs.class).submit(JobSpec.process("process", List.of("echo", "hello")));
  }

  /** A part that is added to a node which runs. */
  public static String dashboard(CallboardNode node, int port) {
    return node.add(DashboardServer.on(port)).url();
  }

  /** The dashboard, below a path of the application's own server. */
  public static HttpServer mounted(CallboardNode node, Router router) {
    Dashboard dashboard = node.add(Dashboard.part(new DashboardOptions()));
    router.route("/callboard/*").subRouter(dashboard.router());
    return node.vertx()
        .createHttpServer(Dashboard.serverOptions(new HttpServerOptions()))
        .requestHandler(router);
  }
}
