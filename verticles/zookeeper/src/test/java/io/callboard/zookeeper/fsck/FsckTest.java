package io.callboard.zookeeper.fsck;

import static io.callboard.testkit.Futures.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.callboard.codecs.ActorPath;
import io.callboard.codecs.DeliveryEntry;
import io.callboard.codecs.Envelope;
import io.callboard.codecs.Handling;
import io.callboard.codecs.MessageId;
import io.callboard.codecs.MessageType;
import io.callboard.codecs.Partition;
import io.callboard.codecs.TimerEntry;
import io.callboard.store.ActorRecord;
import io.callboard.store.BlobKey;
import io.callboard.store.CommitOutcome.Applied;
import io.callboard.store.CommitOutcome.Reason;
import io.callboard.store.CommitOutcome.Refused;
import io.callboard.store.CommitUnit;
import io.callboard.store.JournalChange;
import io.callboard.store.Lease;
import io.callboard.store.StoreException;
import io.callboard.store.StoreException.Kind;
import io.callboard.supervision.Failure;
import io.callboard.zookeeper.EmbeddedZooKeeper;
import io.callboard.zookeeper.RawClient;
import io.callboard.zookeeper.TestNode;
import io.callboard.zookeeper.TestServers;
import io.callboard.zookeeper.access.ZooKeeperOptions;
import io.callboard.zookeeper.fsck.FsckFinding.Outcome;
import io.callboard.zookeeper.internal.client.BlockingReads;
import io.callboard.zookeeper.internal.client.Connection;
import io.callboard.zookeeper.internal.layout.Layout;
import io.callboard.zookeeper.internal.layout.StoredHeader;
import io.callboard.zookeeper.internal.mailbox.Mailboxes;
import io.callboard.zookeeper.internal.read.CellReader.StoredLease;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.ZKUtil;
import org.apache.zookeeper.ZooDefs.Ids;
import org.apache.zookeeper.ZooKeeper;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** Orphans of every kind, each planted in a cell of its own with a live node. */
@Execution(ExecutionMode.CONCURRENT)
@Tag("real")
class FsckTest {
  private static final ActorPath WELL = ActorPath.of("/space/well");
  private static final ActorPath SICK = ActorPath.of("/space/sick");
  private static final Clock NOW = Clock.systemUTC();
  private static final Clock LATER = Clock.offset(NOW, Duration.ofHours(1));
  private static final Clock AN_HOUR_LATER = Clock.offset(NOW, Duration.ofMinutes(61));
  private static final Clock MUCH_LATER = Clock.offset(NOW, Duration.ofDays(31));
  private static final FsckOptions FIX =
      new FsckOptions(true, false, FsckOptions.DEFAULT_FORGOTTEN_AFTER);
  private static final FsckOptions FORGET =
      new FsckOptions(true, true, FsckOptions.DEFAULT_FORGOTTEN_AFTER);
  private static final AtomicInteger CELLS = new AtomicInteger();
  private static EmbeddedZooKeeper server;
  private static ZooKeeper raw;

  private final String cell = "cell-" + CELLS.incrementAndGet();
  private final String root = "/callboard/" + cell;
  private final Layout layout = new Layout(root, 64);
  private final ZooKeeperOptions options =
      new ZooKeeperOptions(
          server.connectString(), cell, Duration.ofSeconds(30), Duration.ofSeconds(10));
  private final TestNode node = new TestNode(options);

  @BeforeAll
  static void startServer() throws Exception {
    server = TestServers.start("fsck");
    raw = RawClient.connect(server.connectString());
  }

  @AfterAll
  static void stopServer() throws Exception {
    raw.close();
    server.close();
  }

  @BeforeEach
  void aHealthyCell() throws Exception {
    node.open("node").tell(WELL);
    Lease lease = node.claim(WELL);
    assertThat(node.commit(Set.of(lease), TestNode.turn(WELL, 0, 1, "parked")))
        .isInstanceOf(Applied.class);
    assertThat(node.claim(SICK).epoch()).isPositive();
  }

  @AfterEach
  void closeNode() throws Exception {
    node.close();
  }

  private void create(String path, byte[] data) throws Exception {
    assertThat(raw.create(path, data, Ids.OPEN_ACL_UNSAFE, CreateMode.PERSISTENT)).isEqualTo(path);
  }

  private void create(String path) throws Exception {
    create(path, new byte[0]);
  }

  private void createMailbox(ActorPath actor) throws Exception {
    create(layout.mailbox(actor, 0), StoredHeader.encode(new Mailboxes(10).fresh()));
  }

  /** Path, data and version of each znode. */
  private TreeMap<String, String> everything() throws Exception {
    TreeMap<String, String> all = new TreeMap<>();
    for (String path : ZKUtil.listSubTreeBFS(raw, root)) {
      var stat = raw.exists(path, false);
      String data = new String(raw.getData(path, false, null), StandardCharsets.UTF_8);
      all.put(path, data + " " + stat.getVersion() + " " + stat.getPzxid());
    }
    return all;
  }

  private static FsckFinding only(List<FsckFinding> findings) {
    assertThat(findings).hasSize(1);
    return findings.get(0);
  }

  /** A dry run lists it and changes nothing; a fix removes {@code gone}, and no more is found. */
  private void isFixed(FsckFinding.Kind kind, String path, Clock clock, String... gone)
      throws Exception {
    var before = everything();
    FsckFinding listed = only(Fsck.run(options, FsckOptions.DRY_RUN, clock));
    assertThat(listed.kind()).isEqualTo(kind);
    assertThat(listed.path()).isEqualTo(path);
    assertThat(listed.outcome()).isEqualTo(Outcome.LISTED);
    assertThat(everything()).isEqualTo(before);
    assertThat(only(Fsck.run(options, FORGET, clock)).outcome()).isEqualTo(Outcome.FIXED);
    Set<String> left = new java.util.TreeSet<>(before.keySet());
    left.removeAll(List.of(gone));
    assertThat(everything().keySet()).isEqualTo(left);
    assertThat(Fsck.run(options, FORGET, clock)).isEmpty();
  }

  private void isReported(FsckFinding.Kind kind, String path) throws Exception {
    var before = everything();
    for (FsckOptions each : List.of(FsckOptions.DRY_RUN, FORGET)) {
      FsckFinding finding = only(Fsck.run(options, each, LATER));
      assertThat(finding.kind()).isEqualTo(kind);
      assertThat(finding.path()).isEqualTo(path);
      assertThat(finding.outcome()).isEqualTo(Outcome.REPORTED);
      assertThat(everything()).isEqualTo(before);
    }
  }

  @Test
  void aHealthyCellYieldsNothing() {
    assertThat(Fsck.run(options, FsckOptions.DRY_RUN, LATER)).isEmpty();
    assertThat(Fsck.run(options, FORGET, MUCH_LATER)).isEmpty(); // its node is a member
  }

  @Test
  void aRecordWithoutMailbox() throws Exception {
    String path = layout.record(SICK);
    create(path, ActorRecord.EMPTY.encode());
    assertThat(Fsck.run(options, FIX, NOW)).isEmpty(); // it may be in the making
    isFixed(FsckFinding.Kind.RECORD_WITHOUT_MAILBOX, path, LATER, path);
  }

  @Test
  void aRecordWithStateIsKept() throws Exception {
    create(layout.record(SICK), new ActorRecord(3, 1, 0, 0, 0, List.of()).encode());
    isReported(FsckFinding.Kind.RECORD_WITHOUT_MAILBOX, layout.record(SICK));
  }

  @Test
  void aMailboxWithoutRecord() throws Exception {
    createMailbox(SICK);
    isFixed(
        FsckFinding.Kind.MAILBOX_WITHOUT_RECORD,
        layout.mailbox(SICK, 0),
        LATER,
        layout.mailbox(SICK, 0));
  }

  private static List<Failure> failures() {
    return List.of(
        Failure.of(NOW.instant(), Failure.Kind.THROWN, new IllegalStateException("no"), "node", 0));
  }

  @Test
  void theFailuresOfAnActorThatIsThereAreItsOwn() throws Exception {
    await(node.store().keepFailures(WELL, node.claim(WELL), failures()));
    assertThat(raw.exists(layout.failures(WELL), false)).isNotNull();
    assertThat(Fsck.run(options, FORGET, MUCH_LATER)).isEmpty();
    damage(layout.failures(WELL));
  }

  @Test
  void theFailuresOfAnActorThatIsGone() throws Exception {
    String path = layout.failures(SICK);
    await(node.store().keepFailures(SICK, node.claim(SICK), failures()));
    isFixed(FsckFinding.Kind.FAILURES_WITHOUT_RECORD, path, LATER, path);
  }

  @Test
  void theFailuresGoWithTheRecord() throws Exception {
    create(layout.record(SICK), ActorRecord.EMPTY.encode());
    await(node.store().keepFailures(SICK, node.claim(SICK), failures()));
    assertThat(Fsck.run(options, FIX, LATER))
        .allMatch(finding -> finding.outcome() == Outcome.FIXED)
        .extracting(FsckFinding::kind)
        .containsExactly(
            FsckFinding.Kind.RECORD_WITHOUT_MAILBOX, FsckFinding.Kind.FAILURES_WITHOUT_RECORD);
    assertThat(raw.exists(layout.failures(SICK), false)).isNull();
    assertThat(Fsck.run(options, FIX, LATER)).isEmpty();
  }

  @Test
  void aMailboxWithMailIsKept() throws Exception {
    createMailbox(SICK);
    assertThat(node.send(SICK)).isInstanceOf(Applied.class);
    isReported(FsckFinding.Kind.MAILBOX_WITHOUT_RECORD, layout.mailbox(SICK, 0));
  }

  @Test
  void aJournalWithoutRecord() throws Exception {
    String path = layout.journal(SICK);
    create(path);
    create(path + "/1");
    create(path + "/2");
    isFixed(FsckFinding.Kind.JOURNAL_WITHOUT_RECORD, path, LATER, path, path + "/1", path + "/2");
  }

  @Test
  void aJournalInAPartitionWithoutOtherParents() throws Exception {
    Partition partition = new Partition("other", 0);
    ActorPath actor = within(partition);
    create(layout.top("j") + "/" + partition);
    create(layout.journal(actor));
    create(layout.journal(actor) + "/7");
    // the parent is empty then
    assertThat(Fsck.run(options, FIX, LATER))
        .allMatch(finding -> finding.outcome() == Outcome.FIXED)
        .extracting(FsckFinding::kind)
        .containsExactly(FsckFinding.Kind.JOURNAL_WITHOUT_RECORD, FsckFinding.Kind.EMPTY_PARTITION);
    assertThat(raw.getChildren(layout.top("j"), false)).doesNotContain(partition.toString());
    assertThat(Fsck.run(options, FIX, LATER)).isEmpty();
  }

  private ActorPath within(Partition partition) {
    for (int i = 0; ; i++) {
      ActorPath actor = ActorPath.of("/" + partition.space() + "/a" + i);
      if (actor.partition(64).equals(partition)) {
        return actor;
      }
    }
  }

  @Test
  void oldEntriesOfAJournal() throws Exception {
    Lease lease = node.claim(WELL);
    assertThat(node.commit(Set.of(lease), TestNode.snapshot(WELL, 1, 2, List.of())))
        .isInstanceOf(Applied.class);
    assertThat(node.commit(Set.of(lease), TestNode.turn(WELL, 2, 3))).isInstanceOf(Applied.class);
    String path = layout.journal(WELL);
    // entry 3 stays: the record written last says so
    raw.setData(layout.record(WELL), TestNode.withState(3, 2).encode(), -1);
    isFixed(FsckFinding.Kind.OLD_JOURNAL, path, LATER, path + "/" + TestNode.entryOf(1));
    assertThat(raw.getChildren(path, false)).containsExactly(TestNode.entryOf(3));
  }

  private BlobKey blob(ActorPath receiver, int bytes) throws Exception {
    return new BlobKey(receiver, await(node.store().blobs().write(receiver, new byte[bytes])));
  }

  private String path(BlobKey key) {
    return layout.blob(key.receiver(), key.blob().id());
  }

  private static CommitUnit tell(BlobKey key) {
    Envelope envelope =
        new Envelope(new MessageId("y", 1), new MessageType("note", 1), key.blob(), null);
    return new CommitUnit(Optional.empty(), Map.of(key.receiver(), List.of(envelope)));
  }

  @Test
  void aBlobThatNoCommitNamed() throws Exception {
    BlobKey key = blob(WELL, 600_000);
    assertThat(Fsck.run(options, FIX, NOW)).as("its commit may be on the way").isEmpty();
    isFixed(
        FsckFinding.Kind.ORPHANED_BLOB,
        path(key),
        AN_HOUR_LATER,
        path(key),
        path(key) + "/0",
        path(key) + "/1");
    assertThat(node.commit(Set.of(), tell(key)))
        .as("the commit came too late, and notices")
        .isInstanceOfSatisfying(
            Refused.class, refused -> assertThat(refused.reason()).isEqualTo(Reason.STALE));
  }

  @Test
  void aBlobWhoseWriterDiedInTheMiddle() throws Exception {
    String path = layout.blob(SICK, "dead.boot.1");
    create(path, "{}".getBytes(StandardCharsets.UTF_8));
    create(path + "/1");
    isFixed(FsckFinding.Kind.ORPHANED_BLOB, path, AN_HOUR_LATER, path, path + "/1");
  }

  @Test
  void aKeptBlobIsAnOrphanOnlyIfItsActorIsNotStored() throws Exception {
    ActorPath gone = within(WELL.partition(64));
    BlobKey kept = new BlobKey(WELL, await(node.store().blobs().keep(WELL, new byte[600_000])));
    BlobKey left = new BlobKey(gone, await(node.store().blobs().keep(gone, new byte[40_000])));
    assertThat(Fsck.run(options, FIX, NOW)).as("its owner may be on the way").isEmpty();
    isFixed(
        FsckFinding.Kind.ORPHANED_BLOB, path(left), AN_HOUR_LATER, path(left), path(left) + "/0");
    assertThat(await(node.store().blobs().read(kept))).hasSize(600_000);
  }

  @Test
  void aBlobStaysAsLongAsAWaitingOrParkedMessageNamesIt() throws Exception {
    await(node.store().createMailbox(SICK));
    BlobKey waiting = blob(SICK, 600_000);
    BlobKey parked = blob(WELL, 40_000);
    assertThat(node.commit(Set.of(), tell(waiting), tell(parked))).isInstanceOf(Applied.class);
    Lease lease = node.claim(WELL);
    String message = "{\"f\":2,\"envelope\":{\"blob\":{\"id\":\"%s\"}}}";
    ActorRecord record = new ActorRecord(2, 1, 2, 0, 0, List.of());
    Map<String, byte[]> aside =
        Map.of("1-0", message.formatted(parked.blob().id()).getBytes(StandardCharsets.UTF_8));
    CommitUnit.Write write =
        new CommitUnit.Write(WELL, 1, record, List.of(0L, 1L), JournalChange.NONE, aside, null);
    assertThat(node.commit(Set.of(lease), new CommitUnit(Optional.of(write), Map.of())))
        .isInstanceOf(Applied.class);
    FsckFinding undecided = only(Fsck.run(options, FIX, AN_HOUR_LATER));
    assertThat(undecided.outcome()).isEqualTo(Outcome.REPORTED);
    assertThat(undecided.what()).contains("may be in use", "parked cannot be read");
    raw.delete(layout.parked(WELL, "parked"), -1);
    assertThat(Fsck.run(options, FIX, AN_HOUR_LATER)).isEmpty();
    raw.delete(layout.parked(WELL, "1-0"), -1);
    isFixed(
        FsckFinding.Kind.ORPHANED_BLOB,
        path(parked),
        AN_HOUR_LATER,
        path(parked),
        path(parked) + "/0");
    assertThat(await(node.store().blobs().isWhole(waiting))).isTrue();
  }

  @Test
  void theRemovalOfABlobIsRefusedOnceACommitNamedIt() throws Exception {
    raw.delete(layout.parked(WELL, "parked"), -1); // it could not be read
    BlobKey key = blob(WELL, 600_000);
    Connection connection = connection();
    await(connection.connect());
    BlockingReads blockingReads = new BlockingReads(connection.handle());
    SuspectBlobs suspect =
        new SuspectBlobs(layout, WELL, List.of(path(key)), AN_HOUR_LATER.instant());
    Anomaly before = suspect.examine(blockingReads).orElseThrow();
    assertThat(node.commit(Set.of(), tell(key))).isInstanceOf(Applied.class);
    assertThat(blockingReads.multi(before.repair().get(0))).isFalse();
    assertThat(await(node.store().blobs().isWhole(key))).isTrue();
    assertThat(suspect.examine(blockingReads)).isEmpty();
    await(connection.close());
  }

  @Test
  void aCellOfAnOlderNodeGetsWhatItLacks() throws Exception {
    ZKUtil.deleteRecursive(raw, layout.top("b"));
    assertThat(Fsck.run(options, FORGET, LATER)).isEmpty();
    try (TestNode newer = new TestNode(options).open("newer")) {
      assertThat(await(newer.store().blobs().write(WELL, new byte[40_000])).bytes())
          .isEqualTo(40_000);
    }
  }

  @Test
  void theParentsOfAPartitionThatNobodyEverOwned() throws Exception {
    Partition partition = new Partition("other", 3);
    List<String> parents = layout.parents(partition);
    for (String parent : parents) {
      create(parent);
    }
    assertThat(Fsck.run(options, FIX, NOW)).isEmpty();
    isFixed(
        FsckFinding.Kind.EMPTY_PARTITION, parents.get(0), LATER, parents.toArray(String[]::new));
  }

  @Test
  void aForgottenNode() throws Exception {
    try (TestNode old = new TestNode(options).open("old")) {
      assertThat(Fsck.run(options, FIX, MUCH_LATER)).isEmpty();
    }
    assertThat(Fsck.run(options, FIX, LATER)).isEmpty();
    FsckFinding reported = only(Fsck.run(options, FIX, MUCH_LATER));
    assertThat(reported.kind()).isEqualTo(FsckFinding.Kind.FORGOTTEN_NODE);
    assertThat(reported.outcome()).isEqualTo(Outcome.REPORTED);
    assertThat(reported.what()).contains("old");
    assertThat(only(Fsck.run(options, FORGET, MUCH_LATER)).outcome()).isEqualTo(Outcome.FIXED);
    assertThat(raw.exists(layout.incarnation("old"), false)).isNull();
    assertThat(raw.exists(layout.commits("old"), false)).isNull();
    assertThat(raw.exists(layout.incarnation("node"), false)).isNotNull();
    try (TestNode again = new TestNode(options).open("old")) {
      assertThat(again.send(WELL)).isInstanceOf(Applied.class);
    }
  }

  @Test
  void aNodeThatOwnsAPartitionIsNotForgotten() throws Exception {
    try (TestNode old = new TestNode(options).open("old")) {
      assertThat(old.claim(ActorPath.of("/other/a")).owner()).isEqualTo("old");
    }
    assertThat(Fsck.run(options, FORGET, MUCH_LATER)).isEmpty();
  }

  @Test
  void aNodeThatDiedWithRolesIsForgottenAndTheyAreReleased() throws Exception {
    Lease lease;
    try (TestNode old = new TestNode(options).open("old")) {
      lease = old.claim(ActorPath.of("/roles/node@old"));
      assertThat(lease.owner()).isEqualTo("old");
    }
    Clock then = Clock.offset(Clock.systemUTC(), Duration.ofDays(40));
    assertThat(Fsck.run(options, FORGET, LATER)).isEmpty();
    FsckFinding reported = only(Fsck.run(options, FsckOptions.DRY_RUN, then));
    assertThat(reported.kind()).isEqualTo(FsckFinding.Kind.FORGOTTEN_NODE);
    assertThat(reported.outcome()).isEqualTo(Outcome.REPORTED);
    String path = layout.lease(lease.partition());
    assertThat(raw.getData(path, false, null)).asString().contains("\"owner\":\"old\"");
    FsckFinding fixed = only(Fsck.run(options, FORGET, then));
    assertThat(fixed.outcome()).isEqualTo(Outcome.FIXED);
    assertThat(fixed.action()).contains("release its roles");
    assertThat(raw.exists(layout.incarnation("old"), false)).isNull();
    assertThat(raw.exists(path, false).getVersion()).isEqualTo(lease.version() + 1);
    assertThat(raw.getData(path, false, null))
        .asString()
        .contains("\"owner\":\"\"", "\"last\":\"old\"", "\"epoch\":" + lease.epoch());
    try (TestNode again = new TestNode(options).open("old")) {
      assertThat(again.claim(ActorPath.of("/roles/node@old")).epoch()).isEqualTo(lease.epoch() + 1);
    }
  }

  @Test
  void aNodeThatHasClaimedARoleSinceIsNotForgottenWhateverItsClockSays() throws Exception {
    Lease lease;
    try (TestNode old = new TestNode(options).open("old")) {
      lease = old.claim(ActorPath.of("/roles/gate"));
    }
    String path = layout.lease(lease.partition());
    Lease wrong =
        new Lease(lease.partition(), lease.epoch(), "old", lease.ownerBoot(), lease.version());
    byte[] claimed = StoredLease.encode(wrong);
    assertThat(wrong.at()).isEqualTo(Instant.EPOCH);
    long seen = raw.exists(layout.incarnation("old"), false).getMtime();
    long at;
    do {
      at = raw.setData(path, claimed, -1).getMtime();
    } while (at <= seen);
    Duration after = FsckOptions.DEFAULT_FORGOTTEN_AFTER;
    Clock then = Clock.fixed(Instant.ofEpochMilli(at).plus(after), ZoneOffset.UTC);
    assertThat(Fsck.run(options, FORGET, then)).isEmpty();
    assertThat(only(Fsck.run(options, FORGET, Clock.offset(then, Duration.ofMillis(1)))).outcome())
        .isEqualTo(Outcome.FIXED);
  }

  @Test
  void unknownNamesAreReportedAndKept() throws Exception {
    List<String> odd =
        List.of(
            root + "/zzz",
            layout.top("h") + "/ü",
            layout.top("i") + "/ü",
            layout.top("o") + "/space~64",
            layout.top("o") + "/oops",
            layout.top("a") + "/oops",
            layout.mailboxes(WELL.partition(64)) + "/space:well~x",
            layout.records(WELL.partition(64)) + "/space:elsewhere" + elsewhere(),
            layout.parkedOf(WELL.partition(64)) + "/none",
            layout.parkedOf(WELL.partition(64)) + "/space:well~%zz",
            layout.mailbox(WELL, 0) + "/oops",
            layout.journal(WELL) + "/oops",
            layout.blobsOf(WELL.partition(64)) + "/none",
            layout.top("b") + "/oops",
            layout.top("f") + "/oops");
    for (String path : odd) {
      create(path);
    }
    create(layout.record(WELL) + "/child");
    List<String> paths = new ArrayList<>(odd);
    paths.add(layout.record(WELL));
    for (FsckOptions each : List.of(FsckOptions.DRY_RUN, FORGET)) {
      List<FsckFinding> findings = Fsck.run(options, each, LATER);
      assertThat(findings)
          .allMatch(finding -> finding.kind() == FsckFinding.Kind.UNKNOWN)
          .allMatch(finding -> finding.outcome() == Outcome.REPORTED)
          .extracting(FsckFinding::path)
          .containsExactlyInAnyOrderElementsOf(paths);
    }
    for (String path : paths) {
      assertThat(raw.exists(path, false)).as(path).isNotNull();
    }
  }

  /** Returns a suffix with which the actor belongs to another partition than {@code WELL}. */
  private static String elsewhere() {
    for (int i = 0; ; i++) {
      if (!ActorPath.of("/space/elsewhere" + i).partition(64).equals(WELL.partition(64))) {
        return String.valueOf(i);
      }
    }
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  private void damage(String path) throws Exception {
    assertThat(raw.setData(path, bytes("{"), -1)).isNotNull();
    isReported(FsckFinding.Kind.DAMAGED, path);
    assertThat(only(Fsck.run(options, FsckOptions.DRY_RUN, LATER)).what()).contains(path);
  }

  @Test
  void aDamagedRecordIsReported() throws Exception {
    damage(layout.record(WELL)); // with a mailbox and a journal
  }

  @Test
  void aDamagedRecordOfAnActorThatIsOtherwiseWholeIsReported() throws Exception {
    node.tell(SICK);
    assertThat(Fsck.run(options, FsckOptions.DRY_RUN, LATER)).isEmpty();
    damage(layout.record(SICK));
  }

  @Test
  void aDamagedRecordWithoutMailboxIsKept() throws Exception {
    create(layout.record(SICK));
    damage(layout.record(SICK));
  }

  @Test
  void aDamagedHeaderOfAMailboxWithoutRecordIsKept() throws Exception {
    createMailbox(SICK);
    damage(layout.mailbox(SICK, 0));
  }

  @Test
  void aHeaderThatLacksWhatItNeedsIsDamaged() throws Exception {
    raw.setData(layout.mailbox(WELL, 0), bytes("{\"f\":2,\"limit\":5}"), -1);
    isReported(FsckFinding.Kind.DAMAGED, layout.mailbox(WELL, 0));
  }

  @Test
  void damagedEntriesOfJournalAndOutboxAreReported() throws Exception {
    String outbox = layout.outbox(WELL);
    create(outbox);
    create(outbox + "/1", bytes("none"));
    isReported(FsckFinding.Kind.DAMAGED, outbox + "/1");
    raw.delete(outbox + "/1", -1);
    damage(layout.journal(WELL) + "/" + TestNode.entryOf(1));
  }

  @Test
  void aTimerIsNoDamageUnlessItCannotBeRead() throws Exception {
    String outbox = layout.outbox(WELL);
    create(outbox);
    Envelope message =
        new Envelope(new MessageId("/w~timer", 7), new MessageType("m", 1), bytes("{}"), null)
            .with(new Handling(0, 0, 7));
    byte[] timer = new TimerEntry("key", 1_000, 0, false, message).encode();
    create(outbox + "/7", timer);
    assertThat(Fsck.run(options, FsckOptions.DRY_RUN, MUCH_LATER)).isEmpty();
    timer[timer.length - 4] ^= 1;
    raw.setData(outbox + "/7", timer, -1);
    isReported(FsckFinding.Kind.DAMAGED, outbox + "/7");
  }

  @Test
  void aDeliveryIsNoDamageUnlessItCannotBeRead() throws Exception {
    String outbox = layout.outbox(WELL);
    create(outbox);
    Envelope message =
        new Envelope(new MessageId("/w~7", 1), new MessageType("m", 1), bytes("{}"), null);
    byte[] delivery = new DeliveryEntry(ActorPath.of("/courier"), 1, 1_000, message).encode();
    create(outbox + "/7", delivery);
    assertThat(Fsck.run(options, FsckOptions.DRY_RUN, MUCH_LATER)).isEmpty();
    delivery[delivery.length - 4] ^= 1;
    raw.setData(outbox + "/7", delivery, -1);
    isReported(FsckFinding.Kind.DAMAGED, outbox + "/7");
  }

  @Test
  void aDamagedMemberIsReported() throws Exception {
    damage(layout.member("node"));
  }

  @Test
  void aDamagedLeaseIsReportedAndKeepsEveryNodeThatMayOwnIt() throws Exception {
    try (TestNode old = new TestNode(options).open("old")) {
      assertThat(old.claim(ActorPath.of("/other/a")).owner()).isEqualTo("old");
    }
    String lease = layout.lease(ActorPath.of("/other/a").partition(64));
    raw.setData(lease, bytes("{\"f\":1,\"epoch\":2}"), -1);
    FsckFinding found = only(Fsck.run(options, FORGET, MUCH_LATER));
    assertThat(found.kind()).isEqualTo(FsckFinding.Kind.DAMAGED);
    assertThat(found.path()).isEqualTo(lease);
    assertThat(found.what()).contains(lease, "\"owner\" of StoredLease must be there");
    assertThat(found.action())
        .contains(
            "no node can own the partition",
            "do not delete the znode",
            "above every epoch that the lease ever had");
    assertThat(raw.exists(layout.incarnation("old"), false)).isNotNull();
  }

  @Test
  void theDamagedRestOfANodeIsNeverForgotten() throws Exception {
    try (TestNode old = new TestNode(options).open("old")) {
      assertThat(old.send(WELL)).isInstanceOf(Applied.class);
    }
    for (String path : List.of(layout.incarnation("old"), layout.commits("old"))) {
      byte[] whole = raw.getData(path, false, null);
      raw.setData(path, bytes("{}"), -1);
      FsckFinding found = only(Fsck.run(options, FORGET, MUCH_LATER));
      assertThat(found.kind()).isEqualTo(FsckFinding.Kind.DAMAGED);
      assertThat(found.path()).isEqualTo(path);
      assertThat(raw.exists(layout.incarnation("old"), false)).isNotNull();
      raw.setData(path, whole, -1);
    }
    assertThat(only(Fsck.run(options, FORGET, MUCH_LATER)).outcome()).isEqualTo(Outcome.FIXED);
  }

  @Test
  void aRepairIsRefusedOnceTheOwnerOrTheZnodeChanged() throws Exception {
    create(layout.record(SICK), ActorRecord.EMPTY.encode());
    Connection connection = connection();
    await(connection.connect());
    BlockingReads blockingReads = new BlockingReads(connection.handle());
    SuspectActor suspect = new SuspectActor(layout, SICK, LATER.instant());
    Anomaly before = suspect.examine(blockingReads).orElseThrow();
    try (TestNode other = new TestNode(options).open("other")) {
      assertThat(other.claim(SICK).owner()).isEqualTo("other");
    }
    assertThat(blockingReads.multi(before.repair().get(0))).isFalse();
    before = suspect.examine(blockingReads).orElseThrow();
    raw.setData(layout.record(SICK), ActorRecord.EMPTY.encode(), -1);
    assertThat(blockingReads.multi(before.repair().get(0))).isFalse();
    before = suspect.examine(blockingReads).orElseThrow();
    createMailbox(SICK);
    assertThat(blockingReads.multi(before.repair().get(0))).isFalse();
    assertThat(suspect.examine(blockingReads)).isEmpty();
    await(connection.close());
  }

  private Connection connection() {
    return new Connection(
        options,
        java.util.concurrent.Executors.newSingleThreadScheduledExecutor(),
        new Connection.Events() {
          @Override
          public void connected() {}

          @Override
          public void disconnected() {}

          @Override
          public void expired() {}
        });
  }

  @Test
  void aBusyCellYieldsNothing() throws Exception {
    AtomicBoolean stop = new AtomicBoolean();
    AtomicReference<@Nullable Exception> failure = new AtomicReference<>();
    AtomicReference<Integer> rounds = new AtomicReference<>(0);
    Thread worker =
        new Thread(
            () -> {
              try {
                for (int i = 0; !stop.get(); i++) {
                  round(ActorPath.of("/space/busy" + i));
                  rounds.set(i + 1);
                }
              } catch (Exception e) {
                failure.set(e);
              }
            });
    worker.start();
    for (int i = 0; i < 8 || (rounds.get() < 8 && worker.isAlive()); i++) {
      assertThat(Fsck.run(options, FORGET, NOW)).isEmpty();
    }
    stop.set(true);
    worker.join();
    assertThat(failure.get()).isNull();
    assertThat(Fsck.run(options, FORGET, LATER)).isEmpty();
  }

  /** An actor is made, journals twice and takes a snapshot. */
  private void round(ActorPath actor) throws Exception {
    node.tell(actor);
    Lease lease = node.claim(actor);
    assertThat(node.commit(Set.of(lease), TestNode.turn(actor, 0, 1))).isInstanceOf(Applied.class);
    assertThat(node.commit(Set.of(lease), TestNode.turn(actor, 1, 2))).isInstanceOf(Applied.class);
    assertThat(node.commit(Set.of(lease), TestNode.snapshot(actor, 2, 3, List.of(1L, 2L))))
        .isInstanceOf(Applied.class);
  }

  @Test
  void noCellOrANewerOneIsRefused() throws Exception {
    ZooKeeperOptions none =
        new ZooKeeperOptions(
            server.connectString(), "none", Duration.ofSeconds(5), Duration.ofSeconds(5));
    refused(none, FIX, "there is no cell at this address: znode /callboard/none/fmt is missing");
    assertThat(raw.exists("/callboard/none", false)).isNull();
    String readable = "{\"f\":2,\"minReader\":1,\"partitions\":64,\"cellId\":\"x\"}";
    raw.setData(root + "/fmt", readable.getBytes(StandardCharsets.UTF_8), -1);
    assertThat(Fsck.run(options, FsckOptions.DRY_RUN, LATER)).isEmpty();
    refused(options, FIX, "repair it with the fsck of that version");
    String newer = readable.replace("\"minReader\":1", "\"minReader\":2");
    raw.setData(root + "/fmt", newer.getBytes(StandardCharsets.UTF_8), -1);
    refused(options, FsckOptions.DRY_RUN, "written by a newer node");
  }

  private static void refused(ZooKeeperOptions cell, FsckOptions how, String message) {
    assertThatThrownBy(() -> Fsck.run(cell, how, LATER))
        .isInstanceOfSatisfying(
            StoreException.class, e -> assertThat(e.kind()).isEqualTo(Kind.CORRUPT))
        .hasMessageContaining(message);
  }
}
