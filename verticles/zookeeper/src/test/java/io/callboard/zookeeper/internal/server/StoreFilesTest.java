package io.callboard.zookeeper.internal.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.callboard.zookeeper.EmbeddedZooKeeper;
import io.callboard.zookeeper.RawClient;
import io.callboard.zookeeper.StoreBackup;
import io.callboard.zookeeper.StoreDamagedException;
import io.callboard.zookeeper.TestServers;
import io.callboard.zookeeper.TxnLogRepair;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.stream.Stream;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.ZooDefs.Ids;
import org.apache.zookeeper.ZooKeeper;
import org.apache.zookeeper.server.ZKDatabase;
import org.apache.zookeeper.server.persistence.FileSnap;
import org.apache.zookeeper.server.persistence.FileTxnSnapLog;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The store of an embedded server is copied while it runs, and repaired where it is damaged. */
@Tag("real")
class StoreFilesTest {
  private static void create(ZooKeeper client, int from, int to) throws Exception {
    for (int i = from; i < to; i++) {
      String unused =
          client.create("/n" + i, new byte[100], Ids.OPEN_ACL_UNSAFE, CreateMode.PERSISTENT);
    }
  }

  private static List<String> children(Path store) throws Exception {
    try (EmbeddedZooKeeper server = TestServers.start(store);
        ZooKeeper client = RawClient.connect(server.connectString())) {
      return client.getChildren("/", false).stream().filter(name -> name.startsWith("n")).toList();
    }
  }

  private static Path log(Path store) throws IOException {
    try (Stream<Path> files = Files.list(store.resolve("version-2"))) {
      return files
          .filter(file -> file.getFileName().toString().startsWith("log."))
          .findFirst()
          .orElseThrow();
    }
  }

  /** Other bytes in the middle of a record, as a bad disk leaves them. */
  private static void damage(Path log) throws IOException {
    String content = new String(Files.readAllBytes(log), StandardCharsets.ISO_8859_1);
    int data = content.indexOf("/n50") + 20;
    try (FileChannel channel = FileChannel.open(log, StandardOpenOption.WRITE)) {
      assertThat(channel.write(ByteBuffer.wrap(new byte[] {1, 2, 3, 4}), data)).isEqualTo(4);
    }
  }

  @Test
  void aBackupOfARunningServerHoldsWhatWasAcknowledged() throws Exception {
    Path store = TestServers.directory("backup");
    Path directory = TestServers.directory("backups");
    Path file = directory.resolve("cell.zip");
    try (EmbeddedZooKeeper server = TestServers.start(store);
        ZooKeeper client = RawClient.connect(server.connectString())) {
      create(client, 0, 50);
      assertThat(StoreBackup.write(store, file)).isEqualTo(server.zxid());
      create(client, 50, 60);
    }
    assertThatThrownBy(() -> StoreBackup.write(store, file)).hasMessageContaining("exists already");
    Path restored = directory.resolve("zookeeper");
    assertThat(StoreBackup.restore(file, restored)).isPositive();
    assertThat(children(restored)).hasSize(50);
    long unused = StoreBackup.restore(file, store);
    assertThat(children(store)).as("in the place of the newer one").hasSize(50);
    assertThat(children(store.resolveSibling(store.getFileName() + ".before"))).hasSize(60);
  }

  @Test
  void aFileThatIsNoWholeBackupReplacesNothing() throws Exception {
    Path directory = TestServers.directory("backups");
    Path store = Files.createDirectories(directory.resolve("zookeeper"));
    Path file = Files.writeString(directory.resolve("cell.zip"), "no backup");
    assertThatThrownBy(() -> StoreBackup.restore(file, store))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("is not a complete backup of a cell");
    assertThat(directory.resolve("zookeeper.before")).doesNotExist();
  }

  @Test
  void aDamagedLogIsCutWhereItIsToldAndStartsAgain() throws Exception {
    Path store = TestServers.directory("repair");
    try (EmbeddedZooKeeper server = TestServers.start(store);
        ZooKeeper client = RawClient.connect(server.connectString())) {
      create(client, 0, 100);
    }
    assertThat(TxnLogRepair.plan(store).isNeeded()).isFalse();
    Path log = log(store);
    long before = TxnLogScan.of(log).last();
    damage(log);
    assertThatThrownBy(() -> TestServers.start(store)).isInstanceOf(StoreDamagedException.class);
    assertThatThrownBy(() -> StoreBackup.write(store, store.resolveSibling("of-no-use.zip")))
        .hasMessageContaining("is damaged; a backup of a damaged log is of no use");

    TxnLogRepair repair = TxnLogRepair.plan(store);
    assertThat(repair.isNeeded()).isTrue();
    assertThat(repair.isPossible()).isTrue();
    assertThat(repair.damage()).contains(log.toString(), "is damaged");
    assertThat(repair.last()).isBetween(1L, before);
    assertThat(repair.last() + repair.lost()).as("all but the damaged one").isEqualTo(before - 1);

    Path aside = repair.cut();
    assertThat(aside.resolve(log.getFileName())).exists();
    assertThat(TxnLogRepair.plan(store).isNeeded()).isFalse();
    assertThat(children(store)).hasSize(50).contains("n0", "n49");
  }

  /**
   * A server goes on while it writes a snapshot, which is named after the transaction before; only
   * with what the log has of that time it is a state.
   */
  private static Path writeSnapshot(Path store, long named) throws IOException {
    FileTxnSnapLog files = new FileTxnSnapLog(store.toFile(), store.toFile());
    try {
      ZKDatabase database = new ZKDatabase(files);
      long unused = database.loadDataBase();
      Path file = store.resolve("version-2/snapshot.%x".formatted(named));
      new FileSnap(file.getParent().toFile())
          .serialize(
              database.getDataTree(), database.getSessionWithTimeOuts(), file.toFile(), true);
      return file;
    } finally {
      files.close();
    }
  }

  @Test
  void aSnapshotThatWasBeingWrittenWhenTheDamageCameIsNotKept() throws Exception {
    Path store = TestServers.directory("fuzzy");
    try (EmbeddedZooKeeper server = TestServers.start(store);
        ZooKeeper client = RawClient.connect(server.connectString())) {
      create(client, 0, 100);
    }
    Path snapshot = writeSnapshot(store, 20);
    damage(log(store));
    TxnLogRepair repair = TxnLogRepair.plan(store);
    assertThat(repair.isPossible()).isTrue();
    Path aside = repair.cut();
    assertThat(aside.resolve(snapshot.getFileName())).exists();
    assertThat(children(store)).hasSize(50).contains("n0", "n49");
  }

  @Test
  void aSnapshotThatWasWrittenBeforeTheDamageIsKept() throws Exception {
    Path store = TestServers.directory("written");
    try (EmbeddedZooKeeper server = TestServers.start(store);
        ZooKeeper client = RawClient.connect(server.connectString())) {
      create(client, 0, 40);
    }
    Path snapshot = writeSnapshot(store, 20);
    Files.delete(store.resolve("version-2/snapshot.0"));
    long end;
    try (EmbeddedZooKeeper server = TestServers.start(store);
        ZooKeeper client = RawClient.connect(server.connectString())) {
      create(client, 40, 100);
      end = server.zxid();
    }
    List<Path> snapshots = StoreFiles.of(store).snapshots();
    assertThat(snapshots).hasSize(2).contains(snapshot);
    Files.delete(snapshots.get(0)); // of the second start
    List<Path> logs = StoreFiles.of(store).logs();
    damage(logs.get(1));
    TxnLogRepair repair = TxnLogRepair.plan(store);
    assertThat(repair.isPossible()).isTrue();
    assertThat(repair.last()).isBetween(40L, end);
    Path unused = repair.cut();
    assertThat(snapshot).exists();
    assertThat(children(store)).hasSize(50);
  }

  /** The first start's snapshot may be all there is from before: nothing was done meanwhile. */
  @Test
  void aSnapshotOfAStartIsOfThatMoment() throws Exception {
    Path store = TestServers.directory("start");
    long before;
    try (EmbeddedZooKeeper server = TestServers.start(store);
        ZooKeeper client = RawClient.connect(server.connectString())) {
      create(client, 0, 40);
      before = server.zxid();
    }
    try (EmbeddedZooKeeper server = TestServers.start(store);
        ZooKeeper client = RawClient.connect(server.connectString())) {
      create(client, 40, 100);
    }
    StoreFiles files = StoreFiles.of(store);
    Files.delete(files.snapshots().get(1));
    Files.delete(files.logs().get(0));
    try (FileChannel channel = FileChannel.open(files.logs().get(1), StandardOpenOption.WRITE)) {
      assertThat(channel.write(ByteBuffer.wrap(new byte[] {1, 2, 3, 4}), 40)).isEqualTo(4);
    }
    TxnLogRepair repair = TxnLogRepair.plan(store);
    assertThat(repair.isPossible()).isTrue();
    assertThat(repair.last()).isBetween(before, before + 1); // the session's end
    Path unused = repair.cut();
    assertThat(children(store)).hasSize(40);
  }

  @Test
  void withoutASnapshotOfTheTimeBeforeNothingIsCut() throws Exception {
    Path store = TestServers.directory("only-fuzzy");
    try (EmbeddedZooKeeper server = TestServers.start(store);
        ZooKeeper client = RawClient.connect(server.connectString())) {
      create(client, 0, 100);
    }
    Path unused = writeSnapshot(store, 20);
    Files.delete(store.resolve("version-2/snapshot.0"));
    damage(log(store));
    assertThat(TxnLogRepair.plan(store).isNeeded()).isTrue();
    assertThat(TxnLogRepair.plan(store).isPossible()).isFalse();
  }

  @Test
  void damageThatNoStartReadsIsLeft() throws Exception {
    Path store = TestServers.directory("old-damage");
    for (int start = 0; start < 3; start++) {
      try (EmbeddedZooKeeper server = TestServers.start(store);
          ZooKeeper client = RawClient.connect(server.connectString())) {
        create(client, start * 60, start * 60 + 60);
      }
    }
    damage(StoreFiles.of(store).logs().get(0));
    assertThat(TxnLogRepair.plan(store).isNeeded()).isFalse();
    assertThat(children(store)).hasSize(180);
  }

  @Test
  void damageThatZooKeeperTakesForTheEndOfItsLogIsRefused() throws Exception {
    Path store = TestServers.directory("hole");
    try (EmbeddedZooKeeper server = TestServers.start(store);
        ZooKeeper client = RawClient.connect(server.connectString())) {
      create(client, 0, 100);
    }
    Path log = log(store);
    String content = new String(Files.readAllBytes(log), StandardCharsets.ISO_8859_1);
    try (FileChannel channel = FileChannel.open(log, StandardOpenOption.WRITE)) {
      int unused = channel.write(ByteBuffer.wrap(new byte[300]), content.indexOf("/n50") - 100);
    }
    assertThatThrownBy(() -> TestServers.start(store))
        .isInstanceOf(StoreDamagedException.class)
        .hasMessageContaining("intact ones behind it would be lost");
    assertThat(TxnLogRepair.plan(store).lost()).isPositive();
  }

  /**
   * The log is as power loss leaves it: the server goes on in another file, and nothing is damaged.
   */
  @Test
  void aTornLastRecordIsTheEndOfItsLogAndNoDamage() throws Exception {
    Path store = TestServers.directory("torn");
    try (EmbeddedZooKeeper server = TestServers.start(store);
        ZooKeeper client = RawClient.connect(server.connectString())) {
      create(client, 0, 50);
    }
    Path log = log(store);
    TxnLogScan whole = TxnLogScan.of(log);
    try (FileChannel channel = FileChannel.open(log, StandardOpenOption.WRITE)) {
      int unused = channel.write(ByteBuffer.wrap(new byte[20]), whole.wholeBytes() - 20);
    }
    assertThat(TxnLogScan.of(log).isDamaged()).isFalse();
    try (EmbeddedZooKeeper server = TestServers.start(store);
        ZooKeeper client = RawClient.connect(server.connectString())) {
      create(client, 50, 100);
      assertThat(StoreBackup.write(store, store.resolveSibling("torn-" + store.getFileName())))
          .isEqualTo(server.zxid());
    }
    assertThat(TxnLogRepair.plan(store).isNeeded()).isFalse();
    assertThat(children(store)).hasSize(100);
  }
}
