package io.callboard.bootstrap;

import io.callboard.archive.Archive;
import io.callboard.archive.FeedCut;
import io.callboard.bootstrap.config.CellOptions;
import io.callboard.bootstrap.config.ConfOptions;
import io.callboard.bootstrap.config.StartupFailure;
import io.callboard.bootstrap.data.DataDirectory;
import io.callboard.bootstrap.data.DataOptions;
import io.callboard.codecs.Json;
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

/** Compares the archive with its cell, and cuts it back to it after a restore. */
@Command(
    sortOptions = false,
    description =
        "Shows how far each feed is in the cell and in the archive's database; with --cut, takes the database back to the cell, which was restored to a moment before. Without --zookeeper it is the cell of the embedded server in --data, whose node must be stopped. What is cut is kept in the table callboard_cut_event; projections that applied some of it are made again when a node runs them.",
    footer = {
      "",
      "Exit codes: 0 the archive is not ahead of the cell, 1 it failed, 2 wrong option, 3 it is ahead (of a running cell perhaps by what is under way)."
    })
final class ArchiveCommand implements Callable<Integer> {
  /** The archive has what the cell has not. */
  static final int AHEAD = 3;

  @Option(names = "--cut", description = "Cuts what is shown; all nodes must be stopped.")
  boolean cut;

  @Option(
      names = "--feed",
      paramLabel = "TAG",
      description =
          "Only that feed. To cut one that the cell does not have at all, it must be named.")
  @Nullable String feed;

  @Mixin DataOptions data = new DataOptions();

  @Option(
      names = "--zookeeper",
      paramLabel = "HOST:PORT[,…][/CHROOT]",
      description = "The ensemble (default: the embedded server).")
  @Nullable String zookeeper;

  @Mixin CellOptions cell = new CellOptions();

  @Option(
      names = "--archive",
      paramLabel = "JDBC-URL",
      description = "The database, as the nodes have it (default: H2 in the data directory).")
  @Nullable String archive;

  @Mixin ConfOptions conf = new ConfOptions();

  @Mixin Console console = new Console();

  @Option(names = "--json", description = "Prints JSON.")
  boolean json;

  /**
   * A feed as it was found.
   *
   * @param cell its position there; null if the cell does not have it
   * @param last its position in the archive
   * @param ahead what the archive has behind the cell's position
   * @param done whether that was cut
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
          "%s holds no embedded server: name its node's directory with --data, or an ensemble with --zookeeper"
              .formatted(data.data));
    }
    try (DataDirectory held = DataDirectory.open(data.data);
        EmbeddedZooKeeper server = embedded(held)) {
      return compare(cell.at(server.connectString(), console.command()), true);
    }
  }

  /**
   * A store that was restored by hand is behind what its directory notes, and is what this command
   * is for; one that lost all its files is none.
   */
  private EmbeddedZooKeeper embedded(DataDirectory held) throws IOException {
    Path store = held.path().resolve(DataDirectory.ZOOKEEPER);
    EmbeddedZooKeeper server;
    try {
      server = EmbeddedZooKeeper.start(store, 0, 1, line -> {});
    } catch (StoreBehindException e) {
      throw StartupFailure.failed(
          e.getMessage() + "; put its files back, or a backup with callboard restore");
    } catch (StoreDamagedException e) {
      throw StartupFailure.failed(e.getMessage() + "; callboard repair says what it still holds");
    }
    long reached = held.zookeeperReached();
    if (server.zxid() < reached) {
      PrintWriter err = console.command().getErr();
      err.println(
          "the store in %s ends at transaction 0x%x, and had reached 0x%x: it is an older one, or its newest files are missing"
              .formatted(store, server.zxid(), reached));
      err.flush();
    }
    return server;
  }

  private String archiveUrl() {
    String url = archive;
    if (url == null && zookeeper != null) {
      throw StartupFailure.usage("--archive is missing: name the database as the nodes do");
    } else if (url != null && !NodeCommand.isDatabase(url)) {
      throw StartupFailure.usage(
          "--archive names no database: it begins with jdbc:postgresql: or jdbc:h2:, as the nodes have it");
    }
    return url == null ? NodeCommand.archiveIn(data.data) : url;
  }

  /**
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
          "the cell has members, %s: stop these nodes before the archive is cut; one that has ended, or was there when the backup was made, is a member for its session timeout"
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
              ? "; the archive lacks %d".formatted(there - row.last())
              : "");
    }
    String what =
        "%d events of %d actors, of %s to %s"
            .formatted(
                ahead.events(),
                ahead.actors(),
                ahead.oldest().map(String::valueOf).orElse("?"),
                ahead.newest().map(String::valueOf).orElse("?"));
    String projections =
        ahead.projections().isEmpty()
            ? ""
            : "; projections to be made again: " + String.join(", ", ahead.projections());
    String hint = there == null && !row.done() ? " and --feed " + row.feed() : "";
    return row.done()
        ? "%s; cut: %s%s".formatted(begin, what, projections)
        : "%s; ahead by %s%s; cut it with --cut%s".formatted(begin, what, projections, hint);
  }
}
