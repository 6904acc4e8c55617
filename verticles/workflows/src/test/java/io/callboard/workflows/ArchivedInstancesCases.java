package io.callboard.workflows;

import static io.callboard.testkit.Futures.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import io.callboard.Callboard;
import io.callboard.archive.Archive;
import io.callboard.grid.Grid;
import io.callboard.grid.GridOptions;
import io.callboard.jobs.Jobs;
import io.callboard.jobs.model.JobsOptions;
import io.callboard.part.StartedParts;
import io.callboard.testkit.Eventually;
import io.callboard.testkit.NodesExtension;
import io.callboard.workflows.definition.Workflow;
import io.callboard.workflows.model.Instance;
import io.callboard.workflows.model.InstanceChange;
import io.callboard.workflows.model.InstanceRow;
import io.callboard.workflows.model.InstanceState;
import io.callboard.workflows.model.WorkflowException;
import io.callboard.workflows.model.WorkflowException.Code;
import io.callboard.workflows.model.WorkflowPage;
import io.callboard.workflows.model.WorkflowQuery;
import io.callboard.workflows.model.WorkflowRetention;
import io.callboard.workflows.model.WorkflowWhy;
import io.callboard.workflows.model.WorkflowsOptions;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Real instances that go to a database as soon as they have ended, for any database. */
abstract class ArchivedInstancesCases {
  private static final JsonNodeFactory JSON = JsonNodeFactory.instance;
  private static final Duration DAY = Duration.ofDays(1);
  private static final Duration PASSES = Duration.ofMillis(100);
  private static final Duration LISTS_PAUSE = Duration.ofMillis(500);

  /** Nothing that has ended stays in the cell. */
  private static final WorkflowRetention NONE = new WorkflowRetention(0, DAY);

  @RegisterExtension final NodesExtension nodes = new NodesExtension();

  private final Vertx vertx = Vertx.vertx();
  private final Promise<JsonNode> held = Promise.promise();
  private volatile boolean failing = true;
  private volatile boolean holds;
  private Archive archive;
  private FaultyInstanceHistory history;
  private Callboard node;
  private Jobs jobs;
  private Workflows workflows;

  /** Returns the URL of an empty database or schema of that name. */
  abstract String url(String name) throws Exception;

  @BeforeEach
  void start(TestInfo test) throws Exception {
    archive = await(Archive.open(vertx, url(test.getTestMethod().orElseThrow().getName())));
    history = new FaultyInstanceHistory(archive.workflows());
  }

  @AfterEach
  void stop() {
    held.tryComplete();
    await(workflows.close());
    await(jobs.close());
    nodes.close();
    await(archive.close());
    await(vertx.close());
  }

  private void open(String name, WorkflowRetention retention) throws Exception {
    node = nodes.open(name);
    String home = UUID.randomUUID().toString();
    Path data = Files.createDirectories(Path.of("target", "archive-test", home));
    Grid grid = await(Grid.start(node, GridOptions.DEFAULT));
    jobs =
        await(
            StartedParts.of(node, data, home)
                .start(Jobs.part(JobsOptions.DEFAULT.slots(4).queueLimit(50))));
    workflows =
        await(
            Workflows.start(
                node,
                grid,
                jobs,
                WorkflowsOptions.DEFAULT.retention(retention.every(PASSES)),
                history,
                LISTS_PAUSE));
    workflows.workers().handle("echo", step -> Future.succeededFuture(step.input()));
    workflows.workers().handle("fail", step -> failing ? Future.failedFuture("no") : hold(step));
    define(Workflow.define("good").step("a", "handler:echo", s -> s));
    define(
        Workflow.define("wrong")
            .step("a", "handler:echo", s -> s)
            .step("b", "handler:fail", s -> s.after("a"))
            .step("c", "handler:echo", s -> s.after("b")));
  }

  /** Holds a step until the test ends it, or its node does. */
  private Future<JsonNode> hold(StepContext step) {
    holds = true;
    return Future.any(held.future(), step.cancelled())
        .map(ended -> held.future().isComplete() ? held.future().result() : JSON.nullNode());
  }

  private void define(Workflow workflow) {
    assertThat(await(workflows.put(workflow.build().definition())).version()).isNotEmpty();
  }

  private void reopen(String name, WorkflowRetention retention) throws Exception {
    await(workflows.close());
    await(jobs.close());
    nodes.close(node);
    open(name, retention);
  }

  private String begin(String definition, Map<String, String> labels) {
    StartRequest request =
        new StartRequest(definition, null, JSON.objectNode().put("n", 1), null, 5, labels);
    return await(workflows.run(request)).id();
  }

  private Instance end(String definition, Map<String, String> labels) {
    String id = begin(definition, labels);
    Eventually.assertThat(
        () -> assertThat(await(workflows.instance(id)).state().isEnded()).isTrue());
    return await(workflows.instance(id));
  }

  private Instance end(String definition) {
    return end(definition, Map.of());
  }

  private long inCell() {
    return await(workflows.counts()).stream().mapToLong(count -> count.count()).sum();
  }

  private void isArchived(String id) {
    Eventually.assertThat(
        () -> {
          assertThat(await(archive.workflows().find(id))).isPresent();
          assertThat(inCell()).isZero();
        });
  }

  private static void fails(Future<?> future, Code code, String message) {
    assertThatThrownBy(() -> await(future))
        .isInstanceOfSatisfying(WorkflowException.class, e -> assertThat(e.code()).isEqualTo(code))
        .hasMessageContaining(message);
  }

  private static WorkflowQuery query(
      @Nullable InstanceState state, @Nullable String label, @Nullable String text) {
    return new WorkflowQuery(null, null, state, label, null, text, false, 100, null);
  }

  /** Returns a page of all that was asked: an index or a database that is late is asked again. */
  private WorkflowPage whole(WorkflowQuery query) {
    AtomicReference<WorkflowPage> whole = new AtomicReference<>();
    Eventually.assertThat(
        () -> {
          WorkflowPage page = await(workflows.list(query));
          assertThat(page.partial()).as("partial, without %s", page.missing()).isFalse();
          whole.set(page);
        });
    return whole.get();
  }

  private List<String> listed(WorkflowQuery query) {
    return whole(query).items().stream().map(InstanceRow::id).toList();
  }

  @Test
  void aRowThatCannotBeReadHidesNoOther() throws Exception {
    open("n1", NONE);
    List<String> all = new ArrayList<>();
    for (int i = 0; i < 6; i++) {
      all.add(begin("good", Map.of()));
    }
    all.forEach(this::isArchived);
    all.sort(Comparator.reverseOrder());
    history.unreadable = Set.of(all.get(0), all.get(2), all.get(5));
    List<String> seen = new ArrayList<>();
    String cursor = null;
    do {
      WorkflowPage page =
          whole(new WorkflowQuery(null, null, null, null, null, null, false, 2, cursor));
      page.items().forEach(row -> seen.add(row.id()));
      cursor = page.next();
    } while (cursor != null);
    assertThat(seen).containsExactly(all.get(1), all.get(3), all.get(4));
  }

  @Test
  void anEndedInstanceIsReadAsBeforeThoughTheCellHasNothingOfIt() throws Exception {
    open("n1", new WorkflowRetention(10, DAY));
    Instance before = end("wrong", Map.of("team", "a"));
    List<InstanceChange> events = await(workflows.events(before.id()));
    WorkflowWhy why = await(workflows.why(before.id()));
    InstanceRow row = whole(WorkflowQuery.newest(1)).items().get(0);
    reopen("n2", NONE);
    isArchived(before.id());
    Instance after = await(workflows.instance(before.id()));
    assertThat(after).isEqualTo(before);
    assertThat(after.state()).isEqualTo(InstanceState.FAILED);
    assertThat(String.valueOf(after.steps().get("a").output())).contains("{\"n\":1}");
    assertThat(List.copyOf(after.steps().keySet())).containsExactly("a", "b", "c");
    assertThat(await(workflows.events(before.id()))).isEqualTo(events).isNotEmpty();
    assertThat(await(workflows.why(before.id()))).isEqualTo(why);
    assertThat(whole(WorkflowQuery.newest(1)).items()).containsExactly(row);
    fails(workflows.cancel(before.id()), Code.ILLEGAL_STATE, "FAILED: it cannot be cancelled");
    fails(workflows.retry(before.id()), Code.ILLEGAL_STATE, "is FAILED and archived");
    fails(workflows.rerunFrom(before.id(), "a"), Code.ILLEGAL_STATE, "start another one");
    assertThat(await(workflows.delete(before.id()))).isEqualTo(before);
    fails(workflows.instance(before.id()), Code.NOT_FOUND, before.id());
    fails(workflows.events(before.id()), Code.NOT_FOUND, before.id());
    fails(workflows.why(before.id()), Code.NOT_FOUND, before.id());
    fails(workflows.retry(before.id()), Code.NOT_FOUND, before.id());
    fails(workflows.delete(before.id()), Code.NOT_FOUND, before.id());
    assertThat(listed(WorkflowQuery.newest(9))).isEmpty();
  }

  @Test
  void aListHasLiveAndArchivedInstancesUnderOneCursor() throws Exception {
    open("n1", new WorkflowRetention(3, DAY));
    List<String> all = new ArrayList<>();
    List<String> bad = new ArrayList<>();
    failing = false; // it runs while others end
    String runs = begin("wrong", Map.of("team", "runs"));
    all.add(runs);
    Eventually.isTrue("its handler holds it", () -> holds);
    failing = true;
    for (int i = 0; i < 9; i++) {
      String id = end(i % 2 == 0 ? "good" : "wrong", Map.of("team", "T" + i % 3)).id();
      all.add(id);
      if (i % 2 == 1) {
        bad.add(id);
      }
    }
    Eventually.assertThat(() -> assertThat(inCell()).isEqualTo(4));
    assertThat(pages(true, 2)).isEqualTo(all);
    Collections.reverse(all);
    Collections.reverse(bad);
    assertThat(pages(false, 2)).isEqualTo(all);
    assertThat(pages(false, 3)).isEqualTo(all);
    assertThat(pages(false, 100)).isEqualTo(all);
    assertThat(listed(query(InstanceState.FAILED, null, null))).isEqualTo(bad);
    assertThat(listed(query(InstanceState.RUNNING, null, null))).containsExactly(runs);
    assertThat(listed(query(null, "team=T2", null)))
        .containsExactly(all.get(0), all.get(3), all.get(6));
    assertThat(listed(query(null, "team", null))).hasSize(10);
    assertThat(listed(query(null, null, "tEAM=t2"))).hasSize(3);
    assertThat(listed(query(null, null, "WRONG"))).hasSize(5);
    WorkflowQuery wrong =
        new WorkflowQuery(null, null, null, null, null, null, false, 9, "nonsense");
    fails(workflows.list(wrong), Code.INVALID, "\"nonsense\" is not a cursor of this list");
  }

  private List<String> pages(boolean ascending, int limit) {
    List<String> seen = new ArrayList<>();
    String cursor = null;
    do {
      WorkflowPage page =
          whole(new WorkflowQuery(null, null, null, null, null, null, ascending, limit, cursor));
      assertThat(page.items()).hasSizeLessThanOrEqualTo(limit);
      page.items().forEach(row -> seen.add(row.id()));
      cursor = page.next();
    } while (cursor != null);
    return seen;
  }

  @Test
  void aDatabaseThatIsAwayCostsNothingButRoom() throws Exception {
    open("n1", NONE);
    String before = end("good").id();
    isArchived(before);
    assertThat(workflows.archive().awaySince()).isNull();
    history.away = true;
    List<String> meanwhile = new ArrayList<>();
    for (int i = 0; i < 4; i++) {
      meanwhile.add(end(i == 0 ? "wrong" : "good").id());
    }
    Eventually.assertThat(
        () -> {
          assertThat(workflows.archive().awaySince()).isNotNull();
          assertThat(workflows.archive().cause()).contains("the database is away");
          assertThat(workflows.archive().ended()).isEqualTo(4);
        });
    WorkflowPage partial = await(workflows.list(WorkflowQuery.newest(50)));
    assertThat(partial.partial()).isTrue();
    assertThat(partial.items()).extracting(InstanceRow::id).hasSameElementsAs(meanwhile);
    fails(workflows.instance(before), Code.UNAVAILABLE, "does not answer");
    fails(workflows.delete(before), Code.UNAVAILABLE, "does not answer");
    fails(workflows.delete(meanwhile.get(3)), Code.UNAVAILABLE, "does not answer");
    assertThat(await(workflows.instance(meanwhile.get(3))).id()).isEqualTo(meanwhile.get(3));
    history.away = false;
    assertThat(await(workflows.delete(meanwhile.get(3))).id()).isEqualTo(meanwhile.get(3));
    meanwhile.subList(0, 3).forEach(this::isArchived);
    Eventually.assertThat(
        () -> {
          assertThat(workflows.archive().awaySince()).isNull();
          WorkflowPage page = await(workflows.list(WorkflowQuery.newest(50)));
          assertThat(page.partial()).isFalse();
          assertThat(page.items()).hasSize(4);
        });
    fails(workflows.instance(meanwhile.get(3)), Code.NOT_FOUND, "there is no instance");
  }

  @Test
  void aWrittenInstanceIsInTheCellUntilTheNextNodeRemovesIt() throws Exception {
    open("n1", NONE);
    history.mute = true; // its node hears nothing of the transaction that it has committed
    Instance good = end("good");
    Instance bad = end("wrong");
    Eventually.assertThat(() -> assertThat(history.writes).hasValueGreaterThanOrEqualTo(1));
    reopen("n2", NONE); // which hears nothing either, but has written both
    Eventually.assertThat(() -> assertThat(history.writes).hasValueGreaterThanOrEqualTo(3));
    assertThat(await(archive.workflows().find(bad.id()))).isPresent();
    assertThat(inCell()).isEqualTo(2);
    assertThat(listed(WorkflowQuery.newest(9))).containsExactly(bad.id(), good.id());
    failing = false;
    assertThat(await(workflows.retry(bad.id())).state()).isEqualTo(InstanceState.RUNNING);
    Eventually.assertThat(
        () ->
            assertThat(listed(query(InstanceState.RUNNING, null, null))).containsExactly(bad.id()));
    assertThat(listed(query(InstanceState.FAILED, null, null)))
        .as("its row is of its former end")
        .isEmpty();
    history.mute = false;
    reopen("n3", NONE);
    Eventually.assertThat(() -> assertThat(inCell()).isEqualTo(1));
    held.complete(JSON.textNode("end"));
    isArchived(good.id());
    isArchived(bad.id());
    assertThat(await(workflows.instance(good.id()))).isEqualTo(good);
    assertThat(await(workflows.instance(bad.id())).state()).isEqualTo(InstanceState.SUCCEEDED);
    assertThat(listed(query(InstanceState.SUCCEEDED, null, null)))
        .containsExactly(bad.id(), good.id());
    assertThat(listed(query(InstanceState.FAILED, null, null))).isEmpty();
  }

  @Test
  void anInstanceThatIsDeletedWhileItsRowIsWrittenLeavesNoRow() throws Exception {
    open("n1", NONE);
    Promise<String> begun = Promise.promise();
    history.before = () -> begun.future().compose(workflows::delete);
    String id = begin("good", Map.of());
    begun.complete(id);
    Eventually.assertThat(() -> assertThat(history.writes).hasValue(1));
    Eventually.assertThat(() -> assertThat(await(archive.workflows().find(id))).isEmpty());
    fails(workflows.instance(id), Code.NOT_FOUND, "there is no instance");
    assertThat(inCell()).isZero();
  }

  @Test
  void aRefusedInstanceStaysInTheCellAndHindersNoOther() throws Exception {
    open("n1", new WorkflowRetention(10, DAY));
    String refused = end("good").id();
    List<String> others = List.of(end("good").id(), end("wrong").id());
    history.refused = refused;
    reopen("n2", NONE);
    Eventually.assertThat(
        () -> {
          for (String id : others) {
            assertThat(await(archive.workflows().find(id))).isPresent();
          }
          assertThat(inCell()).isEqualTo(1);
        });
    assertThat(await(archive.workflows().find(refused))).isEmpty();
    assertThat(await(workflows.instance(refused)).state()).isEqualTo(InstanceState.SUCCEEDED);
    assertThat(listed(WorkflowQuery.newest(9))).hasSize(3).contains(refused);
  }

  @Test
  void theDatabaseForgetsSuccessesSoonerThanOthers() throws Exception {
    open("n1", NONE);
    String good = end("good").id();
    String bad = end("wrong").id();
    isArchived(good);
    isArchived(bad);
    reopen("n2", NONE.rows(Duration.ZERO, DAY));
    Eventually.assertThat(() -> assertThat(await(archive.workflows().find(good))).isEmpty());
    assertThat(await(workflows.instance(bad)).state()).isEqualTo(InstanceState.FAILED);
    fails(workflows.instance(good), Code.NOT_FOUND, "there is no instance");
  }
}
