package io.callboard.zookeeper;

import static io.callboard.testkit.Futures.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import io.callboard.codecs.ActorPath;
import io.callboard.codecs.Envelope;
import io.callboard.codecs.Json;
import io.callboard.codecs.MessageId;
import io.callboard.codecs.MessageType;
import io.callboard.codecs.Partition;
import io.callboard.store.ActorRecord;
import io.callboard.store.Commit;
import io.callboard.store.CommitOutcome;
import io.callboard.store.CommitOutcome.Applied;
import io.callboard.store.CommitOutcome.Reason;
import io.callboard.store.CommitOutcome.Refused;
import io.callboard.store.CommitUnit;
import io.callboard.store.Failover;
import io.callboard.store.JournalChange;
import io.callboard.store.Lease;
import io.callboard.store.NodeIdentity;
import io.callboard.store.Session;
import io.callboard.store.StoreException;
import io.callboard.store.StoreException.Kind;
import io.callboard.store.StoredActor;
import io.callboard.store.StoredActors;
import io.callboard.testkit.FreePorts;
import io.callboard.zookeeper.access.ZooKeeperOptions;
import io.vertx.core.Future;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.ZooDefs.Ids;
import org.apache.zookeeper.ZooKeeper;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Tests of the contents of znodes, and of the reaction to wrong ones. */
@Tag("real")
class ZooKeeperLayoutTest {
  private static final ActorPath ACTOR = ActorPath.of("/space/b");
  private static EmbeddedZooKeeper server;
  private static ZooKeeper raw;

  private final String cell = "cell-" + System.nanoTime();
  private final String root = "/tests/callboard/" + cell;
  private final ZooKeeperStore store =
      new ZooKeeperStore(
          new ZooKeeperOptions(
              server.connectString() + "/tests",
              cell,
              Duration.ofSeconds(5),
              Duration.ofSeconds(10)));
  private Session session;

  @BeforeAll
  static void startServer() throws IOException, InterruptedException {
    server = TestServers.start("layout");
    raw = RawClient.connect(server.connectString());
  }

  @AfterAll
  static void stopServer() throws InterruptedException {
    raw.close();
    server.close();
  }

  @AfterEach
  void closeStore() throws Exception {
    await(store.close());
  }

  private void open() throws Exception {
    session = await(store.open(new NodeIdentity("node", "boot", "home")));
  }

  private CommitOutcome commit(Set<Lease> leases, CommitUnit... units) throws Exception {
    Commit commit =
        new Commit(session.incarnation(), session.commitNumber() + 1, leases, List.of(units));
    CommitOutcome outcome = await(store.commit(commit));
    if (outcome instanceof Applied) {
      session =
          new Session(session.partitions(), session.incarnation(), session.commitNumber() + 1);
    }
    return outcome;
  }

  private void tell(int times) throws Exception {
    await(store.createMailbox(ACTOR));
    Envelope envelope =
        new Envelope(new MessageId("x", 1), new MessageType("note", 1), Json.bytes("hello"), null);
    for (int i = 0; i < times; i++) {
      CommitUnit unit = new CommitUnit(Optional.empty(), Map.of(ACTOR, List.of(envelope)));
      assertThat(commit(Set.of(), unit)).isInstanceOf(Applied.class);
    }
  }

  private static CommitUnit turn(int version, long turn, byte[] journal) {
    ActorRecord record = new ActorRecord(turn, 1, 0, 0, 0, List.of());
    return new CommitUnit(
        Optional.of(
            new CommitUnit.Write(
                ACTOR, version, record, List.of(), JournalChange.of(journal, 1), Map.of(), null)),
        Map.of());
  }

  private Lease claim() throws Exception {
    Partition partition = ACTOR.partition(session.partitions());
    return await(store.claim(partition, Optional.empty()));
  }

  private String znode(String kind) {
    return root + "/" + kind + "/" + ACTOR.partition(64) + "/space:b";
  }

  private JsonNode json(String path) throws Exception {
    return Json.parse(path, raw.getData(path, false, null));
  }

  @Test
  void aNodeThatWasForgottenIsToldThat() throws Exception {
    open();
    raw.delete(root + "/i/node", -1);
    assertThatThrownBy(() -> await(store.renew()))
        .isInstanceOfSatisfying(
            StoreException.class, e -> assertThat(e.kind()).isEqualTo(Kind.NAME_TAKEN))
        .hasMessageContaining("/i/node is gone: an operator removed the node \"node\"")
        .hasMessageContaining("restart it");
    assertThat(raw.exists(root + "/i/node", false)).as("not made again").isNull();
  }

  private void isNotPublished(Kind kind) throws Exception {
    byte[] before = raw.getData(root + "/h/node", false, null);
    assertThatThrownBy(() -> await(store.publish(Map.of("http", "8080"))))
        .isInstanceOfSatisfying(StoreException.class, e -> assertThat(e.kind()).isEqualTo(kind));
    assertThat(raw.getData(root + "/h/node", false, null)).isEqualTo(before);
  }

  @Test
  void aMembershipOfAnotherProcessIsNotOverwritten() throws Exception {
    open();
    String path = root + "/h/node";
    String mine = new String(raw.getData(path, false, null), StandardCharsets.UTF_8);
    byte[] other =
        mine.replace("\"boot\":\"boot\"", "\"boot\":\"other\"").getBytes(StandardCharsets.UTF_8);
    raw.setData(path, other, -1);
    isNotPublished(Kind.NAME_TAKEN);
  }

  @Test
  void aMembershipOfAnotherSessionIsLeftToTheRenewal() throws Exception {
    open();
    String path = root + "/h/node";
    byte[] mine = raw.getData(path, false, null);
    raw.delete(path, -1);
    assertThatThrownBy(() -> await(store.publish(Map.of("http", "8080"))))
        .isInstanceOfSatisfying(
            StoreException.class, e -> assertThat(e.kind()).isEqualTo(Kind.CONFLICT))
        .hasMessageContaining("/h/node is gone: the session must be renewed first");
    raw.create(path, mine, Ids.OPEN_ACL_UNSAFE, CreateMode.EPHEMERAL);
    isNotPublished(Kind.CONFLICT);
    await(store.renew());
    assertThat(json(path).at("/facts/http").asText()).isEqualTo("8080");
    assertThat(raw.exists(path, false).getEphemeralOwner()).isEqualTo(store.sessionId());
  }

  @Test
  void ofFactsPublishedAtOnceTheLastAreThere() throws Exception {
    open();
    List<Future<?>> all = new ArrayList<>();
    for (int i = 0; i < 50; i++) {
      all.add(store.publish(Map.of("n", String.valueOf(i))));
      if (i % 10 == 0) {
        all.add(store.renew());
      }
    }
    await(Future.join(all));
    assertThat(json(root + "/h/node").at("/facts/n").asText()).isEqualTo("49");
  }

  @Test
  void aNameThatCannotBeStoredIsNoDamage() {
    assertThatThrownBy(() -> await(store.open(new NodeIdentity("a/b", "boot", "home"))))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("\"a/b\" is not a node name: use up to 100 letters");
  }

  @Test
  void aStoreThatWasClosedHasLostNothing() throws Exception {
    open();
    await(store.close());
    assertThatThrownBy(() -> await(store.renew()))
        .isInstanceOfSatisfying(
            StoreException.class, e -> assertThat(ZooKeeperStore.isLoss(e)).isFalse());
    assertThat(ZooKeeperStore.isLoss(StoreException.nameTaken("taken"))).isTrue();
    assertThat(ZooKeeperStore.isLoss(new IllegalStateException())).isTrue();
  }

  @Test
  void theZnodesAreAsDocumented() throws Exception {
    open();
    tell(2);
    Lease lease = claim();
    assertThat(commit(Set.of(lease), turn(0, 1, "{}".getBytes(StandardCharsets.UTF_8))))
        .isInstanceOf(Applied.class);
    assertThat(json(root + "/fmt").path("partitions").asInt()).isEqualTo(64);
    assertThat(json(root + "/fmt").path("cellId").asText()).isNotEmpty();
    assertThat(raw.exists(root + "/h/node", false).getEphemeralOwner())
        .isEqualTo(store.sessionId());
    assertThat(raw.exists(root + "/i/node", false).getVersion()).isEqualTo(session.incarnation());
    assertThat(json(root + "/s/node").path("number").asLong()).isEqualTo(3);
    assertThat(json(root + "/o/" + lease.partition()).path("owner").asText()).isEqualTo("node");
    assertThat(json(znode("a")).path("turn").asInt()).isEqualTo(1);
    assertThat(json(znode("m") + "~0").path("state").asText()).isEqualTo("OPEN");
    assertThat(raw.getChildren(znode("m") + "~0", false))
        .allMatch(name -> name.matches("s1\\.\\d+-000000000[01]"))
        .hasSize(2);
    assertThat(raw.getChildren(znode("j"), false))
        .as("turn, events and bytes")
        .containsExactly("1.1.2");
  }

  @Test
  void aCellOfANewerFormatIsRefusedAndLeftAlone() throws Exception {
    createAll(root);
    byte[] format = "{\"f\":2,\"partitions\":8}".getBytes(StandardCharsets.UTF_8);
    raw.create(root + "/fmt", format, Ids.OPEN_ACL_UNSAFE, CreateMode.PERSISTENT);
    assertThatThrownBy(this::open)
        .isInstanceOfSatisfying(
            StoreException.class, e -> assertThat(e.kind()).isEqualTo(Kind.CORRUPT))
        .hasMessageContaining(root + "/fmt")
        .hasMessageContaining("format 2")
        .hasMessageContaining("up to 1");
    assertThat(raw.getChildren(root, false)).containsExactly("fmt");
  }

  private static void createAll(String path) throws Exception {
    for (int slash = path.indexOf('/', 1); slash > 0; slash = path.indexOf('/', slash + 1)) {
      create(path.substring(0, slash));
    }
    create(path);
  }

  private static void create(String path) throws Exception {
    if (raw.exists(path, false) == null) {
      raw.create(path, new byte[0], Ids.OPEN_ACL_UNSAFE, CreateMode.PERSISTENT);
    }
  }

  @Test
  void aDamagedRecordIsNamed() throws Exception {
    open();
    tell(1);
    Lease lease = claim();
    raw.setData(znode("a"), "{\"f\":1,\"tur".getBytes(StandardCharsets.UTF_8), -1);
    assertThatThrownBy(() -> await(store.load(ACTOR, lease)))
        .isInstanceOfSatisfying(
            StoreException.class, e -> assertThat(e.kind()).isEqualTo(Kind.CORRUPT))
        .hasMessageContaining(znode("a"));
  }

  @Test
  void aMissingSegmentIsNoticed() throws Exception {
    open();
    tell(2);
    Lease lease = claim();
    String mailbox = znode("m") + "~0";
    String first = raw.getChildren(mailbox, false).stream().sorted().findFirst().orElseThrow();
    raw.delete(mailbox + "/" + first, -1);
    assertThatThrownBy(() -> await(store.load(ACTOR, lease)))
        .isInstanceOfSatisfying(
            StoreException.class, e -> assertThat(e.kind()).isEqualTo(Kind.CORRUPT))
        .hasMessageContaining(mailbox);
  }

  @Test
  void missingMailOfAnEmptyMailboxIsNoticedToo() throws Exception {
    open();
    tell(1);
    Lease lease = claim();
    String mailbox = znode("m") + "~0";
    raw.delete(mailbox + "/" + raw.getChildren(mailbox, false).get(0), -1);
    assertThatThrownBy(() -> await(store.load(ACTOR, lease)))
        .isInstanceOfSatisfying(
            StoreException.class, e -> assertThat(e.kind()).isEqualTo(Kind.CORRUPT));
  }

  @Test
  void aLeaseThatNobodyCanReadStopsNoOther() throws Exception {
    open();
    Lease lease = claim();
    String top = znode("a").split("/a/", -1)[0] + "/o";
    raw.create(top + "/other~3", new byte[] {'x'}, Ids.OPEN_ACL_UNSAFE, CreateMode.PERSISTENT);
    raw.create(top + "/oops", new byte[] {'x'}, Ids.OPEN_ACL_UNSAFE, CreateMode.PERSISTENT);
    assertThat(await(store.leases()).values()).containsExactly(lease);
    assertThat(store.unreadableLeases()).containsOnlyKeys(new Partition("other", 3));
    assertThat(store.unreadableLeases().values())
        .allMatch(why -> why.contains("znode " + top + "/other~3 cannot be read"));
    byte[] free =
        "{\"f\":1,\"epoch\":7,\"owner\":\"\",\"boot\":\"\"}".getBytes(StandardCharsets.UTF_8);
    raw.setData(top + "/other~3", free, -1);
    assertThat(await(store.leases())).hasSize(2);
    assertThat(store.unreadableLeases()).isEmpty();
  }

  @Test
  void aRoleWhoseFailoversCannotBeReadHidesNoOtherAndKeepsThem() throws Exception {
    open();
    Lease one = await(store.claim(Partition.ofRole("one"), Optional.empty()));
    Lease two = await(store.claim(Partition.ofRole("two"), Optional.empty()));
    Failover first = new Failover(1, "", "node", "NONE_BEFORE", Instant.EPOCH, Optional.empty());
    await(store.keepFailovers(one, "one", List.of(first)));
    await(store.keepFailovers(two, "two", List.of(first)));
    byte[] newer = "{\"f\":99}".getBytes(StandardCharsets.UTF_8);
    String path = root + "/t/" + one.partition();
    raw.setData(path, newer, -1);
    assertThat(await(store.failovers())).containsOnlyKeys("two");
    assertThatThrownBy(() -> await(store.keepFailovers(one, "one", List.of(first))))
        .isInstanceOfSatisfying(
            StoreException.class, e -> assertThat(e.kind()).isEqualTo(Kind.CORRUPT));
    assertThat(raw.getData(path, false, null)).isEqualTo(newer);
    await(store.keepFailovers(two, "two", List.of(first, first)));
  }

  @Test
  void aMailboxOfADamagedRecordKeepsNoOtherFromItsMail() throws Exception {
    open();
    tell(1);
    await(store.close());
    ZooKeeperStore next =
        new ZooKeeperStore(
            new ZooKeeperOptions(
                server.connectString() + "/tests",
                cell,
                Duration.ofSeconds(5),
                Duration.ofSeconds(10)));
    session = await(next.open(new NodeIdentity("node", "later", "home")));
    String mailbox = znode("m") + "~0";
    for (String segment : raw.getChildren(mailbox, false)) {
      raw.delete(mailbox + "/" + segment, -1);
    }
    raw.delete(mailbox, -1);
    String record = new String(raw.getData(znode("a"), false, null), StandardCharsets.UTF_8);
    String newer = record.replaceFirst("\"f\":\\d+", "\"f\":99");
    assertThat(newer).isNotEqualTo(record);
    raw.setData(znode("a"), newer.getBytes(StandardCharsets.UTF_8), -1);
    Envelope envelope =
        new Envelope(new MessageId("y", 1), new MessageType("note", 1), Json.bytes("hello"), null);
    ActorPath other = ActorPath.of("/space/c");
    await(next.createMailbox(other));
    CommitUnit fine = new CommitUnit(Optional.empty(), Map.of(other, List.of(envelope)));
    CommitUnit lost = new CommitUnit(Optional.empty(), Map.of(ACTOR, List.of(envelope)));
    CommitOutcome outcome =
        await(
            next.commit(
                new Commit(
                    session.incarnation(),
                    session.commitNumber() + 1,
                    Set.of(),
                    List.of(fine, lost))));
    assertThat(outcome)
        .isInstanceOfSatisfying(
            Refused.class,
            refused -> {
              assertThat(refused.reason()).isEqualTo(Reason.CORRUPT);
              assertThat(refused.unit()).as("only that one fails").isEqualTo(1);
            });
    await(next.close());
  }

  @Test
  void aDamagedRecordHidesNoOther() throws Exception {
    open();
    tell(1);
    ActorPath other = ActorPath.of("/space/c");
    await(store.createMailbox(other));
    raw.setData(znode("a"), "{\"f\":1,\"tur".getBytes(StandardCharsets.UTF_8), -1);
    StoredActors found = await(store.actors(ActorPath.of("/space"), 100, Optional.empty()));
    assertThat(found.readable()).extracting(StoredActor::path).containsExactly(other);
    assertThat(found.unreadable()).containsOnlyKeys(ACTOR);
    assertThat(found.unreadable().get(ACTOR)).contains("znode " + znode("a") + " cannot be read");
    assertThatThrownBy(() -> await(store.actor(ACTOR)))
        .isInstanceOfSatisfying(
            StoreException.class, e -> assertThat(e.kind()).isEqualTo(Kind.CORRUPT))
        .hasMessageContaining("znode " + znode("a"));
    assertThatThrownBy(() -> await(store.peek(ACTOR, 1))).hasMessageContaining(znode("a"));
    assertThat(await(store.actor(other))).isPresent();
  }

  @Test
  void namesThatAreNotCallboardsArePassedOver() throws Exception {
    open();
    tell(1);
    Lease lease = claim();
    String partition = znode("a").replace("/space:b", "");
    for (String path :
        List.of(
            root + "/a/oops",
            root + "/d/oops",
            root + "/h/ü",
            partition + "/x y",
            partition.replace("/a/", "/m/") + "/oops",
            partition.replace("/a/", "/d/") + "/oops",
            partition.replace("/a/", "/d/") + "/space:b~%zz",
            partition.replace("/a/", "/x/") + "/x y")) {
      create(path);
    }
    create(partition.replace("/a/", "/m/") + "/oops/child");
    create(partition.replace("/a/", "/x/") + "/x y/child");
    assertThat(await(store.actors(ActorPath.of("/space"), 100, Optional.empty())).readable())
        .extracting(StoredActor::path)
        .containsExactly(ACTOR);
    assertThat(await(store.withMail(lease.partition()))).containsExactly(ACTOR);
    assertThat(await(store.members())).hasSize(1);
    assertThat(await(store.parked(10))).isEmpty();
    assertThat(await(store.parkedKeys(Optional.empty()))).isEmpty();
  }

  @Test
  void aForeignZnodeInAJournalIsNamed() throws Exception {
    open();
    tell(1);
    Lease lease = claim();
    create(znode("j"));
    create(znode("j") + "/oops");
    assertThatThrownBy(() -> await(store.load(ACTOR, lease)))
        .hasMessageContaining("\"oops\" in the journal of /space/b is not an entry");
  }

  @Test
  void aForeignZnodeInAMailboxIsNamed() throws Exception {
    open();
    tell(1);
    raw.create(znode("m") + "~0/oops", new byte[0], Ids.OPEN_ACL_UNSAFE, CreateMode.PERSISTENT);
    assertThatThrownBy(() -> await(store.read(ACTOR, 0))).hasMessageContaining("oops");
  }

  @Test
  void aDeniedWriteIsTerminal() throws Exception {
    open();
    tell(1);
    Lease lease = claim();
    raw.setACL(znode("a"), Ids.READ_ACL_UNSAFE, -1);
    assertThat(commit(Set.of(lease), turn(0, 1, null)))
        .isInstanceOfSatisfying(
            Refused.class,
            refused -> {
              assertThat(refused.reason()).isEqualTo(Reason.DENIED);
              assertThat(refused.unit()).isZero();
            });
  }

  @Test
  void aServerThatIsNotThereIsNamed() throws Exception {
    String address = "127.0.0.1:" + FreePorts.one();
    ZooKeeperStore lonely =
        new ZooKeeperStore(
            new ZooKeeperOptions(address, cell, Duration.ofSeconds(5), Duration.ofMillis(300)));
    assertThatThrownBy(() -> await(lonely.open(new NodeIdentity("node", "boot", "home"))))
        .isInstanceOfSatisfying(
            StoreException.class, e -> assertThat(e.kind()).isEqualTo(Kind.UNAVAILABLE))
        .hasMessageContaining(address);
    await(lonely.close());
  }

  @Test
  void renewRetriesUntilTheServerIsBack() throws Exception {
    try (CommitProxy proxy = new CommitProxy(server.port())) {
      ZooKeeperStore behind =
          new ZooKeeperStore(
              new ZooKeeperOptions(
                  proxy.connectString(), cell, Duration.ofSeconds(5), Duration.ofSeconds(5)));
      Session opened = await(behind.open(new NodeIdentity("behind", "boot", "home-2")));
      proxy.cut();
      Session renewed = await(behind.renew());
      assertThat(renewed.incarnation()).isGreaterThan(opened.incarnation());
      await(behind.close());
    }
  }
}
