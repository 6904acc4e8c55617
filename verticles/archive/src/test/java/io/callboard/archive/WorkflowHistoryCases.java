package io.callboard.archive;

import static io.callboard.testkit.Futures.await;
import static org.assertj.core.api.Assertions.assertThat;

import io.vertx.core.Vertx;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;

/** Tests of the tables of ended workflow instances, for any database. */
abstract class WorkflowHistoryCases {
  private static final Instant BEGIN = Instant.parse("2026-11-25T00:00:00Z");

  private final Vertx vertx = Vertx.vertx();
  private String url;
  private Archive archive;
  private WorkflowHistory workflows;

  /** Returns the URL of an empty database or schema of that name. */
  abstract String url(String name) throws Exception;

  @BeforeEach
  void open(TestInfo test) throws Exception {
    url = url(test.getTestMethod().orElseThrow().getName());
    archive = await(Archive.open(vertx, url));
    workflows = archive.workflows();
  }

  @AfterEach
  void close() {
    await(archive.close());
    await(vertx.close());
  }

  /** Returns the id of the instance that is created in that second. */
  private static String id(int second) {
    long millis = BEGIN.plusSeconds(second).toEpochMilli();
    return new UUID(millis << 16 | 0x7000, 0x8000_0000_0000_0000L | second).toString();
  }

  static WorkflowRow row(int second, long version, String state, String... labels) {
    Instant at = BEGIN.plusSeconds(second);
    String output = "{\"n\":%d}".formatted(version);
    String body = "body %d.%d".formatted(second, version);
    return new WorkflowRow(
        id(second),
        version,
        second % 2 == 0 ? "even" : "odd",
        "v" + second % 3,
        state,
        null,
        at,
        at.plusSeconds(1),
        labels.length == 0 ? Map.of() : Map.of(labels[0], labels[1]),
        id(second) + "\n" + String.join("=", labels),
        body,
        body,
        List.of(
            new WorkflowRow.Step("a", "SUCCEEDED", 1, at, at.plusSeconds(1), null, output),
            new WorkflowRow.Step("b", "SKIPPED", 0, null, at, "a went well", null)),
        List.of(
            new WorkflowRow.Event(at, null, "created", "version v1"),
            new WorkflowRow.Event(at, "a", "started", null)));
  }

  private void write(WorkflowRow... rows) {
    assertThat(await(workflows.write(List.of(rows)))).isEmpty();
  }

  private static WorkflowRowQuery query(
      @Nullable String state, @Nullable String text, boolean ascending, @Nullable Integer after) {
    return new WorkflowRowQuery(
        null, null, state, null, null, null, text, ascending, 2, after == null ? null : id(after));
  }

  private static WorkflowRowQuery label(String name, @Nullable String value) {
    return new WorkflowRowQuery(null, null, null, name, value, null, null, false, 10, null);
  }

  private static WorkflowRowQuery of(
      @Nullable String definition, @Nullable String version, @Nullable Instant after) {
    return new WorkflowRowQuery(definition, version, null, null, null, after, null, true, 9, null);
  }

  private List<String> page(WorkflowRowQuery query) {
    return await(workflows.page(query));
  }

  /** Returns what a reader of the tables finds. */
  private String first(String select) throws Exception {
    Database reader = await(Database.open(vertx, url, "reader", 2));
    String found =
        await(
            reader.transaction(
                connection -> {
                  try (PreparedStatement statement = connection.prepareStatement(select);
                      ResultSet row = statement.executeQuery()) {
                    return row.next() ? String.valueOf(row.getString(1)) : "nothing";
                  }
                }));
    await(reader.close());
    return found;
  }

  private void update(String sql) throws Exception {
    Database writer = await(Database.open(vertx, url, "writer", 2));
    int unused =
        await(
            writer.transaction(
                connection -> {
                  try (PreparedStatement statement = connection.prepareStatement(sql)) {
                    return statement.executeUpdate();
                  }
                }));
    await(writer.close());
  }

  @Test
  void aNewerVersionReplacesAnOlderOneAndNeverTheOtherWayRound() throws Exception {
    write(row(1, 5, "FAILED", "team", "a"));
    write(row(1, 9, "SUCCEEDED", "team", "b"), row(2, 1, "FAILED"));
    write(row(1, 5, "FAILED", "team", "a"));
    write(row(1, 9, "FAILED", "team", "a"));
    assertThat(await(workflows.find(id(1)))).contains("body 1.9");
    assertThat(page(label("team", "b"))).containsExactly("body 1.9");
    assertThat(page(label("team", "a"))).isEmpty();
    assertThat(page(query("FAILED", null, false, null))).containsExactly("body 2.1");
    assertThat(await(workflows.find(id(3)))).isEmpty();
    assertThat(await(workflows.find("no id"))).isEmpty();
    String steps =
        "from callboard_workflow_step s join callboard_workflow w on w.id = s.workflow_id";
    assertThat(first("select output %s where version = 9 and step = 'a'".formatted(steps)))
        .isEqualTo("{\"n\":9}");
    assertThat(first("select count(*) " + steps)).isEqualTo("4");
    assertThat(first("select count(*) from callboard_workflow_event")).isEqualTo("4");
  }

  @Test
  void pagesFollowTheIdsInBothDirections() {
    for (int i = 1; i <= 5; i++) {
      write(row(i, 1, i < 4 ? "SUCCEEDED" : "FAILED"));
    }
    assertThat(page(query(null, null, false, null))).containsExactly("body 5.1", "body 4.1");
    assertThat(page(query(null, null, false, 4))).containsExactly("body 3.1", "body 2.1");
    assertThat(page(query(null, null, true, 3))).containsExactly("body 4.1", "body 5.1");
    assertThat(page(query("SUCCEEDED", null, false, 3))).containsExactly("body 2.1", "body 1.1");
    assertThat(page(of("odd", null, null))).containsExactly("body 1.1", "body 3.1", "body 5.1");
    assertThat(page(of(null, "v1", null))).containsExactly("body 1.1", "body 4.1");
    assertThat(page(of(null, null, BEGIN.plusSeconds(3)))).containsExactly("body 4.1", "body 5.1");
  }

  @Test
  void textIsFoundInsideWordsAndHasNoWildcards() {
    write(row(1, 1, "FAILED", "team", "100%_blue"), row(2, 1, "FAILED", "team", "green"));
    assertThat(page(query(null, "am=gre", false, null))).containsExactly("body 2.1");
    assertThat(page(query(null, "0%_b", false, null))).containsExactly("body 1.1");
    assertThat(page(query(null, "g_een", false, null))).isEmpty();
    assertThat(page(query(null, id(2).substring(4), false, null))).containsExactly("body 2.1");
    assertThat(page(label("team", null))).hasSize(2);
    assertThat(page(label("team", "green"))).containsExactly("body 2.1");
  }

  @Test
  void invalidCharactersAreReplacedAndARefusedInstanceHindersNone() {
    write(row(1, 1, "FAILED", "team\0", "x\0 \ud800"));
    assertThat(await(workflows.find(id(1)))).isPresent();
    WorkflowRow good = row(2, 1, "FAILED");
    WorkflowRow bad = row(3, 1, "a state of more than thirty characters");
    assertThat(await(workflows.write(List.of(bad, good)))).containsOnlyKeys(bad.id());
    assertThat(await(workflows.find(good.id()))).contains("body 2.1");
    assertThat(await(workflows.find(bad.id()))).isEmpty();
  }

  @Test
  void aDeletionIsRememberedForADay() throws Exception {
    assertThat(await(workflows.delete(id(1)))).isFalse();
    assertThat(await(workflows.write(List.of(row(1, 1, "FAILED"), row(2, 1, "FAILED")))))
        .containsOnlyKeys(id(1));
    assertThat(first("select count(*) from callboard_workflow")).isEqualTo("1");
    assertThat(first("select count(*) from callboard_workflow_step")).isEqualTo("2");
    await(workflows.sweepDeleted());
    assertThat(first("select count(*) from callboard_deleted")).isEqualTo("1");
    update(
        "insert into callboard_deleted (id, deleted_at) values ('%s', current_timestamp)"
            .formatted(id(2)));
    await(workflows.sweepDeleted());
    assertThat(first("select count(*) from callboard_workflow"))
        .as("rows whose deletion was recorded by a node that died then")
        .isEqualTo("0");
    update("update callboard_deleted set deleted_at = deleted_at - interval '2' day");
    await(workflows.sweepDeleted());
    assertThat(first("select count(*) from callboard_deleted")).isEqualTo("0");
    write(row(1, 1, "FAILED"));
  }

  @Test
  void instancesAreDeletedWholeByIdAndByAge() throws Exception {
    for (int i = 1; i <= 5; i++) {
      write(row(i, 1, i == 1 ? "FAILED" : "SUCCEEDED", "team", "a"));
    }
    assertThat(await(workflows.delete(id(5)))).isTrue();
    assertThat(await(workflows.delete(id(5)))).isFalse();
    assertThat(await(workflows.delete("no id"))).isFalse();
    Instant before = BEGIN.plusSeconds(4);
    assertThat(await(workflows.deleteEnded("SUCCEEDED", before, 1))).isEqualTo(1);
    assertThat(await(workflows.find(id(2)))).as("the oldest").isEmpty();
    assertThat(await(workflows.deleteEnded("SUCCEEDED", before, 9))).isZero();
    assertThat(page(label("team", "a"))).containsExactly("body 4.1", "body 3.1", "body 1.1");
    assertThat(first("select count(*) from callboard_workflow_step")).isEqualTo("6");
    assertThat(first("select count(*) from callboard_workflow_event")).isEqualTo("6");
    assertThat(first("select count(*) from callboard_workflow_label")).isEqualTo("3");
  }
}
