package io.callboard.zookeeper.faults;

import static io.callboard.testkit.Futures.await;

import io.callboard.Callboard;
import io.callboard.zookeeper.EmbeddedZooKeeper;
import io.callboard.zookeeper.TestServers;
import io.callboard.zookeeper.ZooKeeperStore;
import io.callboard.zookeeper.faults.CrashLoad.Note;
import io.callboard.zookeeper.faults.CrashLoad.Noted;

/** Loads what child JVMs load: a server, and a node that runs an actor. */
final class TrainingMain {
  private TrainingMain() {}

  public static void main(String[] arguments) throws Exception {
    EmbeddedZooKeeper server = TestServers.start(Servers.directory("training").resolve("data"));
    Callboard node =
        CrashLoad.open(
            () -> new ZooKeeperStore(CrashLoad.options(server.connectString(), "training")));
    if (await(CrashLoad.spawnKeeper(node)) == null) {
      throw new IllegalStateException("the keeper was not spawned");
    }
    Noted answer =
        await(node.durableRef(CrashLoad.KEEPER, Note.class).ask(CrashLoad.note(1), Noted.class));
    System.out.println(answer);
    FaultNode.close(node);
    server.close();
    Runtime.getRuntime().halt(0); // a thread of ZooKeeper's connection factory outlives it
  }
}
