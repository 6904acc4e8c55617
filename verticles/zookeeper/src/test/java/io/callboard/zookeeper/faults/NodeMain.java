package io.callboard.zookeeper.faults;

import io.callboard.Callboard;
import io.callboard.store.StoreException;
import io.vertx.core.Future;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** A node in a process of its own, to be killed and frozen. Ends with its parent. */
final class NodeMain {
  private NodeMain() {}

  /**
   * @param arguments name, home, servers, milliseconds of a session, the first space to host
   */
  public static void main(String[] arguments) throws Exception {
    Duration session = Duration.ofMillis(Long.parseLong(arguments[3]));
    Callboard node = FaultNode.open(arguments[0], arguments[1], arguments[2], session);
    int first = Integer.parseInt(arguments[4]);
    List<Future<?>> hosted = new ArrayList<>();
    for (int i = 0; i < Load.SPACES; i++) {
      hosted.add(Load.host(node, first + i));
    }
    try {
      Future.join(hosted).await(60, TimeUnit.SECONDS);
    } catch (StoreException frozen) { // a fault before all is owned: the next look claims
      System.out.println(frozen);
    }
    int parentEnded = System.in.read();
    if (parentEnded < 0) {
      FaultNode.close(node);
    }
    Runtime.getRuntime().halt(0);
  }
}
