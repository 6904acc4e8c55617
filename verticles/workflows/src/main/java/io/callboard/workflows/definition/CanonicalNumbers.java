package io.callboard.workflows.definition;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.DecimalNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.math.BigDecimal;

/** Numbers of a tree in one form: 0.5 for 0.50, 1000 for 1e3. */
final class CanonicalNumbers {
  /** Largest exponent that is written out. */
  private static final int MOST_DIGITS = 100;

  private CanonicalNumbers() {}

  /** Returns a copy of a tree with its numbers in one form. */
  static JsonNode of(JsonNode tree) {
    if (tree.isObject()) {
      ObjectNode copy = JsonNodeFactory.instance.objectNode();
      tree.properties().forEach(each -> copy.set(each.getKey(), of(each.getValue())));
      return copy;
    } else if (tree.isArray()) {
      ArrayNode copy = JsonNodeFactory.instance.arrayNode();
      tree.forEach(each -> copy.add(of(each)));
      return copy;
    } else if (tree.isNumber()) {
      BigDecimal number = tree.decimalValue().stripTrailingZeros();
      boolean whole = number.scale() < 0 && number.scale() >= -MOST_DIGITS;
      return DecimalNode.valueOf(whole ? number.setScale(0) : number);
    }
    return tree;
  }
}
