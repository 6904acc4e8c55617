package io.callboard.jobs.internal.archiving;

import static io.callboard.testkit.Futures.await;
import static org.assertj.core.api.Assertions.assertThat;

import io.callboard.archive.EndedRows;
import io.callboard.archive.JobHistory;
import io.callboard.archive.JobRow;
import io.callboard.archive.JobRowQuery;
import io.callboard.jobs.model.JobRetention;
import io.callboard.jobs.model.JobType;
import io.callboard.jobs.model.RetryPolicy;
import io.callboard.jobs.model.TypeRetention;
import io.callboard.testkit.ManualTime;
import io.vertx.core.Future;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Test of which rows are deleted, and when, on a virtual clock. */
class RowRetentionTest {
  private static final Duration YEAR = Duration.ofDays(365);
  private static final Duration TWO_DAYS = Duration.ofDays(2);

  private final ManualTime time = new ManualTime();
  private final List<EndedRows> asked = new ArrayList<>();
  private int deleted;
  private boolean gateIsAway;
  private List<JobType> types =
      List.of(
          type("brief", new TypeRetention(TWO_DAYS, TWO_DAYS, null, null)),
          type("long", new TypeRetention(YEAR, null, null, null)),
          type("plain", null));

  private int swept;
  private final JobHistory history =
      new JobHistory() {
        @Override
        public Future<Map<String, String>> write(List<JobRow> jobs) {
          throw new UnsupportedOperationException();
        }

        @Override
        public Future<Optional<String>> find(String id) {
          throw new UnsupportedOperationException();
        }

        @Override
        public Future<List<String>> page(JobRowQuery query) {
          throw new UnsupportedOperationException();
        }

        @Override
        public Future<Boolean> delete(String id) {
          throw new UnsupportedOperationException();
        }

        @Override
        public Future<Integer> deleteEnded(EndedRows rows, int most) {
          asked.add(rows);
          return Future.succeededFuture(deleted);
        }

        @Override
        public Future<Void> sweepDeleted() {
          swept++;
          return Future.succeededFuture();
        }
      };

  private final RowRetention rows =
      new RowRetention(
          history,
          JobRetention.DEFAULT,
          new TypeRetentions(
              () -> gateIsAway ? Future.failedFuture("away") : Future.succeededFuture(types), time),
          time.clock());

  private static JobType type(String name, TypeRetention retention) {
    return new JobType(name, JobType.PROCESS, 1, false, RetryPolicy.ONCE, null, retention);
  }

  private List<EndedRows> successes() {
    return asked.stream().filter(each -> each.state().equals("SUCCEEDED")).toList();
  }

  @Test
  void rowsAreKeptForTheTimeOfTheirTypeOrElseOfTheNode() {
    Instant now = time.clock().instant();
    assertThat(await(rows.sweep())).isFalse();
    assertThat(successes())
        .containsExactly(
            new EndedRows("SUCCEEDED", now.minus(TWO_DAYS), List.of("brief"), false),
            new EndedRows("SUCCEEDED", now.minus(YEAR), List.of("long"), false),
            new EndedRows(
                "SUCCEEDED", now.minus(Duration.ofDays(7)), List.of("brief", "long"), true));
    assertThat(asked.stream().filter(each -> each.state().equals("DEAD")))
        .containsExactly(
            new EndedRows("DEAD", now.minus(TWO_DAYS), List.of("brief"), false),
            new EndedRows("DEAD", now.minus(Duration.ofDays(90)), List.of("brief"), true));
  }

  @Test
  void rowsAreDeletedOnceAnHourByTheRetentionOfTheirTypes() {
    assertThat(await(rows.sweep())).isFalse();
    asked.clear();
    time.advance(Duration.ofMinutes(59));
    assertThat(await(rows.sweep())).isFalse();
    assertThat(asked).isEmpty();
    assertThat(swept).as("sweeps of recorded deletions").isEqualTo(1);
    types = List.of();
    time.advance(Duration.ofMinutes(1));
    assertThat(await(rows.sweep())).isFalse();
    assertThat(successes()).singleElement().matches(EndedRows::others);
  }

  @Test
  void aFullPageIsFollowedByTheNextAtOnce() {
    deleted = 1_000;
    assertThat(await(rows.sweep())).isTrue();
    deleted = 0;
    asked.clear();
    assertThat(await(rows.sweep())).isFalse();
    assertThat(asked).isNotEmpty();
  }

  @Test
  void noRowIsDeletedBeforeTypesAreKnownAndThenTheLastKnownCount() {
    gateIsAway = true;
    assertThat(rows.sweep().failed()).isTrue();
    assertThat(asked).isEmpty();
    gateIsAway = false;
    assertThat(await(rows.sweep())).isFalse();
    gateIsAway = true;
    asked.clear();
    time.advance(Duration.ofHours(2));
    assertThat(await(rows.sweep())).isFalse();
    assertThat(successes()).hasSize(3);
  }
}
