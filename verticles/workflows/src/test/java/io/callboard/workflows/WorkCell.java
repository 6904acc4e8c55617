package io.callboard.workflows;

import static io.callboard.testkit.Futures.await;

import io.callboard.Callboard;
import io.callboard.grid.Grid;
import io.callboard.workflows.ClusterNodes.ClusterNode;
import io.callboard.workflows.internal.worker.HttpStepOptions;
import io.callboard.workflows.internal.worker.WorkerRegistry;
import io.vertx.core.Future;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/** Nodes of one cell in this process with workers, each with a clustered Vert.x of its own. */
final class WorkCell implements AutoCloseable {
  private final ClusterNodes cluster;
  private final RecordedReports reports;
  private final Map<String, WorkNode> nodes = new LinkedHashMap<>();

  /** Node of the test's cell. */
  record WorkNode(ClusterNode node, Workers workers) {
    Callboard callboard() {
      return node.callboard();
    }

    Grid grid() {
      return node.grid();
    }
  }

  WorkCell(RecordedReports reports) throws IOException {
    this.reports = reports;
    this.cluster = new ClusterNodes();
  }

  WorkNode open(String name, int slots) {
    ClusterNode node = cluster.open(name);
    Workers workers =
        new Workers(
            node.callboard(),
            reports,
            slots,
            HttpStepOptions.DEFAULT,
            () -> Future.succeededFuture(List.of()));
    await(workers.open(node.grid()));
    WorkNode opened = new WorkNode(node, workers);
    nodes.put(name, opened);
    return opened;
  }

  WorkNode node(String name) {
    return Objects.requireNonNull(nodes.get(name));
  }

  /** Returns the name of the node that holds the worker registry. */
  String registry() {
    return await(node(nodes.keySet().iterator().next()).grid().roles()).stream()
        .filter(role -> role.name().equals(WorkerRegistry.ROLE))
        .flatMap(role -> role.holder().stream())
        .findFirst()
        .orElse("");
  }

  /** Ends a node without a word to the desk. */
  void kill(String name) {
    Objects.requireNonNull(nodes.remove(name)).node().close();
  }

  @Override
  public void close() {
    for (String name : List.copyOf(nodes.keySet())) {
      await(node(name).workers().close());
      kill(name);
    }
    cluster.close();
  }
}
