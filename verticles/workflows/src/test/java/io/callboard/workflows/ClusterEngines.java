package io.callboard.workflows;

import io.callboard.workflows.ClusterNodes.ClusterNode;
import io.callboard.workflows.model.WorkflowsOptions;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;

/** Nodes of one cell with the whole engine, by name. */
final class ClusterEngines implements AutoCloseable {
  private final ClusterNodes cluster = new ClusterNodes();
  private final Map<String, EngineNode> nodes = new LinkedHashMap<>();

  /** Node with the whole engine. */
  record EngineNode(ClusterNode node, OpenEngine engine) {
    Workflows workflows() {
      return engine.workflows();
    }

    void close() {
      engine.close();
      node.close();
    }
  }

  ClusterEngines() throws IOException {}

  Workflows open(String name, WorkflowsOptions options) throws IOException {
    ClusterNode node = cluster.open(name);
    OpenEngine engine = OpenEngine.on(node.callboard(), node.grid(), options);
    nodes.put(name, new EngineNode(node, engine));
    return engine.workflows();
  }

  Map<String, EngineNode> nodes() {
    return nodes;
  }

  EngineNode node(String name) {
    return Objects.requireNonNull(nodes.get(name));
  }

  /** Forgets a node, which the test closes. */
  EngineNode remove(String name) {
    return Objects.requireNonNull(nodes.remove(name));
  }

  @Override
  public void close() {
    nodes.values().forEach(EngineNode::close);
    cluster.close();
  }
}
