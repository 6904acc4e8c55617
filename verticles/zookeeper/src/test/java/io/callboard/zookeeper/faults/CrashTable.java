package io.callboard.zookeeper.faults;

import static org.assertj.core.api.Assertions.assertThat;

import io.callboard.zookeeper.faults.CrashCell.Found;
import io.callboard.zookeeper.faults.CrashRun.Row;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/** Table of the measurements at the crash points, for people. */
final class CrashTable {
  /** The system property that, as {@code update}, lets {@link #check} rewrite the document. */
  static final String PROPERTY = "callboard.crash-points";

  private static final String REWRITE =
      "rewrite it with -Pnightly -Dtest=CrashPointsTest -D%s=update, and commit it"
          .formatted(PROPERTY);

  private static final String HEAD =
      """
      # Crash points

      Each row was run: the process is killed at that step, as by SIGKILL, with a real ZooKeeper server. Then the next
      process with the same name and data directory takes over. `CrashPointsTest` generates this page and fails if it
      finds anything else. Each build runs some of the rows; the long form runs all. To generate it again:
      `-Pnightly -Dtest=CrashPointsTest -D%s=update`.

      An actor stores the numbers of its messages in its state, sends a copy of each message to another durable actor
      (of message 2 to %d of them for *relay*), and answers. It has handled message 1 before, except where the process
      only sends. The process is killed at message 2. The next process sends message 3, and the cell comes to rest.

      A process that does not get the reply cannot know whether its request was applied: it may be either of the rows
      "is sent and lost" and "is applied, the reply has not arrived".

      - **knew**: what the sender knew of message 2: `accepted` for a `tell`, `answered` for an `ask`.
      - **found**: what was in ZooKeeper before the next process; the numbers are messages, those of `outbox` entries.
      - **handled**: the messages in the actor's state at rest, in order. The receivers of the copies had handled the
        same; each receiver of a copy of message 2 had it once.
      - **lost**: messages that were accepted, and neither handled nor parked. **repeated**: messages that any actor
        handled twice.

      | step | killed when | knew | found | handled | lost | repeated | besides |
      |---|---|---|---|---|---|---|---|
      """;

  private CrashTable() {}

  static String of(List<Row> rows) {
    return HEAD.formatted(PROPERTY, CrashLoad.MANY)
        + rows.stream().map(CrashTable::line).collect(Collectors.joining("\n", "", "\n"));
  }

  private static String line(Row row) {
    return begin(row.point())
        + " %s | %s | %s | %d | %d | %s |"
            .formatted(
                row.told().replace(" 2", ""),
                row.killed().words(),
                row.rested().noted().stream()
                    .map(String::valueOf)
                    .collect(Collectors.joining(", ")),
                lost(row),
                row.repeats(),
                besides(row));
  }

  private static String begin(CrashPoint point) {
    return "| %s | %s |".formatted(point.step().words(), point.moment().words());
  }

  private static int lost(Row row) {
    boolean there = row.rested().noted().contains(2L) || row.rested().parked() > 0;
    return row.told().startsWith("accepted") && !there ? 1 : 0;
  }

  private static String besides(Row row) {
    Found rested = row.rested();
    List<String> words = new ArrayList<>();
    if (row.receivers() > 1) {
      words.add("%d receivers had it".formatted(row.receivers()));
    }
    if (rested.parked() > 0) {
      words.add("parked %d".formatted(rested.parked()));
    }
    if (!rested.generations().equals(List.of(0L))) {
      words.add("generations %s".formatted(rested.generations()));
    }
    if (!row.left().isEmpty()) {
      words.add("fsck: " + String.join(", ", row.left()));
    }
    return String.join(", ", words);
  }

  /** Fails unless {@code document} says the same, and nothing else. */
  static void check(List<Row> all, Path document) throws IOException {
    if ("update".equals(System.getProperty(PROPERTY))) {
      Files.writeString(document, of(all));
    }
    assertThat(document).as(REWRITE).exists().hasContent(of(all));
  }

  /** Fails unless {@code document} says the same, but for the lines of other crash points. */
  static void checkSome(List<Row> some, List<CrashPoint> others, Path document) throws IOException {
    assertThat(document).as(REWRITE).exists();
    List<String> begins = others.stream().map(CrashTable::begin).toList();
    List<String> said =
        Files.readAllLines(document).stream()
            .filter(line -> begins.stream().noneMatch(line::startsWith))
            .toList();
    assertThat(said).as(REWRITE).isEqualTo(of(some).lines().toList());
  }
}
