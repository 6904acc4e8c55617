package io.callboard.workflows.definition;

import com.fasterxml.jackson.databind.JsonNode;
import io.callboard.codecs.fields.Fields;
import io.callboard.workflows.definition.SchemaForm.Defect;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/**
 * Cost of a schema: how many schemas are evaluated for one value. Finds what would never end, and
 * what grows without measure by references. Pure.
 */
final class SchemaCost {
  /** Maximum number of schemas that are evaluated for one value. */
  static final long MOST = 200;

  private static final long UNDER_WAY = -1;
  private static final List<String> ONE = List.of("not", "if", "then", "else");
  private static final List<String> SOME = List.of("allOf", "anyOf", "oneOf");

  private final Map<String, JsonNode> schemas;
  private final Map<String, String> refs;
  private final Map<String, Long> costs = new HashMap<>();

  private SchemaCost(Map<String, JsonNode> schemas, Map<String, String> refs) {
    this.schemas = schemas;
    this.refs = refs;
  }

  /**
   * Returns a defect, if there is one; its pointer is that within the schema.
   *
   * @param schemas all schemas by their pointers
   * @param refs targets by the pointers of the references
   */
  static Optional<Defect> of(Map<String, JsonNode> schemas, Map<String, String> refs) {
    SchemaCost cost = new SchemaCost(schemas, refs);
    for (String at : schemas.keySet()) {
      long found = cost.cost(at);
      if (found == UNDER_WAY) {
        return Optional.of(
            new Defect(
                at,
                "this schema refers to itself for the same value, so its check would never end",
                "refer to it from properties or items"));
      } else if (found > MOST) {
        return Optional.of(
            new Defect(
                at,
                "more than %,d schemas are to be checked for one value".formatted(MOST),
                "use fewer references in allOf, anyOf and oneOf"));
      }
    }
    return Optional.empty();
  }

  /** Returns the cost; {@link #UNDER_WAY} if it is endless. */
  private long cost(String at) {
    Long known = costs.putIfAbsent(at, UNDER_WAY);
    if (known != null) {
      return known;
    }
    long sum = 1;
    for (String child : sameValue(at)) {
      long its = cost(child);
      if (its == UNDER_WAY) {
        return UNDER_WAY;
      }
      sum = Math.min(sum + its, MOST + 1);
    }
    costs.put(at, sum);
    return sum;
  }

  /** Returns the schemas that are evaluated for the same value. */
  private List<String> sameValue(String at) {
    JsonNode schema = Objects.requireNonNull(schemas.get(at), at);
    List<String> children = new ArrayList<>();
    String ref = refs.get(at + "/$ref");
    if (ref != null) {
      children.add(ref);
    }
    ONE.stream().filter(schema::has).forEach(name -> children.add(at + "/" + name));
    for (String name : SOME) {
      for (int i = 0; i < schema.path(name).size(); i++) {
        children.add(at + "/" + name + "/" + i);
      }
    }
    schema
        .path("dependentSchemas")
        .fieldNames()
        .forEachRemaining(name -> children.add(at + "/dependentSchemas/" + Fields.escaped(name)));
    return children;
  }
}
