package io.callboard.bench;

import io.vertx.core.json.JsonObject;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Scanner;

/**
 * A JVM that is a candidate for the source of {@link SourceOutage}; it is asked by lines of text.
 */
final class SourceNode {
  /** Name of the source. */
  static final String SOURCE = "in";

  private SourceNode() {}

  /**
   * Runs until its input ends.
   *
   * @param arguments servers, name, directory, settings of the source
   */
  public static void main(String[] arguments) throws Exception {
    JsonObject config =
        new JsonObject()
            .put(SOURCE, OurSources.running("redis-stream", new JsonObject(arguments[3])));
    OurSources here =
        new OurSources(Node.clustered(arguments[0], arguments[1]), Path.of(arguments[2]), config);
    Child.say("ready");
    Scanner questions = new Scanner(System.in, StandardCharsets.UTF_8);
    while (questions.hasNextLine()) { // the only one: who polls
      var unused = questions.nextLine();
      Child.say("polls " + here.view(SOURCE).node());
    }
    Runtime.getRuntime().halt(0);
  }
}
