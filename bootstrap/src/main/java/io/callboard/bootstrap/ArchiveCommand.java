package io.callboard.bootstrap;

import io.callboard.archive.Archive;
import io.callboard.archive.ArchiveUrl;
import io.callboard.archive.FeedCut;
import io.callboard.bootstrap.config.CellOptions;
import io.callboard.bootstrap.config.ConfOptions;
import io.callboard.bootstrap.config.DataOptions;
import io.callboard.bootstrap.config.StartupFailure;
import io.callboard.bootstrap.process.Console;
import io.callboard.codecs.Json;
import io.callboard.node.internal.data.DataDirectory;
import io.callboard.zookeeper.CellFeeds;
import io.callboard.zookeeper.EmbeddedZooKeeper;
import io.callboard.zookeeper.StoreBehindException;
import io.callboard.zookeeper.StoreDamagedException;
import io.callboard.zookeeper.access.ZooKeeperOptions;
import io.vertx.core.Vertx;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Command that compares the archive with its cell, and cuts it back to it after a restore. */
@Command(
    sortOptions = false,
    description =
        "Compares the position of each feed in the cell and in the archive's database. With --cut, removes from the database the events that the cell no longer has because it was restored from a backup. Without --zookeeper, reads the cell of the embedded ZooKeeper in --data, whose node must be stopped. Removed events are kept in the table callboard_cut_event; projections that applied some of them are rebuilt when a node next runs them.",
    footer = {
      "",
      "Exit codes: 0 the archive is not ahead of the cell, 1 the command failed, 2 wrong option, 3 the archive is ahead (of a running cell possibly only by events under way)."
    })
final class ArchiveCommand implements Callable<Integer> {
  /** Exit code if the archive has events that the cell does not have. */
  static final int AHEAD = 3;

  @Option(
      names = "--cut",
      description =
          "Removes the events by which the archive is ahead; all nodes of the cell must be stopped.")
  boolean cut;

  @Option(
      names = "--feed",
      paramLabel = "TAG",
      description =
          "Only this feed. A feed that the cell does not have at all is cut only if it is named.")
  @Nullable String feed;

  @Mixin DataOptions data = new DataOptions();

  @Option(
      names = "--zookeeper",
      paramLabel = "HOST:PORT[,…][/CHROOT]",
      description = "ZooKeeper ensemble (default: the embedded ZooKeeper in --data).")
  @Nullable String zookeeper;

  @Mixin CellOptions cell = new CellOptions();

  @Option(
      names = "--archive",
      paramLabel = "JDBC-URL",
      description =
          "Database of the archive, as configured on the nodes (default: H2 in the data directory).")
  @Nullable String archive;

  @Mixin ConfOptions conf = new ConfOptions();

  @Mixin Console console = new Console();

  @Option(names = "--json", description = "Prints JSON.")
  boolean json;

  /**
   * Result for one feed.
   *
   * @param cell position in the cell; null if the cell does not have the feed
   * @param last position in the archive
   * @param ahead events in the archive behind the cell's position
   * @param done whether they were cut
   */
  private record Row(String feed, @Nullable Long cell, long last, FeedCut ahead, boolean done) {
    boolean isLeft() {
      return ahead.events() > 0 && !done;
    }
  }

  @Override
  public Integer call() throws Exception {
    String ensemble = zookeeper;
    if (ensemble != null) {
      return compare(cell.at(ensemble, console.command()), false);
    }
    if (!Files.isDirectory(data.data.resolve(DataDirectory.ZOOKEEPER))) {
      throw StartupFailure.failed(
          "%s holds no embedded ZooKeeper: name the data directory of a node with --data, or an ensemble with --zookeeper"
              .formatted(data.data));
    }
    try (DataDirectory held = DataDirectory.open(data.data);
        EmbeddedZooKeeper server = embedded(held)) {
      return compare(cell.at(server.connectString(), console.command()), true);
    }
  }

  /**
   * Starts the embedded ZooKeeper. A store that was restored by hand may end before the noted
   * position, which is what this command is for; a store that lost all its files is refused.
   */
  private EmbeddedZooKeeper embedded(DataDirectory held) throws IOException {
    Path store = held.path().resolve(DataDirectory.ZOOKEEPER);
    EmbeddedZooKeeper server;
    try {
      server = EmbeddedZooKeeper.start(store, 0, 1, line -> {});
    } catch (StoreBehindException e) {
      throw StartupFailure.failed(
          e.getMessage() + "; restore its files, or a backup with callboard restore");
    } catch (StoreDamagedException e) {
      throw StartupFailure.failed(
          e.getMessage() + "; callboard repair reports what it still holds");
    }
    long reached = held.zookeeperReached();
    if (server.zxid() < reached) {
      PrintWriter err = console.command().getErr();
      err.println(
          "the store in %s ends at transaction 0x%x but had reached 0x%x: it is an older copy, or its newest files are missing"
              .formatted(store, server.zxid(), reached));
      err.flush();
    }
    return server;
  }

  private String archiveUrl() {
    String url = archive;
    if (url == null && zookeeper != null) {
      throw StartupFailure.usage(
          "--archive is required with --zookeeper: name the database that the nodes use");
    }
    try {
      return url == null ? NodeCommand.archiveIn(data.data) : ArchiveUrl.checked(url);
    } catch (IllegalArgumentException e) {
      throw StartupFailure.usage("--archive: %s, as on the nodes".formatted(e.getMessage()));
    }
  }

  /**
   * Compares all feeds, and cuts them if asked to.
   *
   * @param alone whether no node can reach the cell
   */
  private int compare(ZooKeeperOptions where, boolean alone) throws IOException {
    Vertx vertx = Vertx.vertx();
    try {
      Archive opened = Archive.open(vertx, archiveUrl(), Duration.ZERO).await();
      try {
        List<Row> rows = rows(opened, where, alone);
        print(rows);
        return rows.stream().anyMatch(Row::isLeft) ? AHEAD : 0;
      } finally {
        var closed = opened.close().await();
      }
    } finally {
      var closed = vertx.close().await();
    }
  }

  private List<Row> rows(Archive opened, ZooKeeperOptions where, boolean alone) {
    Map<String, Long> lasts = opened.positions().await();
    String only = feed;
    if (only != null && !lasts.containsKey(only)) {
      throw StartupFailure.usage(
          "the archive has no feed \"%s\"; it has %s".formatted(only, lasts.keySet()));
    }
    List<Row> rows = new ArrayList<>();
    Map<String, Long> cells = CellFeeds.read(where, lasts.keySet()).positions();
    lasts.forEach(
        (name, last) -> {
          if (only == null || only.equals(name)) {
            Long there = cells.get(name);
            FeedCut ahead = opened.ahead(name, there == null ? 0 : there).await();
            boolean mine = cut && ahead.events() > 0 && (there != null || name.equals(only));
            rows.add(
                mine ? cut(opened, where, alone, name) : new Row(name, there, last, ahead, false));
          }
        });
    return rows;
  }

  private Row cut(Archive opened, ZooKeeperOptions where, boolean alone, String name) {
    FeedCut done =
        opened.cut(name, () -> position(where, alone, name), Clock.systemUTC().instant()).await();
    return new Row(name, done.position(), done.last(), done, true);
  }

  private static long position(ZooKeeperOptions where, boolean alone, String name) {
    CellFeeds feeds = CellFeeds.read(where, List.of(name));
    if (!alone && !feeds.members().isEmpty()) {
      throw StartupFailure.failed(
          "the cell has members: %s. Stop these nodes before the archive is cut; a node that was killed, or that ran when the backup was made, remains a member until its session times out"
              .formatted(String.join(", ", feeds.members())));
    }
    return feeds.positions().getOrDefault(name, 0L);
  }

  private void print(List<Row> rows) {
    if (json) {
      console.print(Json.tree(List.copyOf(rows.stream().map(ArchiveCommand::tree).toList())));
    } else if (rows.isEmpty()) {
      console.print("the archive is empty");
    } else {
      rows.forEach(row -> console.print(line(row)));
    }
  }

  private static Map<String, Object> tree(Row row) {
    return Map.of(
        "feed", row.feed(),
        "known", row.cell() != null,
        "cell", row.cell() == null ? 0 : row.cell(),
        "archive", row.last(),
        "ahead", row.ahead().events(),
        "projections", row.ahead().projections(),
        "cut", row.done());
  }

  private static String line(Row row) {
    FeedCut ahead = row.ahead();
    Long there = row.cell();
    String begin =
        "feed %s: cell %s, archive %d"
            .formatted(row.feed(), there == null ? "none" : there, row.last());
    if (ahead.events() == 0) {
      return begin
          + (there != null && there > row.last()
              ? "; the archive is behind by %d".formatted(there - row.last())
              : "");
    }
    String what =
        "%d events of %d actors, from %s to %s"
            .formatted(
                ahead.events(),
                ahead.actors(),
                ahead.oldest().map(String::valueOf).orElse("?"),
                ahead.newest().map(String::valueOf).orElse("?"));
    String projections =
        ahead.projections().isEmpty()
            ? ""
            : "; projections to rebuild: " + String.join(", ", ahead.projections());
    String hint = there == null && !row.done() ? " and --feed " + row.feed() : "";
    return row.done()
        ? "%s; cut: %s%s".formatted(begin, what, projections)
        : "%s; ahead by %s%s; cut them with --cut%s".formatted(begin, what, projections, hint);
  }
}
