package io.callboard.bootstrap;

import static org.assertj.core.api.Assertions.assertThat;

import io.callboard.ActorOptions;
import io.callboard.PersistentActor;
import io.callboard.Protocol;
import io.callboard.feed.Feed;
import io.callboard.feed.Feeds;
import io.callboard.journal.SnapshotPolicy;
import io.callboard.testkit.Eventually;
import io.callboard.testkit.Futures;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;

/** A cell that is restored to a moment before its archive's, and the way out. */
@Tag("real")
class ArchiveCommandTest {
  record Sell(int cents) {}

  record Sold(int cents) {}

  record Total(int cents) {}

  static final class Till extends PersistentActor<Sell, Sold, Total> {
    @Override
    protected Total initial() {
      return new Total(0);
    }

    @Override
    protected Total apply(Total total, Sold sold) {
      return new Total(total.cents() + sold.cents());
    }

    @Override
    protected void protocol(Protocol<Sell> on) {
      on.message(
          Sell.class,
          sell -> {
            persist(new Sold(sell.cents()));
            reply(state());
          });
    }
  }

  private static Node node(Path data, String... more) throws Exception {
    NodeCommand options = new NodeCommand();
    List<String> arguments =
        Stream.concat(
                Stream.of("--data", data.toString(), "--name", "till", "--http-port", "0"),
                Stream.of(more))
            .toList();
    var unused = new CommandLine(options).parseArgs(arguments.toArray(String[]::new));
    Node node = Node.start(options, Map.of(), line -> {});
    Futures.await(
        node.callboard()
            .host(
                "/till",
                Till::new,
                new ActorOptions().archived(true).snapshots(SnapshotPolicy.every(2).keep(1))));
    return node;
  }

  private static Total sell(Node node, int times, int cents) throws Exception {
    Total total = new Total(0);
    for (int i = 0; i < times; i++) {
      total =
          Futures.await(
              node.callboard()
                  .durableRef("/till/1", Sell.class)
                  .ask(new Sell(cents), Total.class, Duration.ofSeconds(10)));
    }
    return total;
  }

  private static void awaitArchived(Node node, long events) {
    Eventually.assertThat(
        () ->
            assertThat(
                    Feeds.ref(node.callboard(), Feeds.ARCHIVE)
                        .ask(new Feed.Look(), Feed.Status.class, Duration.ofSeconds(10))
                        .await()
                        .position())
                .isEqualTo(events));
  }

  private static void copy(Path from, Path to) throws IOException {
    try (Stream<Path> files = Files.walk(from)) {
      for (Path file : files.toList()) {
        Path target = to.resolve(from.relativize(file).toString());
        if (Files.isDirectory(file)) {
          Files.createDirectories(target);
        } else {
          Files.copy(file, target);
        }
      }
    }
  }

  @Test
  void aRestoredCellIsComparedWithItsArchiveAndTheArchiveIsCutBackToIt() throws Exception {
    Path data = LaunchedNode.directory("archive-cut").resolve("node");
    String archive = data.toString();
    try (Node node = node(data, "--zookeeper-port", "0")) {
      assertThat(sell(node, 5, 10)).isEqualTo(new Total(50));
      awaitArchived(node, 5);
      CommandRun busy = CommandRun.of("archive", "--data", archive);
      assertThat(busy.code()).isEqualTo(1);
      assertThat(busy.err()).contains("is in use by process");
    }
    assertThat(CommandRun.of("archive", "--data", archive))
        .isEqualTo(new CommandRun(0, "feed archive: cell 5, archive 5\n", ""));
    Path backup = data.resolveSibling("backup");
    copy(data.resolve("zookeeper"), backup);
    try (Node node = node(data)) {
      assertThat(sell(node, 3, 1000)).isEqualTo(new Total(3050));
      awaitArchived(node, 8);
    }
    Files.move(data.resolve("zookeeper"), data.resolveSibling("lost"));
    copy(backup, data.resolve("zookeeper"));

    CommandRun ahead = CommandRun.of("archive", "--data", archive);
    assertThat(ahead.code()).isEqualTo(3);
    assertThat(ahead.out())
        .contains("feed archive: cell 5, archive 8; ahead by 3 events of 1 actors")
        .contains("cut them with --cut");
    assertThat(ahead.err())
        .as("restored by hand: nobody noted it")
        .contains("it is an older copy, or its newest files are missing");
    CommandRun cut = CommandRun.of("archive", "--data", archive, "--cut");
    assertThat(cut.out()).contains("feed archive: cell 5, archive 8; cut: 3 events of 1 actors");
    assertThat(cut.code()).isZero();
    assertThat(CommandRun.of("archive", "--data", archive, "--json").out())
        .contains("\"ahead\":0")
        .contains("\"cell\":5")
        .contains("\"archive\":5");
    try (Node node = node(data, "--new-cell")) {
      assertThat(sell(node, 1, 7)).isEqualTo(new Total(57));
      awaitArchived(node, 6);
    }
    assertThat(CommandRun.of("archive", "--data", archive).out())
        .isEqualTo("feed archive: cell 6, archive 6\n");
  }

  @Test
  void aStoreThatLostItsFilesIsNotTakenForACellWithoutFeeds() throws Exception {
    Path data = LaunchedNode.directory("archive-lost").resolve("node");
    try (Node node = node(data, "--zookeeper-port", "0")) {
      assertThat(sell(node, 5, 10)).isEqualTo(new Total(50));
      awaitArchived(node, 5);
    }
    Path files = data.resolve("zookeeper/version-2");
    Path lost = data.resolveSibling("lost");
    Files.move(files, lost);
    Files.createDirectories(files);

    CommandRun refused =
        CommandRun.of("archive", "--data", data.toString(), "--cut", "--feed", "archive");
    assertThat(refused.err())
        .contains("is empty, but it held a cell")
        .contains("restore its files");
    assertThat(refused.out()).isEmpty();
    assertThat(refused.code()).isEqualTo(1);
    assertThat(files).as("no store was begun").isEmptyDirectory();

    Files.delete(files);
    Files.move(lost, files);
    assertThat(CommandRun.of("archive", "--data", data.toString()))
        .isEqualTo(new CommandRun(0, "feed archive: cell 5, archive 5\n", ""));
  }

  @Test
  @Tag("long")
  void aNodeFoldsEventsOfItsArchiveAgain() throws Exception {
    Path data = LaunchedNode.directory("archive-refold").resolve("node");
    try (Node node = node(data, "--zookeeper-port", "0")) {
      assertThat(sell(node, 7, 10)).isEqualTo(new Total(70));
      awaitArchived(node, 7);
      Futures.await(node.callboard().admin().refold("/till/1", "to be sure"));
      assertThat(sell(node, 1, 10)).isEqualTo(new Total(80));
      awaitArchived(node, 9);
      Futures.await(node.callboard().admin().restore("/till/1", 3, "the fourth was wrong"));
      assertThat(sell(node, 1, 10)).isEqualTo(new Total(40));
    }
    try (Node node = node(data)) {
      assertThat(sell(node, 1, 10)).isEqualTo(new Total(50));
    }
  }

  @Test
  @Tag("long")
  void ofACellWithMembersNothingIsCut() throws Exception {
    Path data = LaunchedNode.directory("archive-members").resolve("node");
    String url = "jdbc:h2:mem:members;DB_CLOSE_DELAY=-1";
    try (Node node = node(data, "--zookeeper-port", "0", "--archive", url)) {
      var unused = sell(node, 2, 10);
      awaitArchived(node, 2);
      try (var connection = java.sql.DriverManager.getConnection(url);
          var statement = connection.createStatement()) {
        assertThat(
                statement.executeUpdate(
                    "insert into callboard_event select feed, 3, actor, turn, event_number, committed_at, event_type, type_version, body from callboard_event where feed_position = 2"))
            .isEqualTo(1);
      }
      CommandRun cut =
          CommandRun.of("archive", "--zookeeper", node.zookeeper(), "--archive", url, "--cut");
      assertThat(cut.err()).contains("the cell has members: till. Stop these nodes");
      assertThat(cut.code()).isEqualTo(1);
      assertThat(CommandRun.of("archive", "--zookeeper", node.zookeeper(), "--archive", url).out())
          .contains("archive 3; ahead by 1 events");
    }
    assertThat(CommandRun.of("archive", "--zookeeper", "127.0.0.1:1").err())
        .contains("--archive is required with --zookeeper");
    CommandRun none = CommandRun.of("archive", "--zookeeper", "127.0.0.1:1", "--archive", "none");
    assertThat(none.code()).isEqualTo(2);
    assertThat(none.err()).contains("--archive: the URL must begin with jdbc:postgresql:");
  }

  @Test
  void aDirectoryWithoutACellIsRefusedAndNothingIsMadeInIt() throws Exception {
    Path data = LaunchedNode.directory("archive-none").resolve("node");
    CommandRun said = CommandRun.of("archive", "--data", data.toString());
    assertThat(said.code()).isEqualTo(1);
    assertThat(said.err()).contains("holds no embedded ZooKeeper").contains("--zookeeper");
    assertThat(data).doesNotExist();
  }
}
