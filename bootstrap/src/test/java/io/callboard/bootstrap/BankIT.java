package io.callboard.bootstrap;

import static org.assertj.core.api.Assertions.assertThat;

import io.callboard.testkit.Eventually;
import io.callboard.testkit.PostgresServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * A bank of 1,000 accounts in real processes: its branches, which run the feeds too, are killed
 * with SIGKILL, and cut off from ZooKeeper and, where there is PostgreSQL, from the database while
 * money moves. The books are audited all the time, and in the end every balance is explained by its
 * history. The long form: {@code -Dchaos.seconds=600}; {@code -Dchaos.seed}.
 */
@Tag("long")
class BankIT {
  private static final int SECONDS = Integer.getInteger("chaos.seconds", 15);
  private static final long SEED = Long.getLong("chaos.seed", System.nanoTime());
  private static final int ACCOUNTS = 1_000;
  private static final long FIRST_CENTS = 100_000;
  private static final Duration LIMIT = Duration.ofMinutes(2);
  private static final Pattern AUDITED =
      Pattern.compile(
          "audited (\\d+) accounts: sum (\\d+) of (\\d+), (\\d+) transfers on their way, (\\d+) events, (\\d+) balances unexplained");

  private final SplittableRandom random = new SplittableRandom(SEED);
  private final LaunchedNode[] branches = new LaunchedNode[2];
  private final List<CutProxy> proxies = new ArrayList<>();
  private String archive = "";
  private int kills;
  private int cuts;
  private int audits;

  @Test
  void theBooksAreRightAtEveryMoment() throws Exception {
    Path data = LaunchedNode.directory("bank");
    try (PostgresServer server = PostgresServer.isInstalled() ? PostgresServer.start(true) : null;
        CutProxy database = server == null ? null : new CutProxy(server.address());
        Connection books = DriverManager.getConnection(books(data, server, database));
        LaunchedNode node = LaunchedNode.start(data.resolve("node"), "--archive", "none");
        CutProxy between = new CutProxy(node.zookeeper())) {
      proxies.add(between);
      if (database != null) {
        proxies.add(database);
      }
      for (int i = 0; i < branches.length; i++) {
        branches[i] = branch(20);
      }
      Eventually.assertThat(LIMIT, () -> assertThat(opened(books)).isEqualTo(ACCOUNTS));
      trouble(books);
      Matcher audited = audit();
      System.out.printf(
          "bank: seed %d, %d s, %s, %d kills, %d cuts, %d audits, %s events of %s accounts%n",
          SEED,
          SECONDS,
          archive.substring(5, archive.indexOf(':', 5)),
          kills,
          cuts,
          audits,
          audited.group(5),
          audited.group(1));
      assertThat(audited.group(2)).as("the sum").isEqualTo(audited.group(3));
      assertThat(audited.group(4)).as("on their way").isEqualTo("0");
      assertThat(audited.group(6)).as("unexplained").isEqualTo("0");
      assertThat(Long.parseLong(audited.group(5))).isGreaterThan(ACCOUNTS + 3L * SECONDS);
      assertThat(sum(books, "balance")).isEqualTo(ACCOUNTS * FIRST_CENTS);
      assertThat(kills).isPositive();
      assertThat(cuts).isPositive();
    } finally {
      for (LaunchedNode branch : branches) {
        if (branch != null) {
          branch.close();
        }
      }
    }
  }

  /** Returns the URL of the database for the test; the branches reach it through the proxy. */
  private String books(Path data, PostgresServer server, CutProxy database) throws SQLException {
    if (server == null) {
      archive = "jdbc:h2:file:%s;AUTO_SERVER=TRUE".formatted(data.resolve("books"));
      return archive;
    }
    String url = server.schema("bank");
    archive = url.replace(server.address(), database.address());
    return url;
  }

  private LaunchedNode branch(int tellers) throws IOException {
    return vertx("Branch", tellers);
  }

  private LaunchedNode vertx(String verticle, int tellers) throws IOException {
    String conf =
        "{\"zookeeper\":\"%s\",\"session-timeout\":\"PT4S\",\"archive\":\"%s\",\"accounts\":%d,\"tellers\":%d}"
            .formatted(proxies.get(0).address(), archive, ACCOUNTS, tellers);
    return LaunchedNode.launch(
        Map.of(),
        QuickStart.java(
            List.of(
                "-Xmx256m",
                "-cp",
                LaunchedNode.jar().toString(),
                "io.callboard.bootstrap.CallboardLauncher",
                "run",
                "io.callboard.examples.bank." + verticle,
                "-cluster",
                "-conf",
                conf)));
  }

  /** Kills, cuts and audits, until the time is over. */
  private void trouble(Connection books) throws Exception {
    long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(SECONDS);
    long nextKill = System.nanoTime() + pause(3_000, 6_000);
    long nextCut = System.nanoTime() + pause(2_000, 8_000);
    long mended = 0;
    CutProxy proxy = proxies.get(0);
    while (System.nanoTime() < end) {
      audit(books);
      long now = System.nanoTime();
      if (now >= nextKill) {
        int victim = random.nextInt(branches.length);
        branches[victim].kill();
        branches[victim] = branch(20);
        kills++;
        nextKill = now + pause(4_000, 9_000);
      }
      if (mended == 0 && now >= nextCut) {
        proxy = proxies.get(random.nextInt(proxies.size()));
        proxy.cut();
        cuts++;
        mended = now + pause(50, 3_000);
      } else if (mended != 0 && now >= mended) {
        proxy.mend();
        mended = 0;
        nextCut = now + pause(4_000, 12_000);
      }
      LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(100));
    }
    proxy.mend();
  }

  private long pause(int fromMs, int toMs) {
    return TimeUnit.MILLISECONDS.toNanos(random.nextInt(fromMs, toMs));
  }

  /** Reads two tables in one statement, so that they are of one moment. */
  private void audit(Connection books) throws SQLException {
    String both =
        "select (select sum(cents) from balance) + (select coalesce(sum(cents), 0) from transit)";
    assertThat(number(books, both)).as("seed %d", SEED).isEqualTo(ACCOUNTS * FIRST_CENTS);
    audits++;
  }

  private static long opened(Connection books) {
    try {
      return number(books, "select count(*) from balance");
    } catch (SQLException e) {
      return 0; // the table is not there yet
    }
  }

  private static long sum(Connection books, String table) throws SQLException {
    return number(books, "select sum(cents) from " + table);
  }

  private static long number(Connection books, String sql) throws SQLException {
    try (Statement statement = books.createStatement();
        ResultSet row = statement.executeQuery(sql)) {
      assertThat(row.next()).isTrue();
      return row.getLong(1);
    }
  }

  /** Ends all branches; one without tellers takes over, and the auditor looks at each account. */
  private Matcher audit() throws Exception {
    for (LaunchedNode branch : branches) {
      branch.kill();
    }
    branches[0] = branch(0);
    List<String> line = new ArrayList<>();
    try (LaunchedNode auditor = vertx("Audit", 0)) {
      Eventually.assertThat(
          LIMIT,
          () -> {
            Matcher found = AUDITED.matcher(errors(auditor));
            assertThat(found.find()).as(errors(auditor) + errors(branches[0])).isTrue();
            line.add(found.group());
          });
    }
    Matcher audited = AUDITED.matcher(line.get(0));
    assertThat(audited.matches()).isTrue();
    return audited;
  }

  private static String errors(LaunchedNode node) {
    try {
      return node.errors();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
