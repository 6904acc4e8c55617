package io.callboard.dashboard.internal.contract;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.BooleanNode;
import com.fasterxml.jackson.databind.node.DoubleNode;
import com.fasterxml.jackson.databind.node.IntNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.NullNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Bodies that a schema of the contract allows, and those that it does not, made from it. */
public final class Samples {
  private static final List<String> TEXTS =
      List.of("a", "true", "a=b", "process", "1", "success", "0".repeat(64));

  private final JsonNode tree;

  /**
   * Body with one fault.
   *
   * @param name what is wrong
   * @param pointer place of the fault
   * @param body the body
   */
  public record Bad(String name, String pointer, JsonNode body) {}

  /** Creates samples of the schemas of a contract. */
  public Samples(Contract contract) {
    this.tree = contract.tree();
  }

  private JsonNode resolved(JsonNode schema) {
    return schema.has("$ref") ? tree.at(schema.get("$ref").asText().substring(1)) : schema;
  }

  /** Returns a value with the required fields, or with all. */
  public JsonNode valid(JsonNode given, boolean all) {
    JsonNode schema = resolved(given);
    if (schema.has("enum")) {
      return schema.get("enum").get(0);
    }
    JsonNodeFactory make = JsonNodeFactory.instance;
    return switch (schema.path("type").asText("object")) {
      case "integer" -> IntNode.valueOf(Math.max(1, schema.path("minimum").asInt(1)));
      case "number" -> DoubleNode.valueOf(0.5);
      case "boolean" -> BooleanNode.FALSE;
      case "string" -> TextNode.valueOf(text(schema));
      case "array" -> {
        ArrayNode list = make.arrayNode();
        for (int i = 0; i < Math.max(1, schema.path("minItems").asInt(0)); i++) {
          list.add(valid(schema.path("items"), all));
        }
        yield list;
      }
      default -> {
        ObjectNode object = make.objectNode();
        List<String> required = new ArrayList<>();
        schema.path("required").forEach(name -> required.add(name.asText()));
        schema
            .path("properties")
            .properties()
            .forEach(
                field -> {
                  if (all || required.contains(field.getKey())) {
                    object.set(field.getKey(), valid(field.getValue(), all));
                  }
                });
        yield object;
      }
    };
  }

  private static String text(JsonNode schema) {
    switch (schema.path("format").asText("")) {
      case "date-time":
        return "2099-01-01T00:00:00Z";
      case "duration":
        return "PT26H";
      default:
        String pattern = schema.path("pattern").asText(".*");
        return TEXTS.stream().filter(text -> text.matches(pattern)).findFirst().orElse("a");
    }
  }

  /** Returns bodies with one fault each. */
  public List<Bad> bad(JsonNode schema) {
    List<Bad> all = new ArrayList<>();
    spoil(resolved(schema), valid(schema, true), "", valid(schema, true), all);
    return all;
  }

  private void spoil(JsonNode schema, JsonNode value, String at, JsonNode root, List<Bad> all) {
    if (schema.has("type")) { // else any value is right
      wrongTypes(value)
          .forEach((name, other) -> all.add(new Bad(name, at, replaced(root, at, other))));
    }
    String type = schema.path("type").asText("object");
    if (type.equals("integer") && schema.has("minimum")) {
      all.add(new Bad("under", at, replaced(root, at, big(schema.get("minimum").asLong() - 1))));
    }
    if (type.equals("integer") && schema.has("maximum")) {
      all.add(new Bad("over", at, replaced(root, at, big(schema.get("maximum").asLong() + 1))));
      JsonNode huge = JsonNodeFactory.instance.numberNode(BigInteger.TEN.pow(40));
      all.add(new Bad("huge", at, replaced(root, at, huge)));
    }
    if (type.equals("string") && schema.has("maxLength")) {
      String text = "x".repeat(Math.min(200_000, schema.get("maxLength").asInt() + 1));
      all.add(new Bad("too long", at, replaced(root, at, TextNode.valueOf(text))));
    }
    if (type.equals("string") && schema.has("format")) {
      for (String wrong : List.of("", "soon", "PT-1H", "-P1D", "9999999999-01-01T00:00:00Z")) {
        all.add(new Bad("no " + schema.get("format"), at, replaced(root, at, new TextNode(wrong))));
      }
    }
    if (type.equals("array") && schema.has("maxItems")) {
      ArrayNode list = JsonNodeFactory.instance.arrayNode();
      for (int i = 0; i <= Math.min(5_000, schema.get("maxItems").asInt()); i++) {
        list.add(valid(schema.path("items"), false));
      }
      all.add(new Bad("too many", at, replaced(root, at, list)));
    }
    if (value.isArray() && !value.isEmpty()) {
      spoil(resolved(schema.path("items")), value.get(0), at + "/0", root, all);
    }
    if (value.isObject() && schema.has("properties")) {
      if (schema.has("additionalProperties") && schema.get("additionalProperties").isBoolean()) {
        JsonNode one = IntNode.valueOf(1);
        all.add(new Bad("unknown field", at + "/nosuch", replaced(root, at + "/nosuch", one)));
      }
      for (JsonNode name : schema.path("required")) {
        String field = at + "/" + name.asText();
        all.add(new Bad("missing", field, without(root, at, name.asText())));
      }
      value
          .properties()
          .forEach(
              field ->
                  spoil(
                      resolved(schema.path("properties").path(field.getKey())),
                      field.getValue(),
                      at + "/" + field.getKey(),
                      root,
                      all));
    }
  }

  private static JsonNode big(long number) {
    return JsonNodeFactory.instance.numberNode(number);
  }

  private static Map<String, JsonNode> wrongTypes(JsonNode value) {
    Map<String, JsonNode> all = new LinkedHashMap<>();
    all.put("null", NullNode.getInstance());
    if (!value.isTextual()) {
      all.put("text", TextNode.valueOf("x"));
    }
    if (!value.isNumber()) {
      all.put("number", IntNode.valueOf(7));
    }
    if (value.isIntegralNumber()) {
      all.put("fraction", DoubleNode.valueOf(1.5));
    }
    if (!value.isBoolean()) {
      all.put("true", BooleanNode.TRUE);
    }
    if (!value.isArray()) {
      all.put("a list", JsonNodeFactory.instance.arrayNode());
    }
    if (!value.isObject()) {
      all.put("an object", JsonNodeFactory.instance.objectNode());
    }
    return all;
  }

  private static JsonNode replaced(JsonNode root, String at, JsonNode other) {
    if (at.isEmpty()) {
      return other;
    }
    JsonNode copy = root.deepCopy();
    int slash = at.lastIndexOf('/');
    JsonNode parent = copy.at(at.substring(0, slash));
    String name = at.substring(slash + 1);
    if (parent instanceof ObjectNode object) {
      object.set(name, other);
    } else {
      JsonNode unused = ((ArrayNode) parent).set(Integer.parseInt(name), other);
    }
    return copy;
  }

  private static JsonNode without(JsonNode root, String at, String name) {
    JsonNode copy = root.deepCopy();
    JsonNode unused = ((ObjectNode) copy.at(at)).remove(name);
    return copy;
  }
}
