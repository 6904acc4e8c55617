package io.callboard.bootstrap.client;

import com.fasterxml.jackson.databind.JsonNode;
import io.callboard.codecs.Json;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.StringJoiner;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;

/** Commands on definitions of workflows. */
final class DefinitionCommands {
  private static final int SHOWN = 12;
  private static final int WHOLE = 64;

  private DefinitionCommands() {}

  /**
   * Sends a definition to the node.
   *
   * @param query query of the request; may be empty
   * @return the answer; empty if the file has defects, which were printed
   */
  static Optional<JsonNode> send(ClientCommand node, DefinitionFile file, String query)
      throws IOException {
    List<String> defects = file.defects();
    if (!defects.isEmpty()) {
      defects.forEach(node::complain);
      return Optional.empty();
    }
    byte[] answer =
        node.client()
            .send(
                "PUT",
                file.resource() + query,
                file.text().getBytes(StandardCharsets.UTF_8),
                file.mediaType())
            .body();
    JsonNode stored = Json.parse("the answer of the node", answer);
    for (JsonNode warning : stored.path("warnings")) {
      node.note(
          "warning %s at %s: %s"
              .formatted(
                  warning.path("code").asText(),
                  warning.path("pointer").asText(),
                  warning.path("detail").asText()));
    }
    return Optional.of(stored);
  }

  /** Returns the beginning of a version, which is long. */
  static String shortVersion(JsonNode version) {
    String text = version.asText();
    return text.length() > SHOWN ? text.substring(0, SHOWN) : text;
  }

  /**
   * Returns the version that is meant.
   *
   * @param definition name of its definition; null if that was not given
   * @param given version, or the beginning of one
   * @throws IOException that names the versions if not exactly one can be meant
   */
  static String version(ClientCommand node, @Nullable String definition, String given)
      throws IOException {
    if (given.length() >= WHOLE) {
      return given; // the node says what is wrong with it
    } else if (definition == null) {
      throw new ParameterException(
          node.spec().commandLine(),
          "\"%s\" is the beginning of a version: give its --definition, too, or all %d digits"
              .formatted(given, WHOLE));
    }
    StringJoiner all = new StringJoiner(", ");
    List<String> meant = new ArrayList<>();
    for (JsonNode each :
        node.get("/workflow-definitions/" + ClientCommand.encoded(definition) + "/versions")
            .path("items")) {
      all.add(shortVersion(each.path("version")));
      if (each.path("version").asText().startsWith(given)) {
        meant.add(each.path("version").asText());
      }
    }
    if (meant.size() != 1) {
      throw new IOException(
          "\"%s\" is the beginning of %s of %s: there are %s"
              .formatted(
                  given, meant.isEmpty() ? "no version" : "several versions", definition, all));
    }
    return meant.get(0);
  }

  /** Command that stores a definition. */
  @Command(description = "Stores a definition of a workflow; new instances run its new version.")
  static final class Put extends ClientCommand {
    @Parameters(paramLabel = "FILE", description = "File with the definition, YAML or JSON.")
    String file = "";

    @Override
    public Integer call() throws IOException {
      Optional<JsonNode> stored = send(this, DefinitionFile.read(file), "");
      stored.ifPresent(
          answer ->
              print(
                  json
                      ? answer.toString()
                      : "%s is stored, version %s"
                          .formatted(
                              answer.path("name").asText(), shortVersion(answer.path("version")))));
      return stored.isPresent() ? 0 : 1;
    }
  }

  /** Command that checks a definition. */
  @Command(
      description =
          "Checks a definition of a workflow and stores nothing; prints all its errors with their lines.")
  static final class Check extends ClientCommand {
    @Parameters(paramLabel = "FILE", description = "File with the definition, YAML or JSON.")
    String file = "";

    @Override
    public Integer call() throws IOException {
      Optional<JsonNode> checked = send(this, DefinitionFile.read(file), "?dryRun=true");
      checked.ifPresent(
          answer ->
              print(
                  json
                      ? answer.toString()
                      : "%s has no errors: %s, %d steps"
                          .formatted(
                              file, answer.path("name").asText(), answer.path("graph").size())));
      return checked.isPresent() ? 0 : 1;
    }
  }

  /** Command that lists definitions, or the versions of one. */
  @Command(
      description =
          "Lists the definitions of workflows with the numbers of their instances and the brakes that are on; with NAME, the versions of one.")
  static final class Listing extends ClientCommand {
    @Parameters(arity = "0..1", paramLabel = "NAME", description = "Name of a definition.")
    @Nullable String name;

    @Override
    public Integer call() throws IOException {
      String one = name;
      JsonNode answer =
          get(
              one == null
                  ? "/workflow-definitions"
                  : "/workflow-definitions/" + encoded(one) + "/versions");
      if (json) {
        print(answer.toString());
      } else if (answer.path("items").isEmpty() && !answer.has("unreadable")) {
        print(
            "No definitions of workflows at %s; store one: callboard workflow put FILE"
                .formatted(url()));
      } else {
        table(one == null ? "name" : "current", answer.path("items")).lines().forEach(this::print);
      }
      if (answer.path("partial").asBoolean()) {
        note(
            "which definitions are braked is not known now: the role workflow-master does not answer");
      }
      for (JsonNode each : answer.path("unreadable")) {
        note(
            "the node cannot read %s%s: %s"
                .formatted(
                    each.has("version") ? shortVersion(each.path("version")) + " of " : "",
                    each.path("name").asText(),
                    each.path("fault").asText()));
      }
      if (answer.has("missing")) {
        note("the numbers of instances may be too low: " + lacks(answer.path("missing")));
      }
      return 0;
    }

    private static String lacks(JsonNode missing) {
      StringJoiner nodes = new StringJoiner(", ");
      missing.forEach(node -> nodes.add(node.asText()));
      return missing.isEmpty() ? "a node still reads what it has" : "no answer from " + nodes;
    }

    private static Table table(String first, JsonNode rows) {
      Instant now = Instant.now();
      boolean all = first.equals("name");
      List<String> headers = List.of(first, "version", "steps", "stored", "instances", "brake");
      Table table = new Table(all ? headers : headers.subList(0, headers.size() - 1));
      for (JsonNode row : rows) {
        StringJoiner counts = new StringJoiner(" ");
        for (Map.Entry<String, JsonNode> each : row.path("instances").properties()) {
          counts.add(each.getKey() + "=" + each.getValue().asText());
        }
        String flag = row.path("current").asBoolean() ? "current" : "";
        List<String> cells =
            List.of(
                all ? row.path("name").asText() : flag,
                shortVersion(row.path("version")),
                Table.text(row.path("steps")),
                Ages.of(Table.text(row.path("createdAt")), now),
                counts.length() == 0 ? "-" : counts.toString(),
                BrakeCommands.brief(row.path("brake")));
        table.add(all ? cells : cells.subList(0, cells.size() - 1));
      }
      return table;
    }
  }
}
