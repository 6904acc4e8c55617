package io.callboard.examples.documents;

import static io.callboard.examples.documents.StepWork.blocking;

import com.fasterxml.jackson.databind.JsonNode;
import io.callboard.codecs.Json;
import io.callboard.examples.documents.DocumentReading.Content;
import io.callboard.examples.documents.Gazetteer.Mention;
import io.callboard.examples.documents.HtmlCleaning.Page;
import io.callboard.examples.documents.LanguageDetection.Language;
import io.callboard.workflows.StepContext;
import io.callboard.workflows.StepHandler;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The steps as the engine runs them: each takes what it needs from the outputs of those before it,
 * does its work on a thread of its scheduling zone, which may block, and returns what others need.
 */
final class DocumentSteps {
  /**
   * Handlers that compute for a while, with natural language and the index: they have a zone apart,
   * so that however many documents there are, the short ones do not wait behind them.
   */
  static final Set<String> LONG = Set.of("language@1", "entities@1", "index@1");

  private final Workspace workspace;
  private final DocumentIndex index;
  private final Gazetteer gazetteer;
  private final Catalogue catalogue = new Catalogue();
  private final Quarantine quarantine;

  DocumentSteps(Workspace workspace, DocumentIndex index, Gazetteer gazetteer) {
    this.workspace = workspace;
    this.index = index;
    this.gazetteer = gazetteer;
    this.quarantine = new Quarantine(workspace.quarantine());
  }

  /** Returns the handlers by name, for both workflows. */
  Map<String, StepHandler> handlers() {
    Map<String, StepHandler> handlers = new LinkedHashMap<>();
    handlers.put("read@1", blocking(this::read));
    handlers.put("clean@1", blocking(this::clean));
    handlers.put("links@1", blocking(DocumentSteps::links));
    handlers.put("language@1", blocking(step -> LanguageDetection.detect(text(step))));
    handlers.put("entities@1", blocking(step -> Map.of("mentions", gazetteer.find(text(step)))));
    handlers.put("index@1", blocking(this::index));
    handlers.put("announce@1", blocking(this::announce));
    handlers.put("quarantine@1", blocking(this::quarantine));
    handlers.put("cleanup@1", blocking(this::cleanup));
    handlers.put("count@1", blocking(this::count));
    handlers.put("write@1", blocking(this::write));
    return handlers;
  }

  private static Path document(StepContext step) {
    return Path.of(step.input().path("input").path("path").asText());
  }

  private static String name(StepContext step) {
    return document(step).getFileName().toString();
  }

  private static JsonNode output(StepContext step, String of) {
    return step.input().path("outputs").path(of);
  }

  /** Returns the text of the document: cleaned if it was HTML. */
  private String text(StepContext step) throws IOException {
    JsonNode cleaned = output(step, "clean").path("file");
    return workspace.read(
        cleaned.isTextual() ? cleaned.asText() : output(step, "read").path("file").asText());
  }

  private Object read(StepContext step) throws IOException {
    Content content = DocumentReading.read(document(step));
    String file = workspace.write(step.instance(), "raw.txt", content.text());
    return Map.of("kind", content.kind(), "file", file, "chars", content.text().length());
  }

  private Object clean(StepContext step) throws IOException {
    Page page = HtmlCleaning.clean(workspace.read(output(step, "read").path("file").asText()));
    String file = workspace.write(step.instance(), "clean.txt", page.text());
    return Map.of("title", page.title(), "file", file, "links", page.links());
  }

  private static Object links(StepContext step) throws IOException {
    List<String> links = new ArrayList<>();
    output(step, "clean").path("links").forEach(link -> links.add(link.asText()));
    List<String> dead = LinkCheck.dead(document(step), links);
    if (!dead.isEmpty()) {
      throw new IOException(
          "%s has links that lead nowhere: %s".formatted(name(step), String.join(", ", dead)));
    }
    return Map.of("checked", links.size());
  }

  private Object index(StepContext step) throws IOException {
    List<Mention> mentions = new ArrayList<>();
    for (JsonNode each : output(step, "entities").path("mentions")) {
      mentions.add(Json.convert("mention", each, Mention.class));
    }
    Language language = Json.convert("language", output(step, "language"), Language.class);
    index.put(
        name(step),
        output(step, "clean").path("title").asText(),
        language.code(),
        text(step),
        mentions);
    return Map.of("language", language.code(), "entities", mentions.size());
  }

  private Object announce(StepContext step) throws IOException {
    return Map.of("news", catalogue.announce(name(step), step.key(), step.attempt()));
  }

  private Object quarantine(StepContext step) throws IOException {
    String reason = step.input().path("errors").path("read").asText("it could not be read");
    quarantine.put(name(step), reason);
    return Map.of("document", name(step), "reason", reason);
  }

  private Object cleanup(StepContext step) throws IOException {
    workspace.clear(step.instance());
    return Map.of();
  }

  private Object count(StepContext step) throws IOException {
    return Map.of("documents", index.all().size(), "quarantined", quarantine.documents().size());
  }

  private Object write(StepContext step) throws IOException {
    LibraryReport report = new LibraryReport(index.all(), quarantine.documents());
    Files.writeString(workspace.report(), report.markdown());
    return Map.of("report", workspace.report().toString(), "languages", report.languages());
  }
}
