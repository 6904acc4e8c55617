package io.callboard.zookeeper;

import static io.callboard.testkit.Futures.await;
import static org.assertj.core.api.Assertions.assertThat;

import io.callboard.ActorOptions;
import io.callboard.ActorRef;
import io.callboard.Callboard;
import io.callboard.Priority;
import io.callboard.TellOptions;
import io.callboard.codecs.ActorPath;
import io.callboard.store.ActorRecord;
import io.callboard.store.Generation;
import io.callboard.store.StoredActor;
import io.callboard.store.StoredRecord;
import io.callboard.testkit.Eventually;
import io.callboard.zookeeper.Counter.Count;
import io.callboard.zookeeper.internal.layout.CellFormat;
import io.callboard.zookeeper.internal.layout.Layout;
import io.vertx.core.Future;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.apache.zookeeper.ZooKeeper;
import org.apache.zookeeper.data.Stat;
import org.apache.zookeeper.server.DataNode;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * Tests that no counter of ZooKeeper's ends the service: a real server whose counters stand shortly
 * before their ends, and actors that send and handle across them under load.
 */
@Tag("real")
class CountersEndTest {
  private static final int MESSAGES = 4_000;
  private static final int CLOSE = 60;

  private final List<Integer> handled = new CopyOnWriteArrayList<>();
  @RegisterExtension final NodesOnServer nodes = new NodesOnServer("counters");
  private Callboard callboard;

  @BeforeEach
  void start() {
    callboard = nodes.open("node");
  }

  private Counter counter() {
    return new Counter(handled::add);
  }

  private DataNode node(String path) {
    return TestServers.znode(nodes.server, path);
  }

  private String mailbox(String actor, long generation) {
    return new Layout("/callboard/main", CellFormat.DEFAULT_PARTITIONS)
        .mailbox(ActorPath.of(actor), generation);
  }

  private String record(String actor) {
    return new Layout("/callboard/main", CellFormat.DEFAULT_PARTITIONS).record(ActorPath.of(actor));
  }

  private ActorRef<Count> counter(String path) throws Exception {
    return await(callboard.spawn(path, this::counter, new ActorOptions()));
  }

  /**
   * Sends in bursts, so that there are many commits, and by the mailbox, so that there are
   * segments.
   */
  private void tell(ActorRef<Count> actor) throws Exception {
    for (int from = 0; from < MESSAGES; from += 20) {
      List<Future<Void>> burst = new ArrayList<>();
      for (int number = from; number < from + 20; number++) {
        burst.add(actor.tell(new Count(number), TellOptions.priority(Priority.HIGH)));
      }
      await(Future.all(burst));
    }
  }

  private void isHandledInOrder() {
    Eventually.assertThat(() -> assertThat(handled).hasSizeGreaterThanOrEqualTo(MESSAGES));
    assertThat(handled).hasSize(MESSAGES);
    for (int i = 0; i < MESSAGES; i++) {
      assertThat(handled.get(i)).isEqualTo(i);
    }
  }

  private void edit(String path, byte[] data) throws Exception {
    try (ZooKeeper client = RawClient.connect(nodes.server.connectString())) {
      Stat unused = client.setData(path, data, -1);
    }
  }

  @Test
  void aMailboxRollsOverToTheNextGeneration() throws Exception {
    String path = "/end/mailbox";
    ActorRef<Count> first = counter(path);
    await(callboard.stop(path));
    long near = Generation.LAST_NUMBER - CLOSE;
    node(mailbox(path, 0)).stat.setCversion((int) near);
    edit(record(path), new ActorRecord(0, 0, near, 0, 0, List.of()).encode());
    counter(path);
    tell(first);
    isHandledInOrder();
    StoredActor stored = await(callboard.admin().stored(path)).orElseThrow();
    assertThat(Generation.of(stored.record().next())).isEqualTo(1);
    assertThat(stored.waiting()).isZero();
    assertThat(nodes.server.server().getZKDatabase().getDataTree().getNode(mailbox(path, 0)))
        .as("the old generation is gone")
        .isNull();
  }

  @Test
  void aRecordBeginsItsVersionsAgain() throws Exception {
    String path = "/end/record";
    ActorRef<Count> actor = counter(path);
    await(callboard.stop(path));
    node(record(path)).stat.setVersion(StoredRecord.LAST_VERSION - CLOSE);
    counter(path);
    tell(actor);
    isHandledInOrder();
    assertThat(node(record(path)).stat.getVersion()).isLessThan(MESSAGES);
  }

  @Test
  void theCommitsOfANodeBeginTheirVersionsAgain() throws Exception {
    String number = new Layout("/callboard/main", 64).commits("node");
    await(callboard.close());
    node(number).stat.setVersion(StoredRecord.LAST_VERSION - CLOSE);
    callboard = nodes.open("node");
    String path = "/end/node";
    tell(counter(path));
    isHandledInOrder();
    assertThat(node(number).stat.getVersion()).isLessThan(MESSAGES);
  }
}
