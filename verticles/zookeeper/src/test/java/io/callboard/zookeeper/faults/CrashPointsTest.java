package io.callboard.zookeeper.faults;

import static org.assertj.core.api.Assertions.assertThat;

import io.callboard.audit.TxnLogHistory;
import io.callboard.zookeeper.EmbeddedZooKeeper;
import io.callboard.zookeeper.TestServers;
import io.callboard.zookeeper.faults.CrashPoint.Step;
import io.callboard.zookeeper.faults.CrashRun.Row;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Collectors;
import org.apache.zookeeper.ZooKeeper;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Kills processes at every step of what makes messages durable. */
@Tag("long")
class CrashPointsTest {
  private static final int AT_ONCE = 2;
  private static final int RUNS = 8;
  private static final Path DOCUMENT = Path.of("..", "..", "bootstrap", "docs", "crash-points.md");

  @Test
  void theStateAfterACrashIsAsTheTableSays() throws Exception {
    Map<Boolean, List<CrashPoint>> points =
        CrashPoint.all().stream().collect(Collectors.partitioningBy(CrashPoint::isShort));
    CrashTable.checkSome(rows(points.get(true)), points.get(false), DOCUMENT);
  }

  @Test
  @Tag("nightly")
  void theTableSaysWhatIsTrueAfterEveryCrash() throws Exception {
    CrashTable.check(rows(CrashPoint.all()), DOCUMENT);
  }

  @SuppressWarnings("try") // closing the client may be interrupted
  private static List<Row> rows(List<CrashPoint> points) throws Exception {
    Path directory = Servers.directory("crash");
    List<Row> rows;
    try (EmbeddedZooKeeper server = TestServers.start(directory.resolve("data"));
        ZooKeeper client = new ZooKeeper(server.connectString(), 30_000, event -> {})) {
      rows = run(points, server, client, directory);
    }
    for (Row row : rows) {
      judge(row.point(), directory.resolve("data").resolve("version-2"));
    }
    Files.writeString(Path.of("target", "crash-points.md"), CrashTable.of(rows));
    return rows;
  }

  private static List<Row> run(
      List<CrashPoint> points, EmbeddedZooKeeper server, ZooKeeper client, Path directory)
      throws InterruptedException {
    ExecutorService several = Executors.newFixedThreadPool(AT_ONCE);
    List<Future<Row>> runs = new ArrayList<>();
    for (CrashPoint point : points) {
      runs.add(several.submit(() -> row(point, server, client, directory)));
    }
    several.shutdown();
    List<Row> rows = new ArrayList<>();
    AssertionError failures = new AssertionError("some crash points");
    for (int i = 0; i < points.size(); i++) {
      try {
        rows.add(runs.get(i).get());
      } catch (ExecutionException e) {
        failures.addSuppressed(new AssertionError(points.get(i).toString(), e.getCause()));
      }
    }
    if (failures.getSuppressed().length > 0) {
      throw failures;
    }
    return rows;
  }

  private static Row row(
      CrashPoint point, EmbeddedZooKeeper server, ZooKeeper client, Path directory)
      throws Exception {
    CrashPoint next = point;
    for (int run = 0; run < RUNS; run++, next = next.again()) {
      Optional<Row> row = new CrashRun(next, server, client, directory).run();
      if (row.isPresent()) {
        return row.get();
      }
    }
    throw new AssertionError("%s was not come to in %d runs".formatted(point, RUNS));
  }

  /** The log of the server, but where a test has put a counter near its end behind its back. */
  private static void judge(CrashPoint point, Path log) throws Exception {
    if (point.step() != Step.SEAL) {
      TxnLogHistory history = TxnLogHistory.of("/callboard/" + point.cell(), List.of(log));
      assertThat(history.violations()).as(point.toString()).isEmpty();
      assertThat(history.waiting()).as(point.toString()).isZero();
    }
  }
}
