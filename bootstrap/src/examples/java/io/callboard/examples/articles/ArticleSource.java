package io.callboard.examples.articles;

import io.callboard.pollers.SourcesOptions;
import io.vertx.core.json.JsonObject;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/** Source of the example, by the system that it is in. */
public enum ArticleSource {
  /** A directory of the example. */
  DIRECTORY,
  /** A topic, which must be there. */
  KAFKA,
  /** A stream of Redis. */
  REDIS_STREAM;

  /** Name of the source. */
  static final String NAME = "articles";

  private static final String INBOX = "inbox";
  private static final String QUEUE = "callboard-articles";
  private static final int CREDIT = 20;

  /** Returns the name of its kind. */
  public String kind() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  /** Returns the names of the kinds. */
  public static List<String> kinds() {
    return Arrays.stream(values()).map(ArticleSource::kind).toList();
  }

  /**
   * Returns the source of that kind.
   *
   * @throws IllegalArgumentException if there is none
   */
  public static ArticleSource of(String kind) {
    int at = kinds().indexOf(kind);
    if (at < 0) {
      throw new IllegalArgumentException(
          "there is no \"%s\" for articles; there are %s".formatted(kind, kinds()));
    }
    return values()[at];
  }

  /** Returns the queue to which articles are published. */
  String queue() {
    return this == DIRECTORY ? INBOX : QUEUE;
  }

  /** Returns the directory into which messages come, if it is one. */
  static Path inbox(Path root) {
    return root.resolve(INBOX);
  }

  /**
   * Returns the configuration: it could be in a file, below {@code sources}.
   *
   * @param root directory of the example, absolute
   * @param url address of the broker or server; empty for a directory
   */
  public SourcesOptions options(Path root, String url) {
    JsonObject article = new JsonObject().put("article", "${/body/article}");
    JsonObject source =
        new JsonObject()
            .put("kind", kind())
            .put("settings", settings(root, url))
            .put("ack", "on_complete")
            .put("credit", CREDIT)
            .put(
                "start",
                new JsonObject().put("workflow", ArticleWorkflow.NAME).put("input", article));
    return SourcesOptions.of(new JsonObject().put(NAME, source), List.of());
  }

  private JsonObject settings(Path root, String url) {
    return switch (this) {
      case DIRECTORY ->
          new JsonObject()
              .put("path", inbox(root).toString())
              .put("emitTo", root.toString())
              .put("settle", "PT0S");
      case KAFKA ->
          new JsonObject().put("servers", url).put("topic", QUEUE).put("group", "callboard-demo");
      case REDIS_STREAM ->
          new JsonObject().put("url", url).put("stream", QUEUE).put("id", "id").put("delete", true);
    };
  }
}
