package io.callboard.zookeeper;

import static io.callboard.testkit.Futures.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.callboard.ActorOptions;
import io.callboard.ActorRef;
import io.callboard.Callboard;
import io.callboard.CallboardException;
import io.callboard.CallboardException.Code;
import io.callboard.DurableStateActor;
import io.callboard.Protocol;
import io.callboard.codecs.ActorPath;
import io.callboard.store.ActorRecord;
import io.callboard.store.CommitOutcome.Applied;
import io.callboard.store.CommitUnit;
import io.callboard.store.JournalChange;
import io.callboard.store.Lease;
import io.callboard.store.Limits;
import io.callboard.store.StoredSnapshot;
import io.callboard.testkit.Eventually;
import io.callboard.testkit.NodesExtension;
import io.callboard.zookeeper.Counter.Count;
import io.callboard.zookeeper.access.ZooKeeperOptions;
import io.callboard.zookeeper.internal.layout.CellFormat;
import io.callboard.zookeeper.internal.layout.Layout;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.ZooDefs.Ids;
import org.apache.zookeeper.ZooKeeper;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.NullAndEmptySource;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests that trouble at one receiver's mailbox stops nothing but the mail to it. */
@Tag("real")
class MailboxTroubleTest {
  private static final int LARGE_STATE = 600_000;

  @RegisterExtension final NodesExtension nodes = new NodesExtension();

  private final List<Integer> handled = new CopyOnWriteArrayList<>();
  private EmbeddedZooKeeper server;
  private ZooKeeper raw;
  private ZooKeeperOptions options;
  private Layout layout;

  @BeforeEach
  void start() throws Exception {
    server = TestServers.start("trouble");
    raw = RawClient.connect(server.connectString());
    options =
        new ZooKeeperOptions(
            server.connectString(), "main", Duration.ofSeconds(5), Duration.ofSeconds(10));
    layout = new Layout(options.root(), CellFormat.DEFAULT_PARTITIONS);
  }

  @AfterEach
  void stop() throws Exception {
    nodes.close();
    raw.close();
    server.close();
  }

  private Callboard open() {
    return nodes.open("node", more -> more.store(() -> new ZooKeeperStore(options)));
  }

  private static CommitUnit withState(ActorPath actor, Lease lease) {
    ActorRecord record =
        new ActorRecord(
            1, lease.epoch(), 0, 0, 0, List.of(StoredSnapshot.inPlace(1, "x".repeat(LARGE_STATE))));
    return new CommitUnit(
        Optional.of(
            new CommitUnit.Write(
                actor,
                CommitUnit.Write.NEW,
                record,
                List.of(),
                JournalChange.NONE,
                Map.of(),
                null)),
        Map.of());
  }

  @Test
  void theStatesOfReceiversAreNotReadToSendThemSomething() throws Exception {
    List<ActorPath> receivers = List.of(ActorPath.of("/large/a"), ActorPath.of("/large/b"));
    try (TestNode owner = new TestNode(options).open("owner")) {
      for (ActorPath receiver : receivers) {
        Lease lease = owner.claim(receiver);
        assertThat(owner.commit(Set.of(lease), withState(receiver, lease)))
            .isInstanceOf(Applied.class);
        await(owner.store().createMailbox(receiver));
      }
    }
    try (TestNode sender = new TestNode(options).open("sender")) {
      CommitUnit both =
          new CommitUnit(
              Optional.empty(),
              Map.of(
                  receivers.get(0), List.of(TestNode.note(1)),
                  receivers.get(1), List.of(TestNode.note(2))));
      assertThat(sender.commit(Set.of(), both)).isInstanceOf(Applied.class);
    }
  }

  @ParameterizedTest
  @NullAndEmptySource
  @ValueSource(
      strings = {
        "no JSON",
        "{\"f\":99,\"state\":\"OPEN\",\"limit\":10}",
        "{\"f\":2,\"state\":\"OPEN\",\"limit\":10,\"whenFull\":\"explode\"}"
      })
  void aMailboxThatNobodyCanReadStopsOnlyWhatIsSentThere(@Nullable String header) throws Exception {
    Callboard first = open();
    ActorRef<Count> broken = await(first.spawn("/broken/a", this::counter, new ActorOptions()));
    await(broken.tell(new Count(1)));
    Eventually.assertThat(() -> assertThat(handled).containsExactly(1));
    nodes.close(first);
    String mailbox = layout.mailbox(ActorPath.of("/broken/a"), 0);
    byte[] data = header == null ? null : header.getBytes(StandardCharsets.UTF_8);
    assertThat(raw.setData(mailbox, data, -1)).isNotNull();
    Callboard node = open();
    ActorRef<Count> sound = await(node.spawn("/sound/a", this::counter, new ActorOptions()));
    var refused = node.durableRef("/broken/a", Count.class).tell(new Count(2));
    for (int i = 10; i < 20; i++) {
      await(sound.tell(new Count(i)));
    }
    Eventually.assertThat(() -> assertThat(handled).hasSize(11).endsWith(19));
    assertThatThrownBy(() -> await(refused))
        .isInstanceOfSatisfying(
            CallboardException.class, e -> assertThat(e.code()).isEqualTo(Code.UNAVAILABLE))
        .hasMessageContaining(mailbox);
  }

  /** Actor that tells each count to more receivers than one commit serves; the last are relayed. */
  private static final class ToMany extends DurableStateActor<Count, Counter.Total> {
    @Override
    protected Counter.Total initial() {
      return new Counter.Total(0);
    }

    @Override
    protected void protocol(Protocol<Count> on) {
      on.message(
          Count.class,
          count -> {
            for (int i = 0; i < Limits.RELAY_RECEIVERS; i++) {
              tell(callboard().durableRef("/many/r" + i, Count.class), count);
            }
            tell(callboard().durableRef("/broken/a", Count.class), count);
            tell(callboard().durableRef("/sound/a", Count.class), count);
          });
    }
  }

  @Test
  void relaysToAnUnreadableMailboxStayInTheOutboxAndStopNothingElse() throws Exception {
    Callboard first = open();
    ActorRef<Count> broken = await(first.spawn("/broken/a", this::counter, new ActorOptions()));
    await(broken.tell(new Count(1)));
    Eventually.assertThat(() -> assertThat(handled).containsExactly(1));
    nodes.close(first);
    String mailbox = layout.mailbox(ActorPath.of("/broken/a"), 0);
    byte[] header = raw.getData(mailbox, false, null);
    assertThat(raw.setData(mailbox, new byte[] {'x'}, -1)).isNotNull();
    Callboard node = open();
    var sound = await(node.spawn("/sound/a", this::counter, new ActorOptions()));
    ActorRef<Count> sender = await(node.spawn("/sound/many", ToMany::new, new ActorOptions()));
    for (int i = 2; i < 5; i++) {
      await(sender.tell(new Count(i)));
    }
    Eventually.assertThat(() -> assertThat(handled).containsExactly(1, 2, 3, 4));
    assertThat(raw.setData(mailbox, header, -1)).isNotNull();
    broken = await(node.spawn("/broken/a", this::counter, new ActorOptions()));
    Eventually.assertThat(() -> assertThat(handled).containsExactly(1, 2, 3, 4, 2, 3, 4));
    for (ActorRef<Count> each : List.of(sender, sound, broken)) {
      assertThat(node.admin().running(each.path()).orElseThrow().failures()).isZero();
    }
  }

  @Test
  void aForeignZnodeInAMailboxDoesNotKeepMailOut() throws Exception {
    ActorPath receiver = ActorPath.of("/odd/a");
    try (TestNode before = new TestNode(options).open("before")) {
      before.tell(receiver);
    }
    String foreign = layout.mailbox(receiver, 0) + "/notes";
    assertThat(raw.create(foreign, new byte[0], Ids.OPEN_ACL_UNSAFE, CreateMode.PERSISTENT))
        .isEqualTo(foreign);
    try (TestNode sender = new TestNode(options).open("sender")) {
      assertThat(sender.send(receiver)).isInstanceOf(Applied.class);
    }
  }

  @Test
  void aCallerThatThrowsIsItsOwnTrouble() throws Exception {
    Callboard node = open();
    ActorRef<Count> actor = await(node.spawn("/sound/a", this::counter, new ActorOptions()));
    List<Throwable> seen = new CopyOnWriteArrayList<>();
    node.vertx().exceptionHandler(seen::add);
    for (int i = 0; i < 50; i++) {
      var tell = actor.tell(new Count(i));
      tell.onSuccess(
          v -> {
            throw new IllegalStateException("a callback of the caller's");
          });
    }
    await(actor.tell(new Count(50)));
    Eventually.assertThat(() -> assertThat(handled).hasSize(51).isSorted());
    Eventually.assertThat(() -> assertThat(seen).hasSize(50));
  }

  private Counter counter() {
    return new Counter(handled::add);
  }
}
