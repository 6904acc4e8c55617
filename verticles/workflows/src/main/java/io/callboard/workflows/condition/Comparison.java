package io.callboard.workflows.condition;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.Comparator;
import java.util.Optional;

/** Comparison of two values. */
public enum Comparison {
  /** Comparison that holds for equal values. */
  EQUAL("=="),
  /** Comparison that holds for different values. */
  DIFFERENT("!="),
  /** Comparison that holds if the left value is smaller. */
  LESS("<"),
  /** Comparison that holds if the left value is smaller, or the same. */
  AT_MOST("<="),
  /** Comparison that holds if the left value is greater. */
  GREATER(">"),
  /** Comparison that holds if the left value is greater, or the same. */
  AT_LEAST(">=");

  private static final Comparator<JsonNode> NUMBERS_BY_VALUE =
      (a, b) ->
          a.isNumber() && b.isNumber()
              ? a.decimalValue().compareTo(b.decimalValue())
              : a.equals(b) ? 0 : 1;

  private final String sign;

  Comparison(String sign) {
    this.sign = sign;
  }

  /** Returns the comparison of a sign; empty if there is none. */
  static Optional<Comparison> of(String sign) {
    for (Comparison each : values()) {
      if (each.sign.equals(sign)) {
        return Optional.of(each);
      }
    }
    return Optional.empty();
  }

  /** Returns whether the comparison holds. */
  boolean holds(JsonNode left, JsonNode right) {
    return switch (this) {
      case EQUAL -> left.equals(NUMBERS_BY_VALUE, right);
      case DIFFERENT -> !left.equals(NUMBERS_BY_VALUE, right);
      case LESS -> comparable(left, right) && compare(left, right) < 0;
      case AT_MOST -> comparable(left, right) && compare(left, right) <= 0;
      case GREATER -> comparable(left, right) && compare(left, right) > 0;
      case AT_LEAST -> comparable(left, right) && compare(left, right) >= 0;
    };
  }

  private static boolean comparable(JsonNode left, JsonNode right) {
    return (left.isNumber() && right.isNumber()) || (left.isTextual() && right.isTextual());
  }

  private static int compare(JsonNode left, JsonNode right) {
    return left.isNumber()
        ? left.decimalValue().compareTo(right.decimalValue())
        : left.textValue().compareTo(right.textValue());
  }
}
