package io.callboard.chaos.evidence;

import com.fasterxml.jackson.databind.JsonNode;
import io.callboard.codecs.ActorPath;
import io.callboard.codecs.Json;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.apache.zookeeper.KeeperException;
import org.apache.zookeeper.Watcher.Event.KeeperState;
import org.apache.zookeeper.ZooKeeper;

/** Records of the cell, read with a plain ZooKeeper client directly at the servers. */
public final class Records implements AutoCloseable {
  private static final int PARTITIONS = 64;
  private static final int SESSION_MS = 30_000;

  private final String root;
  private final ZooKeeper client;

  /** Connects, and waits for that. */
  public Records(String servers, String cell) throws Exception {
    root = "/callboard/" + cell;
    CountDownLatch up = new CountDownLatch(1);
    client =
        new ZooKeeper(
            servers,
            SESSION_MS,
            event -> {
              if (event.getState() == KeeperState.SyncConnected) {
                up.countDown();
              }
            });
    if (!up.await(SESSION_MS, TimeUnit.MILLISECONDS)) {
      client.close();
      throw new java.io.IOException("no connection to " + servers);
    }
  }

  /** Returns the path of the cell. */
  public String root() {
    return root;
  }

  private JsonNode json(String path) throws Exception {
    try {
      return Json.parse(path, client.getData(path, false, null));
    } catch (KeeperException.NoNodeException e) {
      return Json.parse(path, new byte[] {'{', '}'});
    }
  }

  /** Returns the state of a durable-state actor as its record holds it. */
  public JsonNode state(String actor) throws Exception {
    ActorPath path = ActorPath.of(actor);
    return json("%s/a/%s/%s".formatted(root, path.partition(PARTITIONS), path.toNodeName()))
        .path("state");
  }

  /** Returns the current owner of each partition; empty if it has none. */
  public Map<String, String> owners() throws Exception {
    Map<String, String> owners = new TreeMap<>();
    for (String partition : client.getChildren(root + "/o", false)) {
      JsonNode lease = json(root + "/o/" + partition);
      String owner = lease.path("owner").asText();
      boolean now =
          !owner.isEmpty() && lease.path("boot").equals(json(root + "/i/" + owner).path("boot"));
      owners.put(partition, now ? owner : "");
    }
    return owners;
  }

  /** Returns the current owner of the partition of an actor; empty if it has none. */
  public String ownerOf(ActorPath actor) throws Exception {
    String partition = String.valueOf(actor.partition(PARTITIONS));
    return owners().getOrDefault(partition, "");
  }

  /** Mailboxes, outboxes and timers in which something waits. */
  public List<String> waiting() throws Exception {
    List<String> waiting = new ArrayList<>(waiting("m"));
    waiting.addAll(waiting("x"));
    return waiting;
  }

  private List<String> waiting(String kind) throws Exception {
    List<String> waiting = new ArrayList<>();
    for (String partition : client.getChildren(root + "/" + kind, false)) {
      for (String box : client.getChildren(root + "/" + kind + "/" + partition, false)) {
        String path = "%s/%s/%s/%s".formatted(root, kind, partition, box);
        int segments = client.getChildren(path, false).size();
        if (segments > 0) {
          waiting.add("%s: %d".formatted(box, segments));
        }
      }
    }
    return waiting;
  }

  /** Returns the dead letters. */
  public List<String> parked() throws Exception {
    List<String> parked = new ArrayList<>();
    for (String partition : client.getChildren(root + "/d", false)) {
      for (String one : client.getChildren(root + "/d/" + partition, false)) {
        parked.add(partition + "/" + one);
      }
    }
    return parked;
  }

  @Override
  public void close() throws InterruptedException {
    client.close();
  }
}
