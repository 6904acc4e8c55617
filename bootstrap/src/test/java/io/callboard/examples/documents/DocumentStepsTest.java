package io.callboard.examples.documents;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.callboard.codecs.Json;
import io.callboard.testkit.Futures;
import io.callboard.workflows.StepContext;
import io.vertx.core.Future;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The steps without an engine: the test gives each what those before it have returned. */
class DocumentStepsTest {
  @TempDir Path directory;

  private Workspace workspace;
  private DocumentIndex index;
  private DocumentSteps steps;

  @BeforeEach
  void open() throws Exception {
    workspace = new Workspace(directory.resolve("work"));
    index = DocumentIndex.open(workspace.index());
    steps = new DocumentSteps(workspace, index, Gazetteer.bundled());
    Library.write(directory.resolve("library"));
  }

  @AfterEach
  void close() throws Exception {
    index.close();
  }

  /** Data of an instance, to which outputs are added. */
  private ObjectNode document(String name) {
    ObjectNode data = JsonNodeFactory.instance.objectNode();
    data.putObject("input").put("path", directory.resolve("library").resolve(name).toString());
    data.putObject("outputs");
    return data;
  }

  private JsonNode run(String step, JsonNode data, int attempt) throws Exception {
    return Futures.await(
        steps.handlers().get(step + "@1").run(new Call("instance", step, attempt, data)));
  }

  private void runAll(ObjectNode data, String... all) throws Exception {
    for (String step : all) {
      ((ObjectNode) data.path("outputs")).set(step, run(step, data, 2));
    }
  }

  record Call(String instance, String step, int attempt, JsonNode input) implements StepContext {
    @Override
    public int run() {
      return attempt;
    }

    @Override
    public String key() {
      return instance + "/" + step;
    }

    @Override
    public Future<JsonNode> output(String step) {
      return Future.succeededFuture(input().path("outputs").path(step));
    }

    @Override
    public JsonNode with() {
      return Json.tree(Map.of());
    }

    @Override
    public Future<Void> cancelled() {
      return Future.future(never -> {});
    }

    @Override
    public void heartbeat(JsonNode progress) {
      // nobody looks
    }
  }

  @Test
  void aPageIsCleanedAndIndexedAndItsFilesGo() throws Exception {
    ObjectNode data = document("ada-lovelace.html");
    runAll(data, "read", "clean", "links", "language", "entities", "index", "announce", "cleanup");
    assertThat(data.at("/outputs/read/kind").asText()).isEqualTo("HTML");
    assertThat(data.at("/outputs/clean/title").asText()).isEqualTo("Ada Lovelace");
    assertThat(index.all())
        .singleElement()
        .satisfies(
            entry -> {
              assertThat(entry.name()).isEqualTo("ada-lovelace.html");
              assertThat(entry.language()).isEqualTo("en");
              assertThat(entry.entities()).contains("Charles Babbage", "London");
            });
    assertThat(workspace.scratch("instance")).doesNotExist();
  }

  @Test
  void plainTextNeedsNoCleaning() throws Exception {
    ObjectNode data = document("zuse.txt");
    runAll(data, "read", "language", "entities", "index");
    assertThat(data.at("/outputs/language/code").asText()).isEqualTo("de");
    assertThat(index.documentsWith("Konrad Zuse")).isEqualTo(1);
  }

  @Test
  void aDeadLinkFailsItsStepAndNamesTheLink() throws Exception {
    ObjectNode data = document("turing.html");
    runAll(data, "read", "clean");
    assertThatThrownBy(() -> run("links", data, 1))
        .hasMessage("turing.html has links that lead nowhere: papers/on-computable-numbers.html");
  }

  @Test
  void aDocumentThatIsNoTextGoesToQuarantineWithItsReason() throws Exception {
    ObjectNode data = document("scan.txt");
    assertThatThrownBy(() -> run("read", data, 1)).hasMessageContaining("no text in UTF-8");
    data.putObject("errors").put("read", "scan.txt is no text in UTF-8");
    runAll(data, "quarantine", "count", "write");
    assertThat(Files.readString(workspace.quarantine().resolve("scan.txt.txt")))
        .isEqualTo("scan.txt is no text in UTF-8\n");
    assertThat(data.at("/outputs/count")).isEqualTo(Json.tree(counts()));
    assertThat(Files.readString(workspace.report())).contains("## In quarantine\n\n- scan.txt\n");
  }

  private static Map<String, Integer> counts() {
    return Map.of("documents", 0, "quarantined", 1);
  }

  @Test
  void theCatalogueRefusesSomeAtFirstAndTakesARepeatedRequestOnce() throws Exception {
    List<Path> documents = Library.documents(directory.resolve("library"), 100);
    int refused = 0;
    for (Path each : documents) {
      ObjectNode data = document(each.getFileName().toString());
      try {
        var unused = run("announce", data, 1);
      } catch (Exception e) {
        refused++;
        assertThat(e).hasMessageContaining("try again");
      }
    }
    assertThat(refused).isBetween(2, documents.size() - 2);
  }
}
