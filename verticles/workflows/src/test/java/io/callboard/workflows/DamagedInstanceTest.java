package io.callboard.workflows;

import static io.callboard.testkit.Futures.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import io.callboard.CallboardException;
import io.callboard.codecs.ActorPath;
import io.callboard.testkit.Eventually;
import io.callboard.workflows.ClusterNodes.ClusterNode;
import io.callboard.workflows.definition.Workflow;
import io.callboard.workflows.internal.actor.InstanceActor;
import io.callboard.workflows.internal.actor.StartFailures;
import io.callboard.workflows.internal.protocol.InstanceCommand;
import io.callboard.workflows.model.WorkflowException;
import io.callboard.workflows.model.WorkflowsOptions;
import io.callboard.zookeeper.internal.layout.CellFormat;
import io.callboard.zookeeper.internal.layout.Layout;
import io.vertx.core.Promise;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.apache.zookeeper.ZKUtil;
import org.apache.zookeeper.ZooKeeper;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Instance whose journal is damaged: what is told of it, and the way out that the runbook names.
 */
@Tag("real")
class DamagedInstanceTest {
  private static final Layout LAYOUT = new Layout("/callboard/main", CellFormat.DEFAULT_PARTITIONS);

  private final List<String> ran = new CopyOnWriteArrayList<>();

  private Workflows serve(OpenEngine engine) {
    Workflows workflows = engine.workflows();
    workflows
        .workers()
        .handle(
            "hang",
            step -> {
              ran.add(step.step());
              return Promise.<JsonNode>promise().future();
            });
    return workflows;
  }

  private static List<String> mail(ZooKeeper raw, ActorPath actor) throws Exception {
    return raw.getChildren(LAYOUT.mailbox(actor, 0), false);
  }

  @Test
  void aDamagedInstanceNamesItsDamageAndGoesWithAllThatIsStored() throws Exception {
    try (ClusterNodes cluster = new ClusterNodes();
        ZooKeeper raw = new ZooKeeper(cluster.servers(), 20_000, event -> {})) {
      ClusterNode node = cluster.open("n1");
      OpenEngine engine = OpenEngine.on(node.callboard(), node.grid(), WorkflowsOptions.DEFAULT);
      Workflows workflows = serve(engine);
      Workflow hangs = Workflow.define("hangs").step("x", "handler:hang", s -> s);
      assertThat(await(workflows.put(hangs.build().definition())).isNew()).isTrue();
      String id = await(workflows.run(StartRequest.of("hangs"))).id();
      Eventually.assertThat(() -> assertThat(ran).contains("x"));
      engine.close();
      node.close();
      ActorPath actor = ActorPath.of(InstanceActor.path(id));
      for (String entry : raw.getChildren(LAYOUT.journal(actor), false)) {
        byte[] garbage = "garbage".getBytes(StandardCharsets.UTF_8);
        assertThat(raw.setData(LAYOUT.journal(actor) + "/" + entry, garbage, -1)).isNotNull();
      }

      ClusterNode next = cluster.open("n2");
      OpenEngine again = OpenEngine.on(next.callboard(), next.grid(), WorkflowsOptions.DEFAULT);
      Workflows reopened = serve(again);
      Duration asked = Duration.ofSeconds(10);
      CallboardException silence = CallboardException.timeout(actor, asked);
      Eventually.assertThat(
          () ->
              assertThatThrownBy(
                      () ->
                          await(
                              StartFailures.explain(
                                  next.callboard(),
                                  actor.toString(),
                                  "the instance " + id,
                                  asked,
                                  silence)))
                  .hasMessageStartingWith(
                      "the instance %s cannot be read: its actor %s cannot start: ", id, actor));

      ZKUtil.deleteRecursive(raw, LAYOUT.record(actor));
      ZKUtil.deleteRecursive(raw, LAYOUT.journal(actor));
      ZKUtil.deleteRecursive(raw, LAYOUT.mailbox(actor, 0));
      Eventually.assertThat(
          () ->
              assertThatThrownBy(() -> await(reopened.instance(id)))
                  .isInstanceOfSatisfying(
                      WorkflowException.class,
                      e -> assertThat(e.code()).isEqualTo(WorkflowException.Code.NOT_FOUND)));
      InstanceCommand late = new InstanceCommand.Lost("x", 1, "its worker died", Instant.EPOCH);
      await(next.callboard().durableRef(actor.toString(), InstanceCommand.class).tell(late));
      await(next.callboard().admin().restart(actor.toString())); // not only after its backoff
      Eventually.assertThat(
          () ->
              assertThatCode(() -> assertThat(mail(raw, actor)).as("mail").isEmpty())
                  .doesNotThrowAnyException());
      again.close();
      next.close();
    }
  }
}
