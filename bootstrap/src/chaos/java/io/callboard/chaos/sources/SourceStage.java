package io.callboard.chaos.sources;

import io.callboard.chaos.runs.RunJudge.Finding;
import io.callboard.codecs.Json;
import io.callboard.servers.RedisServer;
import io.vertx.core.json.JsonObject;
import io.vertx.redis.client.Redis;
import java.io.File;
import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/** Stage of sources beside the nodes: the queues, their load, and the configuration of nodes. */
public final class SourceStage implements AutoCloseable {
  /** Property with the directory in which the nodes write. */
  public static final String PROPERTY = "chaos.articles";

  /** Path of the definition of the workflow below the API. */
  public static final String DEFINITION = "/workflow-definitions/" + ArticleNotes.workflow();

  private static final int CREDIT = 50;

  private final Path directory;
  private final Optional<RedisServer> redis;
  private final List<ArticleQueue> queues = new ArrayList<>();
  private final List<ArticleLoad> loads = new ArrayList<>();

  /**
   * Starts Redis if it is installed, and writes the configuration.
   *
   * @param address address of this host at which nodes reach it
   */
  public SourceStage(Path directory, String address) throws IOException {
    this.directory = directory;
    this.redis =
        RedisServer.isInstalled()
            ? Optional.of(
                RedisServer.startDurable(
                    Files.createDirectories(directory.resolve("redis")), address))
            : Optional.empty();
    queues.add(new ArticleDirectory(directory.resolve("inbox")));
    redis.ifPresent(server -> queues.add(new ArticleStream(server, address)));
    queues.forEach(queue -> loads.add(new ArticleLoad(queue)));
    Path unused = Files.createDirectories(notes());
    JsonObject sources = new JsonObject();
    queues.forEach(queue -> sources.put(queue.kind(), source(queue)));
    Files.writeString(configuration(), new JsonObject().put("sources", sources).encode());
  }

  private static JsonObject source(ArticleQueue queue) {
    JsonObject input = new JsonObject().put("article", "${/body/article}");
    return new JsonObject()
        .put("kind", queue.kind())
        .put("settings", queue.settings())
        .put("ack", "on_complete")
        .put("credit", CREDIT)
        .put("retry", new JsonObject().put("initial", "PT1S").put("max", "PT5S"))
        .put(
            "start", new JsonObject().put("workflow", ArticleNotes.workflow()).put("input", input));
  }

  /** Returns the configuration file of the nodes. */
  public Path configuration() {
    return directory.resolve("sources.json");
  }

  /** Returns the directory in which the nodes write. */
  public Path notes() {
    return directory.resolve("articles");
  }

  /** Returns what nodes need on their class path beside the jar, each after a separator. */
  public String clients() throws IOException {
    if (redis.isEmpty()) {
      return "";
    }
    try {
      return File.pathSeparator
          + Path.of(Redis.class.getProtectionDomain().getCodeSource().getLocation().toURI());
    } catch (URISyntaxException e) {
      throw new IOException(e);
    }
  }

  /** Returns the server; empty if none is installed. */
  public Optional<RedisServer> redis() {
    return redis;
  }

  /** Returns the names of the sources. */
  public List<String> sources() {
    return queues.stream().map(ArticleQueue::kind).toList();
  }

  /** Returns the definition of the workflow, as JSON. */
  public String definition() {
    return new String(Json.bytes(ArticleNotes.definition()), StandardCharsets.UTF_8);
  }

  /** Starts to send. */
  public void begin() {
    loads.forEach(ArticleLoad::begin);
  }

  /** Ends to send. */
  public void end() throws InterruptedException {
    for (ArticleLoad load : loads) {
      load.end();
    }
  }

  /** Returns how many articles were sent. */
  public long accepted() {
    return loads.stream().mapToLong(ArticleLoad::accepted).sum();
  }

  /** Returns whether an article of each source is in the index. */
  public boolean works() throws IOException {
    List<ArticleLine> lines = ArticleNotes.lines(notes());
    return queues.stream().allMatch(queue -> lines.stream().anyMatch(line -> isIn(queue, line)));
  }

  private static boolean isIn(ArticleQueue queue, ArticleLine line) {
    return line.isIndexed() && line.article().startsWith(queue.letter());
  }

  /** Returns whether nothing waits and nothing is taken. */
  public boolean isEmpty() throws Exception {
    for (ArticleQueue queue : queues) {
      if (queue.waiting() > 0) {
        return false;
      }
    }
    return true;
  }

  /**
   * Judges all sources once the load has ended.
   *
   * @param report gets a line about each
   */
  public List<Finding> judge(Consumer<String> report) throws Exception {
    List<Finding> findings = new ArrayList<>();
    List<ArticleLine> lines = ArticleNotes.lines(notes());
    for (int i = 0; i < queues.size(); i++) {
      ArticleQueue queue = queues.get(i);
      Articles articles = loads.get(i).articles();
      List<ArticleLine> its =
          lines.stream().filter(line -> line.article().startsWith(queue.letter())).toList();
      ArticleJudge.Result result = ArticleJudge.judge(articles, its, queue.left(), queue.dead());
      findings.addAll(result.findings());
      report.accept(
          "%s: %d articles sent, %d in the index, %d set aside; runs of steps %s, of which %d repeated"
              .formatted(
                  queue.kind(),
                  articles.accepted().size(),
                  result.indexed(),
                  queue.dead().size(),
                  result.runs(),
                  result.again()));
    }
    return findings;
  }

  @Override
  public void close() throws Exception {
    for (ArticleLoad load : loads) {
      load.close();
    }
    if (redis.isPresent()) {
      redis.get().close();
    }
  }
}
