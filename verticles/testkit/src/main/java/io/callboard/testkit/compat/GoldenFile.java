package io.callboard.testkit.compat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.callboard.codecs.Json;
import io.callboard.codecs.MessageType;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/**
 * The events of one scenario as they were stored when the file was made, and what they lead to.
 *
 * <pre>
 * {"golden":1,"scenario":"transfers"}
 * {"f":2,"turn":1,"first":1,"n":2,…}      entries of the journal, as stored
 * {"t":"deposited","v":1,"b":{…}}
 * {"b":{…}}
 * {"snapshot":{"type":…,"version":1,"state":{…}}}  of then; never written again
 * {"state":{"type":…,"version":2,"state":{…}}}     of now
 * </pre>
 *
 * @param entries of the journal
 * @param snapshot the state as it was stored then
 * @param state the state as the code of the last update made it
 */
record GoldenFile(String scenario, List<String> entries, JsonNode snapshot, JsonNode state) {
  private static final int FORMAT = 1;

  /** Returns a state with its type and version. */
  static ObjectNode state(Object state) {
    MessageType type = MessageType.of(state.getClass());
    ObjectNode node =
        JsonNodeFactory.instance
            .objectNode()
            .put("type", type.name())
            .put("version", type.version());
    node.set("state", Json.tree(state));
    return (ObjectNode) Json.parse("a state", Json.uncheckedBytes(node)); // as it will be read
  }

  /**
   * Returns whether both hold the same events in the same turns, whatever the numbers of the turns.
   */
  boolean hasEventsOf(GoldenFile other) {
    return events().equals(other.events());
  }

  private List<String> events() {
    return entries.stream().map(entry -> entry.substring(entry.indexOf('\n') + 1)).toList();
  }

  /** Returns this file with another current state. */
  GoldenFile with(JsonNode now) {
    return new GoldenFile(scenario, entries, snapshot, now);
  }

  String write() {
    StringBuilder text = new StringBuilder();
    text.append("{\"golden\":").append(FORMAT).append(",\"scenario\":");
    text.append(json(JsonNodeFactory.instance.textNode(scenario))).append("}\n");
    entries.forEach(text::append);
    text.append("{\"snapshot\":").append(json(snapshot)).append("}\n");
    text.append("{\"state\":").append(json(state)).append("}\n");
    return text.toString();
  }

  private static String json(JsonNode node) {
    return new String(Json.uncheckedBytes(node), StandardCharsets.UTF_8);
  }

  /**
   * Reads a file.
   *
   * @param name name of the file, for errors
   * @throws IllegalArgumentException if it is no such file
   */
  static GoldenFile read(String name, String text) {
    List<String> lines = text.lines().toList();
    List<String> entries = new ArrayList<>();
    if (lines.size() < 3) {
      throw new IllegalArgumentException(name + " is not a golden file: it has too few lines");
    }
    JsonNode first = parse(name, lines.get(0));
    if (first.path("golden").asInt() != FORMAT) {
      throw new IllegalArgumentException(
          "%s is not a golden file of format %d: %s".formatted(name, FORMAT, lines.get(0)));
    }
    int at = 1;
    while (at < lines.size() - 2) {
      int end = at + 1 + parse(name, lines.get(at)).path("n").asInt();
      if (end > lines.size() - 2) {
        throw new IllegalArgumentException(name + " ends within an entry: it is damaged");
      }
      entries.add(String.join("\n", lines.subList(at, end)) + "\n");
      at = end;
    }
    return new GoldenFile(
        first.path("scenario").asText(),
        entries,
        parse(name, lines.get(lines.size() - 2)).path("snapshot"),
        parse(name, lines.get(lines.size() - 1)).path("state"));
  }

  private static JsonNode parse(String name, String line) {
    return Json.parse(name, line.getBytes(StandardCharsets.UTF_8));
  }
}
