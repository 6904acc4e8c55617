package io.callboard.bootstrap;

import io.callboard.bootstrap.config.CellOptions;
import io.callboard.bootstrap.config.ConfOptions;
import io.callboard.bootstrap.config.IsoDuration;
import io.callboard.bootstrap.config.StartupFailure;
import io.callboard.bootstrap.process.Console;
import io.callboard.codecs.Json;
import io.callboard.zookeeper.fsck.Fsck;
import io.callboard.zookeeper.fsck.FsckFinding;
import io.callboard.zookeeper.fsck.FsckFinding.Outcome;
import io.callboard.zookeeper.fsck.FsckOptions;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Command that checks the znodes of a cell; nodes may run meanwhile. */
@Command(
    sortOptions = false,
    description =
        "Lists znodes of a cell that nothing refers to or that cannot be read; with --fix, deletes those that hold neither state nor mail. Znodes that cannot be read, or are not Callboard's, are never deleted.",
    footer = {
      "",
      "Exit codes: 0 no findings are left, 1 the command failed, 2 wrong option, 3 findings are left."
    })
final class FsckCommand implements Callable<Integer> {
  /** Exit code if damage was found and is still there. */
  static final int LEFT = 3;

  @Option(names = "--fix", description = "Deletes orphaned znodes; safe while nodes run.")
  boolean fix;

  @Option(
      names = "--forget-nodes",
      description =
          "With --fix, also deletes what is left of nodes that have not been seen for a long time.")
  boolean forgetNodes;

  @Option(
      names = "--forgotten-after",
      paramLabel = "DURATION",
      defaultValue = "P30D",
      converter = IsoDuration.class,
      description = "How long such a node must not have been seen (default: ${DEFAULT-VALUE}).")
  Duration forgottenAfter = FsckOptions.DEFAULT_FORGOTTEN_AFTER;

  @Option(
      names = "--zookeeper",
      paramLabel = "HOST:PORT[,…][/CHROOT]",
      defaultValue = "127.0.0.1:2181",
      description = "ZooKeeper ensemble (default: ${DEFAULT-VALUE}).")
  String zookeeper = "127.0.0.1:2181";

  @Mixin CellOptions cell = new CellOptions();

  @Mixin ConfOptions conf = new ConfOptions();

  @Mixin Console console = new Console();

  @Option(names = "--json", description = "Prints the findings as JSON.")
  boolean json;

  @Override
  public Integer call() {
    List<FsckFinding> findings =
        Fsck.run(cell.at(zookeeper, console.command()), what(), Clock.systemUTC());
    print(findings);
    boolean clean = findings.stream().allMatch(found -> found.outcome() == Outcome.FIXED);
    return clean ? 0 : LEFT;
  }

  private FsckOptions what() {
    if (forgetNodes && !fix) {
      throw StartupFailure.usage("--forget-nodes needs --fix");
    }
    try {
      return new FsckOptions(fix, forgetNodes, forgottenAfter);
    } catch (IllegalArgumentException e) {
      throw StartupFailure.usage("--forgotten-after: " + e.getMessage());
    }
  }

  private void print(List<FsckFinding> findings) {
    if (json) {
      List<Object> rows = List.copyOf(findings.stream().map(FsckCommand::row).toList());
      console.print(Json.tree(rows));
    } else if (findings.isEmpty()) {
      console.print("cell %s: nothing found".formatted(cell.cell));
    } else {
      findings.forEach(found -> console.print(line(found)));
    }
  }

  private static Map<String, String> row(FsckFinding found) {
    return Map.of(
        "path", found.path(),
        "kind", found.kind().label(),
        "what", found.what(),
        "action", found.action(),
        "outcome", found.outcome().name().toLowerCase(java.util.Locale.ROOT));
  }

  private static String line(FsckFinding found) {
    String result =
        switch (found.outcome()) {
          case LISTED -> "would " + found.action();
          case REPORTED -> "action: " + found.action();
          case FIXED -> "done: " + found.action();
          case BUSY -> "not done, it was being changed; run again: " + found.action();
        };
    return "%s  %s: %s; %s".formatted(found.path(), found.kind().label(), found.what(), result);
  }
}
