package io.callboard.zookeeper.faults;

import com.fasterxml.jackson.databind.JsonNode;
import io.callboard.codecs.ActorPath;
import io.callboard.codecs.Json;
import io.callboard.testkit.Waits;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CountDownLatch;
import org.apache.zookeeper.KeeperException;
import org.apache.zookeeper.Op;
import org.apache.zookeeper.Watcher.Event.KeeperState;
import org.apache.zookeeper.ZooKeeper;
import org.apache.zookeeper.data.Stat;

/** Looks at a cell with a plain client, straight at the servers. */
final class Inspector implements AutoCloseable {
  static final String ROOT = "/callboard/" + FaultNode.CELL;
  private static final int PARTITIONS = 64;

  private final ZooKeeper client;

  Inspector(String servers) throws IOException, InterruptedException {
    CountDownLatch up = new CountDownLatch(1);
    client =
        new ZooKeeper(
            servers,
            30_000,
            event -> {
              if (event.getState() == KeeperState.SyncConnected) {
                up.countDown();
              }
            });
    try {
      Waits.opened(up);
    } catch (AssertionError e) {
      client.close();
      throw e;
    }
  }

  private static String below(String kind, String actor) {
    ActorPath path = ActorPath.of(actor);
    return "%s/%s/%s/%s".formatted(ROOT, kind, path.partition(PARTITIONS), path.toNodeName());
  }

  /** The names of the segments that wait. */
  List<String> mail(String actor) {
    try {
      return client.getChildren(below("m", actor) + "~0", false);
    } catch (KeeperException.NoNodeException e) {
      return List.of();
    } catch (KeeperException | InterruptedException e) {
      throw new AssertionError("the mailbox of " + actor + " cannot be read now", e);
    }
  }

  private JsonNode json(String path) {
    try {
      return Json.parse(path, client.getData(path, false, null));
    } catch (KeeperException.NoNodeException e) {
      return Json.parse(path, new byte[] {'{', '}'});
    } catch (KeeperException | InterruptedException e) {
      throw new AssertionError(path + " cannot be read now", e);
    }
  }

  JsonNode record(String actor) {
    return json(below("a", actor));
  }

  JsonNode lease(String actor) {
    return json("%s/o/%s".formatted(ROOT, ActorPath.of(actor).partition(PARTITIONS)));
  }

  /** Takes the partition of {@code actor} for that node, as the node itself would. */
  void claim(String actor, String node, String boot) throws Exception {
    String path = "%s/o/%s".formatted(ROOT, ActorPath.of(actor).partition(PARTITIONS));
    Stat stat = new Stat();
    long epoch = Json.parse(path, client.getData(path, false, stat)).path("epoch").asLong() + 1;
    byte[] lease = Json.bytes(Map.of("f", 1, "epoch", epoch, "owner", node, "boot", boot));
    var done =
        client.multi(
            List.of(Op.check(ROOT + "/i/" + node, -1), Op.setData(path, lease, stat.getVersion())));
    if (done.size() != 2) {
      throw new IllegalStateException("the claim was not taken");
    }
  }

  long commits(String node) {
    return json("%s/s/%s".formatted(ROOT, node)).path("number").asLong();
  }

  /** Returns the number of orders of each sender that its collector has taken. */
  Map<String, Long> collected() {
    Map<String, Long> all = new TreeMap<>();
    for (int i = 0; i < Load.SPACES; i++) {
      JsonNode count = record(Load.collector(i)).path("state").path("count");
      count.fieldNames().forEachRemaining(name -> all.put(name, count.get(name).asLong()));
    }
    return all;
  }

  /** Returns the faults that collectors found. */
  List<String> wrong() {
    List<String> all = new ArrayList<>();
    for (int i = 0; i < Load.SPACES; i++) {
      record(Load.collector(i)).path("state").path("wrong").forEach(w -> all.add(w.asText()));
    }
    return all;
  }

  /** Segments that wait in all mailboxes of the load. */
  long waiting() {
    long waiting = 0;
    for (int i = 0; i < Load.SENDERS; i++) {
      waiting += mail(Load.worker(i)).size();
    }
    for (int i = 0; i < Load.SPACES; i++) {
      waiting += mail(Load.collector(i)).size();
    }
    return waiting;
  }

  @Override
  public void close() throws InterruptedException {
    client.close();
  }
}
