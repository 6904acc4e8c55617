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
      "rewrite it with -Dtest=CrashPointsTest -Dtests.excluded=none -D%s=update, and commit it"
          .formatted(PROPERTY);

  private static final String HEAD =
      """
      # Crash points

      Each line was run: a process is killed (as by SIGKILL) at that step, on a real ZooKeeper server, and the next
      process of the same name and home goes on. `CrashPointsTest` writes this file and fails if it is not what it
      found; each build runs a part of the lines, its long form all. To write it again:
      `-Dtest=CrashPointsTest -Dtests.excluded=none -D%s=update`.

      An actor keeps the numbers of its notes in its state, sends a copy of each to another durable actor (the fatal
      one to %d for *relay*) and answers. Note 1 was handled before; where the process only tells, nobody has handled
      it. Then the process is killed over note 2. The next process tells note 3, and everything comes to rest.

      Whoever misses a reply cannot know whether the request was applied: it is either of the lines "has left and
      never arrives" and "is applied, its reply has not arrived".

      - **knew**: what the caller had been told of note 2; `accepted` is a `tell`, `answered` would be an `ask`.
      - **found**: what was in ZooKeeper before anybody went on; the numbers are messages, `outbox` is entries.
      - **handled**: the notes in the actor's state at rest, in order. Who gets copies had handled the same, and each
        receiver of the copies of note 2 had it once.
      - **lost**: accepted, and neither handled nor parked. **repeated**: handled twice, by anybody.

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
