package io.callboard.codecs.internal.roundtrip;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/**
 * Comparison of the JSON of a value with that of the value that was read back. Neither the order of
 * names nor that of elements counts: a hash set has none.
 *
 * @param ignored names of fields that are not compared
 */
public record JsonDifference(Set<String> ignored) {
  /** Returns the path of the first difference; empty if there is none. */
  public Optional<String> place(JsonNode one, JsonNode other) {
    return place("", one, other);
  }

  private Optional<String> place(String path, JsonNode one, JsonNode other) {
    if (canonical(one).equals(canonical(other))) {
      return Optional.empty();
    } else if (!one.isObject() || !other.isObject()) {
      return Optional.of(path);
    }
    Set<String> names = new LinkedHashSet<>();
    one.fieldNames().forEachRemaining(names::add);
    other.fieldNames().forEachRemaining(names::add);
    names.removeAll(ignored);
    return names.stream()
        .flatMap(
            each ->
                place(path.isEmpty() ? each : path + "." + each, one.path(each), other.path(each))
                    .stream())
        .findFirst();
  }

  private String canonical(JsonNode json) {
    if (json.isObject()) {
      Map<String, String> fields = new TreeMap<>();
      json.fields().forEachRemaining(each -> fields.put(each.getKey(), canonical(each.getValue())));
      fields.keySet().removeAll(ignored);
      return fields.toString();
    } else if (json.isArray()) {
      List<String> elements = new ArrayList<>();
      json.forEach(each -> elements.add(canonical(each)));
      elements.sort(null);
      return elements.toString();
    }
    return json.isNumber() ? json.decimalValue().stripTrailingZeros().toString() : json.toString();
  }
}
