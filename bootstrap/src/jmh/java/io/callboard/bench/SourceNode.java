package io.callboard.bench;

import com.fasterxml.jackson.databind.JsonNode;
import io.vertx.core.json.JsonObject;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Scanner;

/**
 * A JVM that is a candidate for the sources of {@link SourceLag}. It says of each message that its
 * step has begun, and answers lines of text, which are names of sources, with who polls them.
 */
final class SourceNode {
  /** First word of what it says of a message: its source and number follow. */
  static final String HANDLED = "handled";

  /** First word of an answer: the node follows, or nothing. */
  static final String POLLS = "polls";

  static final String READY = "ready";

  private static final String KIND = "kind";
  private static final String SETTINGS = "settings";

  private SourceNode() {}

  /** Returns the argument for a source. */
  static JsonObject source(String kind, JsonObject settings) {
    return new JsonObject().put(KIND, kind).put(SETTINGS, settings);
  }

  /**
   * Runs until its input ends.
   *
   * @param arguments servers, name, directory, sources by name
   */
  public static void main(String[] arguments) throws Exception {
    JsonObject config = new JsonObject();
    JsonObject input =
        new JsonObject().put("source", "${/source}").put("number", "${/body/number}");
    JsonObject sources = new JsonObject(arguments[3]);
    for (String name : sources.fieldNames()) {
      JsonObject source = sources.getJsonObject(name);
      config.put(
          name, OurSources.running(source.getString(KIND), source.getJsonObject(SETTINGS), input));
    }
    OurSources here =
        new OurSources(
            Node.clustered(arguments[0], arguments[1]),
            Path.of(arguments[2]),
            config,
            SourceNode::say);
    Child.say(READY);
    Scanner questions = new Scanner(System.in, StandardCharsets.UTF_8);
    while (questions.hasNextLine()) {
      String node = here.view(questions.nextLine()).node();
      Child.say(node == null ? POLLS : POLLS + " " + node);
    }
    Runtime.getRuntime().halt(0);
  }

  private static void say(JsonNode input) {
    Child.say(
        "%s %s %d".formatted(HANDLED, input.path("source").asText(), input.path("number").asInt()));
  }
}
