package io.callboard.chaos.sources;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import io.callboard.workflows.StepContext;
import io.callboard.workflows.StepHandler;
import io.callboard.workflows.model.PermanentStepException;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ThreadLocalRandom;
import java.util.stream.Stream;

/**
 * Handler of the steps of an article: writes a line, and takes some time then, so that kills come
 * between the effect of a step and its end. The first workflow of some articles fails.
 */
public final class ArticleNotes implements StepHandler {
  /** Name of the handler. */
  public static final String NAME = "chaos-article@1";

  private static final String WORKFLOW = "chaos-article";
  private static final String ENDING = ".lines";
  private static final String FAILING = "annotate";
  private static final int MOST_MS = 30;

  private final Vertx vertx;
  private final String node;
  private final Path directory;
  private final FileChannel lines;

  private ArticleNotes(Vertx vertx, String node, Path directory, FileChannel lines) {
    this.vertx = vertx;
    this.node = node;
    this.directory = directory;
    this.lines = lines;
  }

  /**
   * Opens the file of this process; it stays open until the process ends.
   *
   * @param directory where all nodes write
   */
  public static ArticleNotes open(Vertx vertx, String node, Path directory) throws IOException {
    Path file =
        Files.createDirectories(directory)
            .resolve("%s-%d%s".formatted(node, ProcessHandle.current().pid(), ENDING));
    FileChannel lines =
        FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
    return new ArticleNotes(vertx, node, directory, lines);
  }

  /** Returns the name of the workflow. */
  static String workflow() {
    return WORKFLOW;
  }

  /** Returns the definition of the workflow, as JSON. */
  static Map<String, Object> definition() {
    Map<String, Object> steps = new LinkedHashMap<>();
    String before = "";
    for (String step : List.of("fetch", FAILING, ArticleLine.INDEX)) {
      Map<String, String> after = before.isEmpty() ? Map.of() : Map.of(before, "success");
      steps.put(step, Map.of("run", "handler:" + NAME, "after", after));
      before = step;
    }
    return Map.of("name", WORKFLOW, "steps", steps);
  }

  /** Returns what all processes have written. */
  static List<ArticleLine> lines(Path directory) throws IOException {
    List<ArticleLine> all = new ArrayList<>();
    try (Stream<Path> files = Files.list(directory)) {
      for (Path file : files.filter(each -> each.toString().endsWith(ENDING)).toList()) {
        try (Stream<String> lines = Files.lines(file)) {
          lines.flatMap(line -> ArticleLine.parse(line).stream()).forEach(all::add);
        }
      }
    }
    return all;
  }

  @Override
  public Future<JsonNode> run(StepContext step) {
    String article = step.input().path("input").path("article").asText();
    try {
      write(new ArticleLine(step.step(), article, step.key(), node));
      if (step.step().equals(FAILING) && fails(article)) {
        return Future.failedFuture(new PermanentStepException("it fails at first, on purpose"));
      }
    } catch (IOException e) {
      return Future.failedFuture(e);
    }
    Promise<JsonNode> end = Promise.promise();
    int lasts = 1 + ThreadLocalRandom.current().nextInt(MOST_MS);
    long unused =
        vertx.setTimer(lasts, timer -> end.complete(JsonNodeFactory.instance.objectNode()));
    return end.future();
  }

  private boolean fails(String article) throws IOException {
    if (!Articles.failsAtFirst(article)) {
      return false;
    }
    try {
      Path unused = Files.createFile(directory.resolve(article + ".failed"));
      return true;
    } catch (FileAlreadyExistsException e) {
      return false;
    }
  }

  private void write(ArticleLine line) throws IOException {
    ByteBuffer bytes = ByteBuffer.wrap((line.text() + "\n").getBytes(StandardCharsets.UTF_8));
    synchronized (lines) {
      while (bytes.hasRemaining()) {
        int unused = lines.write(bytes);
      }
    }
  }
}
