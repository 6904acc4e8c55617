package io.callboard.examples.documents;

import com.fasterxml.jackson.databind.JsonNode;
import io.callboard.codecs.Json;
import io.callboard.workflows.StartRequest;
import io.callboard.workflows.Workers;
import io.callboard.workflows.Workflows;
import io.callboard.workflows.graph.StepState;
import io.callboard.workflows.model.Instance;
import io.callboard.workflows.model.InstanceState;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The example as a program: stores the definitions, offers the handlers of the steps, starts an
 * instance for each document, and one for the report when those have ended. A document whose
 * instance has not ended since the process was killed goes on with that instance.
 */
public final class DocumentsDemo implements AutoCloseable {
  private static final long LOOKS_MS = 100;

  private final Workspace workspace;
  private final @Nullable Path documents;
  private final int most;
  private @Nullable DocumentIndex index;

  /**
   * Creates the example.
   *
   * @param directory where its index and its report go
   * @param documents directory of the documents; null for those that come with the example
   * @param most maximum number of documents
   */
  public DocumentsDemo(Path directory, @Nullable Path documents, int most) {
    this.workspace = new Workspace(directory.toAbsolutePath().normalize());
    this.documents = documents;
    this.most = most;
  }

  /**
   * Runs the example.
   *
   * @param out gets what happens, in lines
   * @return completes when the report is written; false if it could not be
   */
  public Future<Boolean> run(Vertx vertx, Workflows workflows, Consumer<String> out) {
    return vertx
        .executeBlocking(this::prepare)
        .compose(
            all -> {
              offer(workflows.workers());
              return workflows
                  .put(DocumentWorkflows.indexDocument().definition())
                  .compose(v -> workflows.put(DocumentWorkflows.reportLibrary().definition()))
                  .compose(v -> documents(vertx, workflows, all, out))
                  .compose(v -> report(vertx, workflows, out));
            });
  }

  private List<Path> prepare() throws IOException {
    Path directory = documents;
    if (directory == null) {
      directory = workspace.root().resolve("library");
      Library.write(directory);
    }
    index = DocumentIndex.open(workspace.index());
    return Library.documents(directory.toAbsolutePath().normalize(), most);
  }

  private void offer(Workers workers) {
    if (index == null) {
      throw new IllegalStateException("the index is not open");
    }
    DocumentSteps steps = new DocumentSteps(workspace, index, Gazetteer.bundled());
    StepWork.offer(workers, steps.handlers(), DocumentSteps.LONG);
  }

  private Future<Void> documents(
      Vertx vertx, Workflows workflows, List<Path> all, Consumer<String> out) {
    out.accept("%d documents, each an instance of index-document".formatted(all.size()));
    List<Future<?>> ends = new ArrayList<>();
    for (Path document : all) {
      String name = document.getFileName().toString();
      JsonNode input = Json.tree(Map.of("document", name, "path", document.toString()));
      StartRequest request =
          new StartRequest(
              DocumentWorkflows.INDEX_DOCUMENT,
              null,
              input,
              "document " + document,
              StartRequest.DEFAULT_PRIORITY,
              Map.of("document", name));
      ends.add(
          workflows
              .run(request)
              .compose(instance -> end(vertx, workflows, instance.id()))
              .map(
                  instance -> {
                    out.accept(line(name, instance));
                    return instance;
                  }));
    }
    return Future.join(ends).mapEmpty();
  }

  private Future<Boolean> report(Vertx vertx, Workflows workflows, Consumer<String> out) {
    return workflows
        .run(StartRequest.of(DocumentWorkflows.REPORT_LIBRARY))
        .compose(instance -> end(vertx, workflows, instance.id()))
        .map(
            instance -> {
              boolean written = instance.state() == InstanceState.SUCCEEDED;
              out.accept(
                  written
                      ? "The report is written: " + workspace.report()
                      : "The report is not written: " + instance.reason());
              return written;
            });
  }

  /** Returns an instance when it has ended. */
  private static Future<Instance> end(Vertx vertx, Workflows workflows, String id) {
    return workflows
        .instance(id)
        .compose(
            instance -> {
              if (instance.state().isEnded()) {
                return Future.succeededFuture(instance);
              }
              Promise<Void> later = Promise.promise();
              long unused = vertx.setTimer(LOOKS_MS, timer -> later.complete());
              return later.future().compose(v -> end(vertx, workflows, id));
            });
  }

  /** Returns what became of a document: its outcome, what failed, and what was tried again. */
  static String line(String name, Instance instance) {
    String failed =
        instance.steps().entrySet().stream()
            .filter(step -> step.getValue().state() == StepState.FAILED)
            .map(step -> "; %s failed: %s".formatted(step.getKey(), step.getValue().reason()))
            .collect(Collectors.joining());
    String repeated =
        instance.steps().entrySet().stream()
            .filter(step -> step.getValue().attempts() > 1)
            .filter(step -> step.getValue().state() == StepState.SUCCEEDED)
            .map(step -> "; %s in attempt %d".formatted(step.getKey(), step.getValue().attempts()))
            .collect(Collectors.joining());
    return "%s: %s%s%s"
        .formatted(name, instance.state().name().toLowerCase(Locale.ROOT), failed, repeated);
  }

  @Override
  public void close() throws IOException {
    DocumentIndex opened = index;
    if (opened != null) {
      opened.close();
    }
  }
}
