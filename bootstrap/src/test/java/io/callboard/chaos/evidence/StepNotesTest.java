package io.callboard.chaos.evidence;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.callboard.chaos.runs.LoadedSteps;
import io.callboard.chaos.runs.StepJudge;
import io.callboard.chaos.runs.StepLine;
import io.callboard.codecs.Json;
import io.callboard.testkit.Futures;
import io.callboard.workflows.StepContext;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What steps under test write: the judge of workflows sees nothing else. */
class StepNotesTest {
  private static final String INSTANCE = UUID.randomUUID().toString();

  @TempDir Path directory;

  private final Vertx vertx = Vertx.vertx();
  private final Promise<Void> cancelled = Promise.promise();
  private StepNotes notes;

  @BeforeEach
  void open() throws Exception {
    System.setProperty(StepNotes.PROPERTY, directory.toString());
    notes = StepNotes.open(vertx, "node-1");
  }

  @AfterEach
  void close() throws Exception {
    System.clearProperty(StepNotes.PROPERTY);
    Futures.await(vertx.close());
  }

  private record Call(String step, int run, int millis, Future<Void> cancelled)
      implements StepContext {
    @Override
    public String instance() {
      return INSTANCE;
    }

    @Override
    public int attempt() {
      return 1;
    }

    @Override
    public String key() {
      return INSTANCE + "/" + step;
    }

    @Override
    public JsonNode input() {
      return Json.tree(Map.of("input", Map.of("millis", millis)));
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
    public void heartbeat(JsonNode progress) {
      // nobody looks
    }
  }

  private Future<JsonNode> run(String step, int run, int millis) {
    Future<Void> end = run == 1 ? cancelled.future() : Future.future(never -> {});
    return notes.run(new Call(step, run, millis, end));
  }

  private List<StepLine> lines() throws Exception {
    return new StepFiles(directory, "s9").lines();
  }

  private List<String> said() throws Exception {
    return lines().stream()
        .map(line -> line.what() + " " + line.step() + " " + line.run())
        .toList();
  }

  @Test
  void oneRunAfterTheOtherIsRight() throws Exception {
    StepFiles files = new StepFiles(directory, "s9");
    for (String step : LoadedSteps.sources().keySet()) {
      Futures.await(run(step, 1, 0));
    }
    assertThat(files.reachedEnd()).isEqualTo(1);
    assertThat(files.reachedEnd()).isEqualTo(1);
    assertThat(StepJudge.judge(LoadedSteps.sources(), lines(), Map.of(INSTANCE, "SUCCEEDED"), true))
        .isEmpty();
  }

  @Test
  void aRunBesideAnotherOfItsStepSaysSo() throws Exception {
    Future<JsonNode> first = run("s3", 1, 1_000_000);
    Future<JsonNode> second = run("s3", 2, 0);
    Future<JsonNode> other = run("s4", 1, 0);
    Futures.await(Future.all(second, other));
    assertThat(said())
        .containsExactly(
            "begin s3 1", "begin s3 2", "twice s3 2", "end s3 2", "begin s4 1", "end s4 1");
    cancelled.complete();
    Futures.await(Future.join(List.of(first.otherwiseEmpty())));
    Futures.await(run("s3", 3, 0));
    assertThat(said()).doesNotContain("end s3 1").endsWith("begin s3 3", "end s3 3");
  }

  @Test
  void aLineThatIsTornIsReadWhenItIsWhole() throws Exception {
    StepFiles files = new StepFiles(directory, "s9");
    Path other = directory.resolve("node-2" + StepNotes.ENDING);
    String line = new StepLine("end", INSTANCE, "s9", 1, 5, "node-2", 4711).text();
    Files.writeString(other, line);
    assertThat(files.reachedEnd()).isZero();
    Files.writeString(other, line + "\n");
    assertThat(files.reachedEnd()).isEqualTo(1);
  }
}
