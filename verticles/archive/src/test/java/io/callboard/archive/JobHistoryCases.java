package io.callboard.archive;

import static io.callboard.testkit.Futures.await;
import static org.assertj.core.api.Assertions.assertThat;

import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;

/** Tests of the tables of ended jobs, for any database. */
abstract class JobHistoryCases {
  private static final Instant BEGIN = Instant.parse("2026-11-25T00:00:00Z");

  private final Vertx vertx = Vertx.vertx();
  private Archive archive;
  private JobHistory jobs;

  /** Returns the URL of an empty database or schema of that name. */
  abstract String url(String name) throws Exception;

  @BeforeEach
  void open(TestInfo test) throws Exception {
    String name = test.getTestMethod().orElseThrow().getName();
    archive = await(Archive.open(vertx, url(name)));
    jobs = archive.jobs();
  }

  @AfterEach
  void close() {
    await(archive.close());
    await(vertx.close());
  }

  /** Returns the id of the job that is submitted in that second; a high first bit sorts last. */
  private static String id(int second) {
    long millis = BEGIN.plusSeconds(second).toEpochMilli();
    return new UUID(millis << 16 | 0x7000, 0x8000_0000_0000_0000L | second).toString();
  }

  static JobRow row(int second, long version, String state, String search, String... labels) {
    Instant at = BEGIN.plusSeconds(second);
    Map<String, String> all = labels.length == 0 ? Map.of() : Map.of(labels[0], labels[1]);
    JobRow.Run run =
        new JobRow.Run(1, state, "h1", 0, at, at.plusSeconds(1), null, "out " + version);
    return new JobRow(
        id(second),
        version,
        second % 2 == 0 ? "even" : "odd",
        state,
        at,
        at.plusSeconds(1),
        all,
        id(second) + " " + search,
        "body " + second + "." + version,
        "body " + second + "." + version,
        "\"result\"",
        List.of(run),
        List.of(new JobRow.Event(at, "submitted"), new JobRow.Event(at, "ended")));
  }

  private void write(JobRow... rows) {
    assertThat(await(jobs.write(List.of(rows)))).isEmpty();
  }

  static JobRowQuery query(
      @Nullable String state, @Nullable String text, boolean ascending, @Nullable Integer after) {
    return new JobRowQuery(
        null, state, null, null, null, text, ascending, 2, after == null ? null : id(after));
  }

  private List<String> page(JobRowQuery query) {
    return await(jobs.page(query));
  }

  @Test
  void aNewerVersionReplacesAnOlderOneAndNeverTheOtherWayRound() {
    write(row(1, 5, "DEAD", "sh", "team", "a"));
    write(row(1, 9, "SUCCEEDED", "sh", "team", "b"));
    write(row(1, 5, "DEAD", "sh", "team", "a"));
    write(row(1, 9, "DEAD", "sh", "team", "a"));
    assertThat(await(jobs.find(id(1)))).contains("body 1.9");
    assertThat(page(label("team", "b"))).containsExactly("body 1.9");
    assertThat(page(label("team", "a"))).isEmpty();
    assertThat(page(query("DEAD", null, false, null))).isEmpty();
    assertThat(await(jobs.find(id(2)))).isEmpty();
    assertThat(await(jobs.find("no id"))).isEmpty();
  }

  private static JobRowQuery label(String name, @Nullable String value) {
    return new JobRowQuery(null, null, name, value, null, null, false, 10, null);
  }

  @Test
  void pagesFollowTheIdsInBothDirections() {
    for (int i = 1; i <= 5; i++) {
      write(row(i, 1, i < 4 ? "SUCCEEDED" : "DEAD", "sh"));
    }
    assertThat(page(query(null, null, false, null))).containsExactly("body 5.1", "body 4.1");
    assertThat(page(query(null, null, false, 4))).containsExactly("body 3.1", "body 2.1");
    assertThat(page(query(null, null, false, 2))).containsExactly("body 1.1");
    assertThat(page(query(null, null, true, 3))).containsExactly("body 4.1", "body 5.1");
    assertThat(page(query("SUCCEEDED", null, false, 3))).containsExactly("body 2.1", "body 1.1");
    JobRowQuery odd = new JobRowQuery("odd", null, null, null, null, null, true, 9, null);
    assertThat(page(odd)).containsExactly("body 1.1", "body 3.1", "body 5.1");
    JobRowQuery late =
        new JobRowQuery(null, null, null, null, BEGIN.plusSeconds(3), null, true, 9, null);
    assertThat(page(late)).containsExactly("body 4.1", "body 5.1");
    Instant end = BEGIN.plusSeconds(5); // that of the fourth
    JobRowQuery ended = new JobRowQuery(null, null, null, null, null, null, true, 9, null, end);
    assertThat(page(ended)).containsExactly("body 5.1");
  }

  @Test
  void textIsFoundInsideWordsAndHasNoWildcards() {
    write(row(1, 1, "DEAD", "sh -c 100%_done!", "team", "blue"));
    write(row(2, 1, "DEAD", "python report.py", "team", "green"));
    assertThat(page(query(null, "port.p", false, null))).containsExactly("body 2.1");
    assertThat(page(query(null, "0%_d", false, null))).containsExactly("body 1.1");
    assertThat(page(query(null, "done!", false, null))).containsExactly("body 1.1");
    assertThat(page(query(null, "s_ -c", false, null))).isEmpty();
    assertThat(page(query(null, id(2).substring(4), false, null))).containsExactly("body 2.1");
    assertThat(page(label("team", null))).hasSize(2);
    assertThat(page(label("team", "green"))).containsExactly("body 2.1");
  }

  @Test
  void invalidCharactersAreReplacedAndARefusedJobHindersNoOther() {
    write(row(1, 1, "DEAD", "a\0b \ud800", "team", "x\0"));
    assertThat(await(jobs.find(id(1)))).isPresent();
    JobRow good = row(2, 1, "DEAD", "sh");
    JobRow bad = row(3, 1, "a state of more than thirty characters", "sh");
    assertThat(await(jobs.write(List.of(bad, good)))).containsOnlyKeys(bad.id());
    assertThat(await(jobs.find(good.id()))).contains("body 2.1");
    assertThat(await(jobs.find(bad.id()))).isEmpty();
  }

  @Test
  void jobsAreDeletedByIdAndByAge() {
    for (int i = 1; i <= 5; i++) {
      write(row(i, 1, i == 1 ? "DEAD" : "SUCCEEDED", "sh", "team", "a"));
    }
    assertThat(await(jobs.delete(id(5)))).isTrue();
    assertThat(await(jobs.delete(id(5)))).isFalse();
    Instant before = BEGIN.plusSeconds(4);
    EndedRows successes = new EndedRows("SUCCEEDED", before, List.of(), true);
    assertThat(await(jobs.deleteEnded(successes, 1))).isEqualTo(1);
    assertThat(await(jobs.find(id(2)))).as("the oldest").isEmpty();
    assertThat(await(jobs.deleteEnded(successes, 9))).isZero();
    List<String> left = new ArrayList<>(page(label("team", "a")));
    assertThat(left).containsExactly("body 4.1", "body 3.1", "body 1.1");
  }

  @Test
  void aRowThatIsWrittenAfterItsDeletionIsRefusedAndHindersNoOther() {
    write(row(1, 5, "DEAD", "sh"));
    assertThat(await(jobs.delete(id(1)))).isTrue();
    assertThat(await(jobs.delete(id(2)))).as("its row is still to be written").isFalse();
    List<JobRow> late =
        List.of(row(1, 5, "DEAD", "sh"), row(2, 1, "DEAD", "sh"), row(3, 1, "DEAD", "sh"));
    assertThat(await(jobs.write(late))).containsOnlyKeys(id(1), id(2));
    assertThat(page(query(null, null, false, null))).containsExactly("body 3.1");
  }

  @Test
  void aPageWithTwoVersionsOfAJobIsWritten() {
    List<JobRow> twice =
        List.of(row(1, 5, "DEAD", "sh"), row(1, 6, "DEAD", "sh"), row(2, 1, "DEAD", "sh"));
    assertThat(await(jobs.write(twice))).isEmpty();
    assertThat(page(query(null, null, false, null))).containsExactly("body 2.1", "body 1.6");
    assertThat(await(jobs.delete(id(1)))).isTrue();
    assertThat(await(jobs.write(twice))).containsOnlyKeys(id(1));
    assertThat(page(query(null, null, false, null))).containsExactly("body 2.1");
  }

  @Test
  void aRowThatIsDeletedWhileItIsWrittenIsGone() {
    for (int i = 1; i <= 40; i++) {
      Future<Map<String, String>> written =
          jobs.write(List.of(row(i, 1, "DEAD", "sh"), row(100 + i, 1, "DEAD", "sh")));
      Future<Boolean> deleted = jobs.delete(id(i));
      await(written);
      await(deleted);
      assertThat(await(jobs.find(id(i)))).as("row %d", i).isEmpty();
      assertThat(await(jobs.find(id(100 + i)))).isPresent();
    }
  }

  @Test
  void jobsAreDeletedByTypeOrForAllButSomeTypes() {
    for (int i = 1; i <= 6; i++) {
      write(row(i, 1, "SUCCEEDED", "sh", "team", "a"));
    }
    Instant late = BEGIN.plusSeconds(60);
    assertThat(await(jobs.deleteEnded(rows(late, false), 9))).as("no type").isZero();
    assertThat(await(jobs.deleteEnded(rows(BEGIN.plusSeconds(4), false, "odd", "x"), 9)))
        .isEqualTo(1);
    assertThat(page(label("team", "a")))
        .containsExactly("body 6.1", "body 5.1", "body 4.1", "body 3.1", "body 2.1");
    assertThat(await(jobs.deleteEnded(rows(late, true, "odd"), 2))).as("a page").isEqualTo(2);
    assertThat(await(jobs.deleteEnded(rows(late, true, "odd"), 2))).isEqualTo(1);
    assertThat(page(label("team", "a"))).containsExactly("body 5.1", "body 3.1");
  }

  private static EndedRows rows(Instant before, boolean others, String... types) {
    return new EndedRows("SUCCEEDED", before, List.of(types), others);
  }
}
