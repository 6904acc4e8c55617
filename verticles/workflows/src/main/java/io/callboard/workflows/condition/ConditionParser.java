package io.callboard.workflows.condition;

import com.fasterxml.jackson.databind.node.BooleanNode;
import com.fasterxml.jackson.databind.node.DecimalNode;
import com.fasterxml.jackson.databind.node.NullNode;
import com.fasterxml.jackson.databind.node.TextNode;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Parser of one condition, by recursive descent over its characters. */
final class ConditionParser {
  private static final int MOST_DEPTH = 50;
  private static final Pattern SIGN = Pattern.compile("==|!=|<=|>=|<|>");
  private static final Pattern NUMBER = Pattern.compile("-?\\d{1,30}(\\.\\d{1,30})?");
  private static final Pattern NAME = Pattern.compile("[A-Za-z_][A-Za-z0-9_-]*");
  private static final Pattern INDEX = Pattern.compile("\\d{1,6}");

  private final String text;
  private int at;
  private int depth;

  ConditionParser(String text) {
    this.text = text;
  }

  Condition parse() {
    if (text.length() > Condition.MOST_LENGTH) {
      throw new ConditionException(
          Condition.MOST_LENGTH,
          "a condition has at most %,d characters".formatted(Condition.MOST_LENGTH));
    }
    Condition condition = disjunction();
    space();
    if (at < text.length()) {
      throw expected("and, or, a comparison, or the end");
    }
    return condition;
  }

  private Condition disjunction() {
    List<Condition> parts = new ArrayList<>();
    do {
      parts.add(conjunction());
    } while (takeWord("or"));
    return parts.size() == 1 ? parts.get(0) : new Condition.Or(List.copyOf(parts));
  }

  private Condition conjunction() {
    List<Condition> parts = new ArrayList<>();
    do {
      parts.add(negation());
    } while (takeWord("and"));
    return parts.size() == 1 ? parts.get(0) : new Condition.And(List.copyOf(parts));
  }

  private Condition negation() {
    if (++depth > MOST_DEPTH) {
      throw new ConditionException(
          at, "a condition is nested at most %d deep".formatted(MOST_DEPTH));
    }
    Condition condition = takeWord("not") ? new Condition.Not(negation()) : comparison();
    depth--;
    return condition;
  }

  private Condition comparison() {
    if (take("(")) {
      Condition inner = disjunction();
      if (!take(")")) {
        throw expected(")");
      }
      return inner;
    }
    Operand left = operand();
    String sign = match(SIGN);
    if (sign.isEmpty()) {
      return new Condition.IsTrue(left);
    }
    return new Condition.Compared(left, Comparison.of(sign).orElseThrow(), operand());
  }

  private Operand operand() {
    space();
    if (take("$")) {
      return path();
    } else if (take("'")) {
      return new Operand.Literal(TextNode.valueOf(quoted()));
    } else if (takeWord("true")) {
      return new Operand.Literal(BooleanNode.TRUE);
    } else if (takeWord("false")) {
      return new Operand.Literal(BooleanNode.FALSE);
    } else if (takeWord("null")) {
      return new Operand.Literal(NullNode.getInstance());
    }
    String number = match(NUMBER);
    if (number.isEmpty()) {
      throw expected("a path such as $.input.size, a 'text', a number, true, false or null");
    }
    return new Operand.Literal(DecimalNode.valueOf(new BigDecimal(number)));
  }

  private Operand path() {
    if (at < text.length() && text.startsWith(".input", at) && !isName(at + 6)) {
      at += 6;
      return new Operand.Path("", parts());
    } else if (text.startsWith(".outputs", at) && !isName(at + 8)) {
      at += 8;
      List<Operand.Part> parts = parts();
      if (parts.isEmpty() || parts.get(0).name().isEmpty()) {
        throw expected("the id of a step, as in $.outputs.fetch.size");
      }
      return new Operand.Path(parts.get(0).name(), List.copyOf(parts.subList(1, parts.size())));
    }
    throw expected(".input or .outputs");
  }

  private List<Operand.Part> parts() {
    List<Operand.Part> parts = new ArrayList<>();
    while (at < text.length()) {
      if (text.charAt(at) == '.') {
        at++;
        String name = match(NAME);
        if (name.isEmpty()) {
          throw expected("the name of a field");
        }
        parts.add(new Operand.Part(name, 0));
      } else if (text.charAt(at) == '[') {
        at++;
        parts.add(bracket());
      } else {
        break;
      }
    }
    return List.copyOf(parts);
  }

  private Operand.Part bracket() {
    Operand.Part part;
    if (take("'")) {
      String name = quoted();
      if (name.isEmpty()) {
        throw new ConditionException(at - 1, "expected the name of a field");
      }
      part = new Operand.Part(name, 0);
    } else {
      String index = match(INDEX);
      if (index.isEmpty()) {
        throw expected("an index or a 'name'");
      }
      part = new Operand.Part("", Integer.parseInt(index));
    }
    if (!take("]")) {
      throw expected("]");
    }
    return part;
  }

  /** Returns a text up to its closing quote. */
  private String quoted() {
    StringBuilder value = new StringBuilder();
    for (; at < text.length(); at++) {
      char c = text.charAt(at);
      if (c == '\'') {
        at++;
        return value.toString();
      } else if (c == '\\' && at + 1 < text.length() && "'\\".indexOf(text.charAt(at + 1)) >= 0) {
        at++;
        value.append(text.charAt(at));
      } else {
        value.append(c);
      }
    }
    throw expected("a closing '");
  }

  private void space() {
    while (at < text.length() && Character.isWhitespace(text.charAt(at))) {
      at++;
    }
  }

  private boolean take(String token) {
    space();
    if (text.startsWith(token, at)) {
      at += token.length();
      return true;
    }
    return false;
  }

  private boolean takeWord(String word) {
    space();
    if (text.startsWith(word, at) && !isName(at + word.length())) {
      at += word.length();
      return true;
    }
    return false;
  }

  private boolean isName(int position) {
    return position < text.length()
        && (Character.isLetterOrDigit(text.charAt(position)) || text.charAt(position) == '_');
  }

  private String match(Pattern pattern) {
    space();
    Matcher matcher = pattern.matcher(text).region(at, text.length());
    if (matcher.lookingAt()) {
      at = matcher.end();
      return matcher.group();
    }
    return "";
  }

  private ConditionException expected(String what) {
    space();
    String found =
        at >= text.length()
            ? "the end"
            : "\"%s\"".formatted(text.substring(at, Math.min(text.length(), at + 12)));
    return new ConditionException(at, "expected %s, found %s".formatted(what, found));
  }
}
