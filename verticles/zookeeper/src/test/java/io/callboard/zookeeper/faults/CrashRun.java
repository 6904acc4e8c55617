package io.callboard.zookeeper.faults;

import static io.callboard.testkit.Futures.await;
import static org.assertj.core.api.Assertions.assertThat;

import io.callboard.ActorRef;
import io.callboard.Callboard;
import io.callboard.codecs.ActorPath;
import io.callboard.codecs.Partition;
import io.callboard.store.ActorRecord;
import io.callboard.store.Generation;
import io.callboard.store.Lease;
import io.callboard.store.NodeIdentity;
import io.callboard.testkit.Eventually;
import io.callboard.zookeeper.EmbeddedZooKeeper;
import io.callboard.zookeeper.TestServers;
import io.callboard.zookeeper.ZooKeeperStore;
import io.callboard.zookeeper.access.ZooKeeperOptions;
import io.callboard.zookeeper.faults.CrashCell.Found;
import io.callboard.zookeeper.faults.CrashLoad.Note;
import io.callboard.zookeeper.faults.CrashLoad.Noted;
import io.callboard.zookeeper.faults.CrashPoint.Step;
import io.callboard.zookeeper.fsck.Fsck;
import io.callboard.zookeeper.fsck.FsckFinding;
import io.callboard.zookeeper.fsck.FsckOptions;
import io.vertx.core.Future;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.apache.zookeeper.ZooKeeper;
import org.apache.zookeeper.data.Stat;

/** Kills a process at one crash point, lets the next go on, and tells what is true then. */
final class CrashRun {
  private static final int PARTITIONS = 64;
  private static final Duration UNTIL_GARBAGE = Duration.ofMinutes(61);

  private final CrashPoint point;
  private final EmbeddedZooKeeper server;
  private final ZooKeeper client;
  private final Path logs;
  private final ZooKeeperOptions options;
  private final CrashCell cell;

  /**
   * Measurements of one run.
   *
   * @param told what the killed process knew of the note that it was killed over
   * @param killed what was found before anybody went on
   * @param rested what was found in the end
   * @param copies what the first receiver of copies has handled
   * @param repeats handled more than once, of all receivers
   * @param left what an operator's check finds
   */
  record Row(
      CrashPoint point,
      String told,
      Found killed,
      Found rested,
      List<Long> copies,
      int repeats,
      int receivers,
      List<String> left) {}

  CrashRun(CrashPoint point, EmbeddedZooKeeper server, ZooKeeper client, Path logs) {
    this.point = point;
    this.server = server;
    this.client = client;
    this.logs = logs;
    this.options = CrashLoad.options(server.connectString(), point.cell());
    this.cell = new CrashCell(client, point.cell());
  }

  /** Returns its row; empty if the process did not come to the crash point. */
  Optional<Row> run() throws Exception {
    prepare();
    Optional<List<String>> told =
        CrashProcess.run(point, server.port(), logs.resolve(point.cell() + ".log"));
    return told.isPresent() ? Optional.of(row(told.get())) : Optional.empty();
  }

  private Row row(List<String> told) throws Exception {
    Found killed = cell.look();
    goOn();
    Found rested = cell.look();
    int receivers = point.step().isRelay() ? CrashLoad.MANY : 1;
    int repeats = repeats(rested.noted());
    int got = 0;
    for (int i = 0; i < receivers; i++) {
      List<Long> copies = cell.noted(CrashLoad.copy(i));
      repeats += repeats(copies);
      got += copies.contains(2L) ? 1 : 0;
    }
    Row row =
        new Row(
            point,
            told.stream().filter(line -> line.endsWith(" 2")).findAny().orElse("nothing"),
            killed,
            rested,
            cell.noted(CrashLoad.copy(0)),
            repeats,
            got,
            garbage());
    check(row);
    return row;
  }

  private static int repeats(List<Long> numbers) {
    return numbers.size() - new HashSet<>(numbers).size();
  }

  // Before.

  private void prepare() throws Exception {
    Step step = point.step();
    if (step.isRelay()) {
      makeMailboxes(IntStream.range(0, CrashLoad.MANY).mapToObj(CrashLoad::copy).toList());
    } else if (step == Step.SEAL) {
      makeMailboxes(List.of(CrashLoad.KEEPER));
      nearTheEnd();
    } else if (step.isTakeOver()) {
      liveAndDie();
    }
  }

  private void makeMailboxes(List<String> actors) throws Exception {
    ZooKeeperStore store = new ZooKeeperStore(options);
    var session = await(store.open(new NodeIdentity("setup", "boot", "its home")));
    assertThat(session.partitions()).isEqualTo(PARTITIONS);
    var made =
        await(Future.all(actors.stream().map(a -> store.createMailbox(ActorPath.of(a))).toList()));
    assertThat(made.succeeded()).isTrue();
    await(store.close());
  }

  /** The fatal note has the last number of its generation. */
  private void nearTheEnd() throws Exception {
    long near = Generation.LAST_NUMBER - 2;
    ActorPath keeper = ActorPath.of(CrashLoad.KEEPER);
    Partition partition = keeper.partition(PARTITIONS);
    String root = "/callboard/" + point.cell();
    TestServers.nextNumber(
        server, "%s/m/%s/%s~0".formatted(root, partition, keeper.toNodeName()), near);
    byte[] record = new ActorRecord(0, 0, near, 0, 0, List.of()).encode();
    Stat stat =
        client.setData("%s/a/%s/%s".formatted(root, partition, keeper.toNodeName()), record, 0);
    assertThat(stat.getVersion()).isEqualTo(1);
  }

  /** A process that owned the keeper, and died without giving anything back. */
  private void liveAndDie() throws Exception {
    Callboard first =
        CrashLoad.open(
            () ->
                new StoreInFront(new ZooKeeperStore(options)) {
                  @Override
                  public Future<Void> release(Lease lease) {
                    return Future.succeededFuture();
                  }
                });
    assertThat(await(CrashLoad.spawnKeeper(first))).isNotNull();
    Noted answer =
        await(first.durableRef(CrashLoad.KEEPER, Note.class).ask(CrashLoad.note(1), Noted.class));
    assertThat(answer.numbers()).containsExactly(1L);
    FaultNode.close(first);
  }

  // After.

  private void goOn() throws Exception {
    Callboard next = CrashLoad.open(() -> new ZooKeeperStore(options));
    try {
      await(CrashLoad.spawnKeeper(next).mapEmpty());
      await(CrashLoad.spawnCopies(next, point.step()).mapEmpty());
      ActorRef<Note> keeper = next.durableRef(CrashLoad.KEEPER, Note.class);
      await(keeper.tell(CrashLoad.note(3), CrashLoad.BY_MAILBOX));
      Eventually.assertThat(this::rests);
    } finally {
      FaultNode.close(next);
    }
  }

  private void rests() {
    Found now = cell.look();
    assertThat(now.mail() + now.copies() + now.outbox()).as(now.words()).isZero();
    assertThat(now.noted()).endsWith(3L);
    assertThat(cell.noted(CrashLoad.copy(0))).endsWith(3L);
  }

  private List<String> garbage() {
    List<String> found = new ArrayList<>();
    Clock later = Clock.offset(Clock.systemUTC(), UNTIL_GARBAGE);
    FsckOptions fix = new FsckOptions(true, false, FsckOptions.DEFAULT_FORGOTTEN_AFTER);
    for (FsckFinding finding : Fsck.run(options, fix, later)) {
      found.add("%s %s".formatted(finding.kind(), finding.outcome()));
    }
    assertThat(Fsck.run(options, FsckOptions.DRY_RUN, later)).isEmpty();
    return found;
  }

  // What must be true.

  private void check(Row row) {
    Step step = point.step();
    boolean applied = point.moment().applied();
    assertThat(isDone(row.killed())).as("done in the store: " + row.killed()).isEqualTo(applied);
    boolean accepted = row.told().equals("accepted 2");
    boolean told = step != Step.APPEND && step != Step.DIRECT && !step.isLarge();
    boolean stored = accepted || applied || told;
    boolean sent = stored && step != Step.BODY;
    boolean asked = step == Step.TURN || step == Step.DIRECT;
    assertThat(accepted).as("accepted").isEqualTo(step.isInside() && !asked);
    boolean handled = sent && step != Step.PARK;
    List<Long> expected = handled ? List.of(1L, 2L, 3L) : List.of(1L, 3L);
    assertThat(row.rested().noted()).as("handled, in order").isEqualTo(expected);
    assertThat(row.copies()).as("copies, in order").isEqualTo(expected);
    assertThat(row.repeats()).as("repeats").isZero();
    assertThat(row.receivers())
        .as("receivers of the fatal note")
        .isEqualTo(handled ? step.isRelay() ? CrashLoad.MANY : 1 : 0);
    assertThat(row.rested().parked()).as("parked").isEqualTo(step == Step.PARK ? 1 : 0);
    assertThat(row.rested().generations())
        .as("generations")
        .containsExactly(step == Step.SEAL ? 1L : 0L);
    boolean garbage = (step == Step.BODY && applied) || (step == Step.NAMING && !applied);
    assertThat(row.rested().bodies()).as("bodies").isEqualTo(garbage ? 1 : 0);
    assertThat(row.left()).as("left").hasSize(garbage ? 1 : 0);
  }

  /** Returns whether the step was done when the process died. */
  private boolean isDone(Found killed) {
    return switch (point.step()) {
      case APPEND, NAMING -> killed.mail() == 2;
      case BODY -> killed.bodies() == 1;
      case TURN, DIRECT, OUTBOX -> killed.noted().contains(2L);
      case CLAIM, LOAD -> killed.lease().equals(Found.OF_THE_KILLED);
      case RELAY -> killed.outbox() == 0;
      case PARK -> killed.parked() == 1;
      case SEAL -> killed.generations().equals(List.of(0L, 1L));
    };
  }
}
