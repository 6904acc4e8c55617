package io.callboard.dashboard;

import static io.callboard.testkit.Futures.await;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.callboard.ActorOptions;
import io.callboard.Callboard;
import io.callboard.cell.NodeVersion;
import io.callboard.grid.Grid;
import io.callboard.grid.GridOptions;
import io.callboard.store.memory.MemoryStore;
import io.callboard.testkit.Eventually;
import io.callboard.testkit.NodesExtension;
import io.callboard.testkit.SampleActors;
import io.callboard.testkit.SampleActors.Add;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** Roles and draining over REST, on two nodes of one cell. */
@Tag("real")
class GridApiTest {
  @RegisterExtension final NodesExtension nodes = new NodesExtension();

  private TestNode node;
  private Callboard other;

  @BeforeEach
  void open(@TempDir Path data) {
    GridOptions timing = TestNode.scanningOften();
    node = new TestNode(data, TestNode.options(), new MemoryStore(nodes.cell()), timing);
    await(node.grid.role("clerk", SampleActors.Counter::new, new ActorOptions()));
    other = nodes.open("node-b");
    Grid grid = await(Grid.start(other, timing));
    await(grid.role("clerk", SampleActors.Counter::new, new ActorOptions()));
  }

  @AfterEach
  void close() {
    node.close();
  }

  private JsonNode role() {
    JsonNode items = TestNode.json(node.get("/api/v1/roles")).path("items");
    assertThat(items).extracting(item -> item.path("name").asText()).contains("clerk");
    return items.get(0).path("name").asText().equals("clerk") ? items.get(0) : items.get(1);
  }

  private static String holder(JsonNode role) {
    return role.path("holder").asText();
  }

  @Test
  void aRoleTellsItsHolderAndStandbyAndIsHandedOver() {
    Eventually.assertThat(() -> assertThat(role().path("standby").asText()).isEqualTo("node-b"));
    assertThat(holder(role())).isEqualTo("node-a");
    assertThat(role().path("epoch").asInt()).isEqualTo(1);
    HttpResponse<String> accepted = node.post("/api/v1/roles/clerk/failover", "");
    assertThat(accepted.statusCode()).isEqualTo(202);
    Eventually.assertThat(
        () -> {
          assertThat(holder(role())).isEqualTo("node-b");
          assertThat(role().path("failovers")).hasSize(2);
        });
    JsonNode last = role().path("failovers").get(1);
    assertThat(last.path("from").asText()).isEqualTo("node-a");
    assertThat(last.path("to").asText()).isEqualTo("node-b");
    assertThat(last.path("cause").asText()).isEqualTo("GIVEN_BACK");
    assertThat(last.path("gap").asText()).startsWith("PT");
  }

  @Test
  void findingsOfTheMonitorAreAmongTheFigures() {
    Eventually.assertThat(
        () -> {
          JsonNode findings = TestNode.json(node.get("/api/v1/stats")).path("findings");
          assertThat(findings.path("items").isArray()).isTrue();
          assertThat(findings.path("by").asText()).isEqualTo("node-a");
        });
  }

  @Test
  void takeoversAndFindingsOfTheNodeAreMeasured() {
    String finding = "callboard_grid_findings{kind=\"MAIL_FOR_NOBODY\"}";
    Eventually.assertThat(
        () ->
            assertThat(PrometheusText.read(node.get("/metrics").body()).samples)
                .containsEntry(finding, 0.0)
                .containsEntry("callboard_owned_taken_total{cause=\"GIVEN_BACK\"}", 0.0));
    await(other.durableRef("/nobody/there", Add.class).tell(new Add(1)));
    Eventually.assertThat(
        () ->
            assertThat(PrometheusText.read(node.get("/metrics").body()).samples)
                .containsEntry(finding, 1.0));
    assertThat(node.post("/api/v1/roles/grid-monitor/failover", "").statusCode()).isEqualTo(202);
    Eventually.assertThat(
        () ->
            assertThat(PrometheusText.read(node.get("/metrics").body()).samples)
                .doesNotContainKey(finding)
                .containsEntry("callboard_owned_left_total", 1.0));
  }

  @Test
  void aRoleThatCannotBeHandedOverIsRefused() {
    assertThat(node.post("/api/v1/roles/nobody/failover", "").statusCode()).isEqualTo(404);
    await(other.close());
    HttpResponse<String> alone = node.post("/api/v1/roles/clerk/failover", "");
    assertThat(alone.statusCode()).isEqualTo(409);
    assertThat(alone.body()).contains("no standby");
  }

  @Test
  void aHostIsDrainedAndTakesItsShareAgain() {
    HttpResponse<String> accepted = node.post("/api/v1/hosts/node-a/drain", "");
    assertThat(accepted.statusCode()).isEqualTo(202);
    assertThat(TestNode.json(accepted).path("draining").asBoolean()).isTrue();
    Eventually.assertThat(
        () -> {
          assertThat(holder(role())).isEqualTo("node-b");
          JsonNode host = TestNode.json(node.get("/api/v1/hosts")).path("items").get(0);
          assertThat(host.path("name").asText()).isEqualTo("node-a");
          assertThat(host.path("draining").asBoolean()).isTrue();
          assertThat(host.path("version").asText()).isEqualTo(NodeVersion.version());
          assertThat(host.path("machine").asText()).as("the name of this host").isNotEmpty();
        });
    assertThat(node.post("/api/v1/hosts/node-a/undrain", "").statusCode()).isEqualTo(202);
    Eventually.assertThat(() -> assertThat(role().path("standby").asText()).isEqualTo("node-a"));
    assertThat(node.post("/api/v1/hosts/stranger/drain", "").statusCode()).isEqualTo(404);
  }
}
