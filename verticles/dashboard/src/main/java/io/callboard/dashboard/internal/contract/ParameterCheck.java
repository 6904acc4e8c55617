package io.callboard.dashboard.internal.contract;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.BooleanNode;
import com.fasterxml.jackson.databind.node.LongNode;
import com.fasterxml.jackson.databind.node.TextNode;
import io.callboard.codecs.internal.text.Suggestions;
import io.callboard.dashboard.internal.contract.Contract.Operation;
import io.callboard.dashboard.internal.contract.Contract.Parameter;
import io.vertx.core.MultiMap;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/** Checks the parameters of a request against its operation. Pure. */
final class ParameterCheck {
  private ParameterCheck() {}

  /**
   * Returns the parameters as values of their types, with defaults filled in.
   *
   * @throws ProblemException of kind {@code MALFORMED} with every fault
   */
  static Map<String, JsonNode> check(
      Contract contract,
      Operation operation,
      Map<String, String> path,
      MultiMap query,
      MultiMap headers) {
    Map<String, JsonNode> values = new LinkedHashMap<>();
    List<Fault> faults = new ArrayList<>();
    Set<String> known = new TreeSet<>();
    for (Parameter parameter : operation.parameters()) {
      List<String> given =
          switch (parameter.in()) {
            case "path" -> List.of(path.getOrDefault(parameter.name(), ""));
            case "header" -> headers.getAll(parameter.name());
            default -> {
              known.add(parameter.name());
              yield query.getAll(parameter.name());
            }
          };
      JsonNode schema = parameter.schema();
      String pointer = "/" + parameter.name();
      if (given.size() > 1) {
        faults.add(
            new Fault(
                pointer, "is given %d times, at most once is allowed".formatted(given.size())));
      } else if (given.size() == 1) {
        JsonNode value = value(schema.path("type").asText(), given.get(0));
        faults.addAll(SchemaCheck.check(contract.tree(), schema, value, pointer));
        values.put(parameter.name(), value);
      } else if (schema.has("default")) {
        values.put(parameter.name(), schema.get("default"));
      } else if (parameter.required()) {
        faults.add(new Fault(pointer, "is required"));
      }
    }
    for (String name : query.names()) {
      if (!known.contains(name)) {
        faults.add(
            new Fault(
                "/" + name,
                "unknown query parameter %s%s"
                    .formatted(IsoText.quoted(name), Suggestions.hint(name, known))));
      }
    }
    if (!faults.isEmpty()) {
      throw ProblemException.malformed(faults);
    }
    return values;
  }

  /**
   * Returns the text as a value of the type; as text where it is none, which the schema then
   * refuses.
   */
  private static JsonNode value(String type, String text) {
    if (type.equals("integer") && text.matches("-?\\d{1,18}")) {
      return LongNode.valueOf(Long.parseLong(text));
    }
    if (type.equals("boolean") && (text.equals("true") || text.equals("false"))) {
      return BooleanNode.valueOf(text.equals("true"));
    }
    return TextNode.valueOf(text);
  }
}
