package io.callboard.workflows;

import static io.callboard.testkit.Futures.await;
import static io.callboard.workflows.Answers.answer;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import io.callboard.testkit.Eventually;
import io.callboard.workflows.ClusterNodes.ClusterNode;
import io.callboard.workflows.definition.Workflow;
import io.callboard.workflows.internal.actor.InstanceActor;
import io.callboard.workflows.internal.protocol.InstanceAnswer;
import io.callboard.workflows.internal.protocol.InstanceCommand;
import io.callboard.workflows.model.InstanceRow;
import io.callboard.workflows.model.WorkflowException;
import io.callboard.workflows.model.WorkflowPage;
import io.callboard.workflows.model.WorkflowQuery;
import io.callboard.workflows.model.WorkflowRetention;
import io.callboard.workflows.model.WorkflowsOptions;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Retention of ended instances, by real nodes. */
@Tag("real")
class InstanceRetentionTest {
  private static final JsonNodeFactory JSON = JsonNodeFactory.instance;
  private static final Duration LONG = Duration.ofSeconds(60);
  private static final Duration WEEK = Duration.ofDays(7);
  private static final Duration PASSES = Duration.ofMillis(100);

  private final Map<String, OpenNode> nodes = new LinkedHashMap<>();
  private final Promise<JsonNode> held = Promise.promise();
  private ClusterNodes cluster;

  /** Node with the whole engine. */
  private record OpenNode(ClusterNode node, OpenEngine engine) {
    Workflows workflows() {
      return engine.workflows();
    }

    void close() {
      engine.close();
      node.close();
    }
  }

  @BeforeEach
  void start() throws Exception {
    cluster = new ClusterNodes();
  }

  @AfterEach
  void stop() {
    held.tryComplete();
    nodes.values().forEach(OpenNode::close);
    cluster.close();
  }

  private Workflows open(String name, WorkflowRetention retention) throws Exception {
    ClusterNode node = cluster.open(name);
    OpenEngine engine =
        OpenEngine.on(
            node.callboard(),
            node.grid(),
            WorkflowsOptions.DEFAULT.retention(retention.every(PASSES)));
    Workflows workflows = engine.workflows();
    workflows.workers().handle("echo", step -> Future.succeededFuture(step.input()));
    workflows.workers().handle("fail", step -> Future.failedFuture("no"));
    workflows.workers().handle("hold", step -> held.future());
    nodes.put(name, new OpenNode(node, engine));
    return workflows;
  }

  private static void put(Workflows workflows, Workflow workflow) {
    assertThat(await(workflows.put(workflow.build().definition())).isNew()).isTrue();
  }

  private static void definitions(Workflows workflows) {
    put(workflows, Workflow.define("good").step("a", "handler:echo", s -> s));
    put(workflows, Workflow.define("bad").step("a", "handler:fail", s -> s));
    put(workflows, Workflow.define("long").step("a", "handler:hold", s -> s));
  }

  private static String begin(Workflows workflows, String definition) {
    return await(workflows.run(StartRequest.of(definition, JSON.objectNode()))).id();
  }

  /** Runs an instance to its end; it may be gone by then. */
  private static String end(Workflows workflows, String definition) {
    String id = begin(workflows, definition);
    Eventually.assertThat(() -> assertThat(hasEnded(workflows, id)).isTrue());
    return id;
  }

  private static boolean hasEnded(Workflows workflows, String id) {
    try {
      return answer(workflows.instance(id)).state().isEnded();
    } catch (WorkflowException e) {
      if (e.code() == WorkflowException.Code.NOT_FOUND) {
        return true;
      }
      throw e;
    }
  }

  private static Set<String> listed(Workflows workflows) {
    return new TreeSet<>(
        whole(workflows, WorkflowQuery.newest(200)).stream().map(InstanceRow::id).toList());
  }

  /** Returns what all nodes answer: one that is late is asked again. */
  private static List<InstanceRow> whole(Workflows workflows, WorkflowQuery query) {
    AtomicReference<List<InstanceRow>> rows = new AtomicReference<>();
    Eventually.assertThat(
        () -> {
          WorkflowPage page = answer(workflows.list(query));
          assertThat(page.partial()).as("partial, without %s", page.missing()).isFalse();
          rows.set(page.items());
        });
    return rows.get();
  }

  /** Returns the change of the newest instance that the lists show. */
  private static long change(Workflows workflows) {
    return whole(workflows, WorkflowQuery.newest(1)).get(0).change();
  }

  private static void remain(Workflows workflows, List<String> ids) {
    Eventually.assertThat(() -> assertThat(listed(workflows)).isEqualTo(new TreeSet<>(ids)));
  }

  private static void isGone(Workflows workflows, String id) {
    assertThatThrownBy(() -> await(workflows.instance(id)))
        .isInstanceOfSatisfying(
            WorkflowException.class,
            e -> assertThat(e.code()).isEqualTo(WorkflowException.Code.NOT_FOUND));
  }

  @Test
  void theOldestSuccessesOfAllNodesGoFirst() throws Exception {
    WorkflowRetention four = new WorkflowRetention(4, WEEK);
    Workflows one = open("one", four);
    Workflows two = open("two", four);
    Workflows three = open("three", four);
    definitions(one);
    List<String> bad = new ArrayList<>();
    List<String> good = new ArrayList<>();
    for (int i = 0; i < 12; i++) {
      Workflows on = List.of(one, two, three).get(i % 3);
      if (i < 2) {
        bad.add(end(on, "bad"));
      } else {
        good.add(end(on, "good"));
        Set<String> left = listed(one);
        assertThat(left).containsAll(bad).hasSizeGreaterThanOrEqualTo(Math.min(4, i + 1));
      }
    }
    List<String> expected = new ArrayList<>(bad);
    expected.addAll(good.subList(good.size() - 2, good.size()));
    remain(one, expected);
    good.subList(0, good.size() - 2).forEach(id -> isGone(three, id));
    for (int i = 0; i < 5; i++) { // as many others as may stay: then the oldest of these go
      bad.add(end(two, "bad"));
    }
    remain(three, bad.subList(bad.size() - 4, bad.size()));
  }

  @Test
  void anInstanceThatIsTooOldIsRemovedUnlessItRuns() throws Exception {
    Workflows workflows = open("one", new WorkflowRetention(100, Duration.ofMillis(500)));
    definitions(workflows);
    String runs = begin(workflows, "long");
    String good = end(workflows, "good");
    String bad = end(workflows, "bad");
    remain(workflows, List.of(runs));
    isGone(workflows, good);
    isGone(workflows, bad);
  }

  @Test
  void anInstanceStaysWhileItsParentRuns() throws Exception {
    Workflows workflows = open("one", new WorkflowRetention(0, WEEK));
    definitions(workflows);
    put(
        workflows,
        Workflow.define("parent")
            .step("a", "subworkflow:good", s -> s)
            .step("b", "handler:hold", s -> s.after("a")));
    String parent = begin(workflows, "parent");
    String child = String.valueOf(await(workflows.instance(parent)).steps().get("a").child());
    Eventually.assertThat(
        () -> assertThat(answer(workflows.instance(child)).state().isEnded()).isTrue());
    String other = end(workflows, "good");
    remain(workflows, List.of(parent, child));
    isGone(workflows, other);
    held.complete(JSON.textNode("end"));
    remain(workflows, List.of());
    isGone(workflows, child);
    isGone(workflows, parent);
  }

  @Test
  void instancesBeyondTheLimitAfterARestartGo() throws Exception {
    Workflows before = open("one", WorkflowRetention.DEFAULT);
    definitions(before);
    String bad = end(before, "bad");
    List<String> good = new ArrayList<>();
    for (int i = 0; i < 6; i++) {
      good.add(end(before, "good"));
    }
    remain(
        before,
        List.of(bad, good.get(0), good.get(1), good.get(2), good.get(3), good.get(4), good.get(5)));
    nodes.remove("one").close();
    Workflows after = open("two", new WorkflowRetention(3, WEEK));
    remain(after, List.of(bad, good.get(4), good.get(5)));
  }

  @Test
  void anInstanceThatHasChangedStays() throws Exception {
    Workflows workflows = open("one", WorkflowRetention.DEFAULT);
    definitions(workflows);
    String id = end(workflows, "bad");
    Eventually.assertThat(() -> assertThat(listed(workflows)).contains(id));
    long change = change(workflows);
    assertThat(await(workflows.retry(id)).id()).isEqualTo(id);
    Eventually.assertThat(() -> assertThat(hasEnded(workflows, id)).isTrue());
    assertThat(expire(id, change)).isFalse();
    Eventually.assertThat(() -> assertThat(change(workflows)).isGreaterThan(change));
    long now = change(workflows);
    assertThat(expire(id, now)).isTrue();
    isGone(workflows, id);
    assertThat(expire(id, now)).as("it is gone already").isTrue();
    isGone(workflows, id);
    remain(workflows, List.of());
  }

  private boolean expire(String id, long change) {
    InstanceAnswer answer =
        await(
            nodes
                .get("one")
                .node()
                .callboard()
                .durableRef(InstanceActor.path(id), InstanceCommand.class)
                .ask(new InstanceCommand.Expire(change), InstanceAnswer.class, LONG));
    return ((InstanceAnswer.Expired) answer).gone();
  }
}
