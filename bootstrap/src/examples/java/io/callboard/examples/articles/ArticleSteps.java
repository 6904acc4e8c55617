package io.callboard.examples.articles;

import static io.callboard.examples.documents.StepWork.blocking;

import com.fasterxml.jackson.databind.JsonNode;
import io.callboard.codecs.Json;
import io.callboard.examples.documents.DocumentIndex;
import io.callboard.examples.documents.Gazetteer;
import io.callboard.examples.documents.Gazetteer.Mention;
import io.callboard.examples.documents.HtmlCleaning;
import io.callboard.examples.documents.HtmlCleaning.Page;
import io.callboard.examples.documents.LanguageDetection;
import io.callboard.examples.documents.LanguageDetection.Language;
import io.callboard.examples.documents.Workspace;
import io.callboard.workflows.StepContext;
import io.callboard.workflows.StepHandler;
import io.callboard.workflows.model.PermanentStepException;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpClient;
import io.vertx.core.http.HttpClientResponse;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.RequestOptions;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.Collectors;

/**
 * The steps as the engine runs them. The text of an article goes from step to step as a file, whose
 * name is in the output.
 */
final class ArticleSteps {
  /** Handlers that compute for a while, in a zone apart from those that are short. */
  static final Set<String> LONG = Set.of("annotate@1", "index-article@1");

  private static final int OK = 200;
  private static final int NOT_FOUND = 404;

  /** Names that a line has. */
  private static final int MOST_NAMED = 3;

  private final Vertx vertx;
  private final Workspace workspace;
  private final DocumentIndex index;
  private final String site;
  private final Consumer<String> out;
  private final HttpClient http;
  private final Gazetteer gazetteer = Gazetteer.bundled();

  /**
   * Creates the steps.
   *
   * @param site address below which the articles are
   * @param out gets a line for each article
   */
  ArticleSteps(
      Vertx vertx, Workspace workspace, DocumentIndex index, String site, Consumer<String> out) {
    this.vertx = vertx;
    this.workspace = workspace;
    this.index = index;
    this.site = site;
    this.out = out;
    this.http = vertx.createHttpClient();
  }

  /** Returns the handlers by name. */
  Map<String, StepHandler> handlers() {
    Map<String, StepHandler> handlers = new LinkedHashMap<>();
    handlers.put("fetch@1", this::fetch);
    handlers.put("extract@1", blocking(this::extract));
    handlers.put("annotate@1", blocking(this::annotate));
    handlers.put("index-article@1", blocking(this::index));
    handlers.put("print@1", blocking(this::print));
    handlers.put("clear@1", blocking(this::clear));
    return handlers;
  }

  private static String article(StepContext step) {
    return step.input().path("input").path("article").asText();
  }

  private static JsonNode output(StepContext step, String of) {
    return step.input().path("outputs").path(of);
  }

  private String text(StepContext step, String of) throws IOException {
    return workspace.read(output(step, of).path("file").asText());
  }

  private Future<JsonNode> fetch(StepContext step) {
    String url = site + article(step);
    return http.request(new RequestOptions().setMethod(HttpMethod.GET).setAbsoluteURI(url))
        .compose(request -> request.send().compose(response -> page(url, response)))
        .compose(
            page ->
                vertx.executeBlocking(
                    () -> {
                      String file = workspace.write(step.instance(), "page.html", page);
                      return Json.tree(Map.of("file", file, "attempt", step.attempt()));
                    },
                    false));
  }

  private static Future<String> page(String url, HttpClientResponse response) {
    return response
        .body()
        .compose(
            body ->
                switch (response.statusCode()) {
                  case OK -> Future.succeededFuture(body.toString(StandardCharsets.UTF_8));
                  case NOT_FOUND ->
                      Future.failedFuture(new PermanentStepException("there is no " + url));
                  default ->
                      Future.failedFuture(
                          new IOException("%s answered %d".formatted(url, response.statusCode())));
                });
  }

  private Object extract(StepContext step) throws IOException {
    Page page = HtmlCleaning.clean(text(step, "fetch"));
    String file = workspace.write(step.instance(), "text.txt", page.text());
    return Map.of("title", page.title(), "file", file);
  }

  private Object annotate(StepContext step) throws IOException {
    String text = text(step, "extract");
    return Map.of("language", LanguageDetection.detect(text), "mentions", gazetteer.find(text));
  }

  private static Language language(StepContext step) {
    return Json.convert("language", output(step, "annotate").path("language"), Language.class);
  }

  private static List<Mention> mentions(StepContext step) {
    List<Mention> mentions = new ArrayList<>();
    for (JsonNode each : output(step, "annotate").path("mentions")) {
      mentions.add(Json.convert("mention", each, Mention.class));
    }
    return mentions;
  }

  private static String title(StepContext step) {
    return output(step, "extract").path("title").asText();
  }

  private Object index(StepContext step) throws IOException {
    index.put(
        article(step), title(step), language(step).code(), text(step, "extract"), mentions(step));
    return Map.of("article", article(step));
  }

  private Object print(StepContext step) {
    List<Mention> mentions = mentions(step);
    int attempt = output(step, "fetch").path("attempt").asInt();
    String named =
        mentions.stream().limit(MOST_NAMED).map(Mention::name).collect(Collectors.joining(", "));
    out.accept(
        "%s: \"%s\", %s, %d names%s%s"
            .formatted(
                article(step),
                title(step),
                language(step).code(),
                mentions.size(),
                named.isEmpty() ? "" : ": " + named,
                attempt > 1 ? "; fetched in attempt " + attempt : ""));
    return Map.of();
  }

  private Object clear(StepContext step) throws IOException {
    workspace.clear(step.instance());
    return Map.of();
  }
}
