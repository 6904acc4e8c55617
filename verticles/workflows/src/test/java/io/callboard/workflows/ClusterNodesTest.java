package io.callboard.workflows;

import static org.assertj.core.api.Assertions.assertThat;

import io.callboard.testkit.Eventually;
import io.callboard.workflows.ClusterNodes.ClusterNode;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Test that nodes of a test leave no client of ZooKeeper to the tests that follow in its JVM. */
class ClusterNodesTest {
  /** Returns the threads of clients of that server. */
  private static List<String> clients(String server) {
    return Thread.getAllStackTraces().keySet().stream()
        .map(Thread::getName)
        .filter(name -> name.endsWith("SendThread(" + server + ")"))
        .toList();
  }

  @Test
  void nodesThatWereNotClosedAreClosedWithTheirServer() throws Exception {
    String server;
    try (ClusterNodes cluster = new ClusterNodes()) {
      server = cluster.servers();
      ClusterNode closed = cluster.open("closed");
      ClusterNode left = cluster.open("left");
      closed.close();
      assertThat(left.callboard().closed().isComplete()).isFalse();
      assertThat(clients(server)).isNotEmpty();
    }
    Eventually.assertThat(() -> assertThat(clients(server)).isEmpty());
  }
}
