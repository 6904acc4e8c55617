package io.callboard.codecs;

import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.databind.JsonNode;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Iterator;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Limits on the depth and the number of tokens of JSON: of all that is read, and of one value,
 * which must be readable wherever it is kept. What is written is measured by them too, so that
 * nothing is stored that no reader accepts.
 */
final class JsonLimits {
  private static final int MOST_DEPTH = 100;
  private static final int MOST_TOKENS = 1 << 20;
  private static final int MOST_DIGITS = 1_000;
  private static final int MOST_NAME = 4_096;
  private static final int MOST_TEXT = 16 << 20;

  /** Levels that the toolkit puts around a value: a record, a journal entry, a parked message. */
  private static final int OWN_DEPTH = 10;

  private static final int OWN_TOKENS = 1_000;

  /** A number of fewer bits has fewer than {@link #MOST_DIGITS} digits, however it is written. */
  private static final int SHORT_BITS = 3_000;

  /** Limits of everything that is read. */
  static final JsonLimits READ = new JsonLimits(MOST_DEPTH, MOST_TOKENS);

  /** Limits of one value, below those of everything that is read. */
  static final JsonLimits VALUE = new JsonLimits(MOST_DEPTH - OWN_DEPTH, MOST_TOKENS - OWN_TOKENS);

  /** Limits of data of users, below those of the values that hold it. */
  static final JsonLimits DATA =
      new JsonLimits(MOST_DEPTH - 2 * OWN_DEPTH, MOST_TOKENS - 2 * OWN_TOKENS);

  private final int mostDepth;
  private final int mostTokens;

  /** Limit of JSON, with the words of Jackson for it and the sentence that refuses more. */
  private enum Limit {
    DEPTH("Document nesting depth", "it is nested deeper than %,d levels"),
    TOKENS("Token count", "it has more than %,d tokens"),
    DIGITS("Number value length", "a number in it has more than %,d digits"),
    NAME("Name length", "a field name in it is longer than %,d bytes"),
    TEXT("String value length", "a text in it is longer than %,d characters");

    private final String jackson;
    private final String refusal;

    Limit(String jackson, String refusal) {
      this.jackson = jackson;
      this.refusal = refusal;
    }

    String refuse(long most) {
      return String.format(Locale.ROOT, refusal, most);
    }
  }

  /** Error of Jackson about one of its constraints. */
  private static final Pattern EXCEEDED =
      Pattern.compile("(.+) \\(\\d+\\) exceeds the maximum allowed \\((\\d+).*");

  private JsonLimits(int mostDepth, int mostTokens) {
    this.mostDepth = mostDepth;
    this.mostTokens = mostTokens;
  }

  static StreamReadConstraints constraints() {
    return StreamReadConstraints.builder()
        .maxNestingDepth(MOST_DEPTH)
        .maxTokenCount(MOST_TOKENS)
        .maxNumberLength(MOST_DIGITS)
        .maxNameLength(MOST_NAME)
        .maxStringLength(MOST_TEXT)
        .build();
  }

  /** Returns the sentence for an error of Jackson about a constraint; empty for another error. */
  static Optional<String> refusal(String error) {
    Matcher exceeded = EXCEEDED.matcher(error);
    return exceeded.matches()
        ? Arrays.stream(Limit.values())
            .filter(limit -> limit.jackson.equals(exceeded.group(1)))
            .map(limit -> limit.refuse(Long.parseLong(exceeded.group(2))))
            .findFirst()
        : Optional.empty();
  }

  /**
   * Costs nothing if they are few, else one pass. A text beyond its limit is not found: in JSON it
   * is longer than any message or state, which is refused by its length.
   *
   * @param what names the value in the error
   * @param json well-formed
   * @throws CodecException if it is beyond a limit
   */
  void check(Supplier<String> what, byte[] json) {
    if (json.length > 2 * mostDepth) {
      new Measure(what).bytes(json, 0);
    }
  }

  /** Checks a tree against the limits in one walk. */
  void check(String what, JsonNode tree) {
    new Measure(() -> what).tree(tree, 0);
  }

  /** Count of the tokens of one value. */
  private final class Measure {
    private final Supplier<String> what;
    private int tokens;

    Measure(Supplier<String> what) {
      this.what = what;
    }

    private void most(long found, long most, Limit limit) {
      if (found > most) {
        throw CodecException.unreadable(what.get(), limit.refuse(most));
      }
    }

    private void token() {
      most(++tokens, mostTokens, Limit.TOKENS);
    }

    private void depth(int depth) {
      most(depth, mostDepth, Limit.DEPTH);
    }

    private void digits(int digits) {
      most(digits, MOST_DIGITS, Limit.DIGITS);
    }

    private void name(long length) {
      most(length, MOST_NAME, Limit.NAME);
    }

    private void text(long length) {
      most(length, MOST_TEXT, Limit.TEXT);
    }

    void bytes(byte[] json, int outside) {
      int depth = outside;
      int at = 0;
      while (at < json.length) {
        switch (json[at]) {
          case '{', '[' -> {
            token();
            depth(++depth);
            at++;
          }
          case '}', ']' -> {
            token();
            depth--;
            at++;
          }
          case ',', ':', ' ', '\t', '\r', '\n' -> at++;
          case '"' -> {
            token();
            at = string(json, at + 1);
          }
          default -> {
            token();
            at = scalar(json, at);
          }
        }
      }
    }

    /** Returns where it goes on. */
    private int string(byte[] json, int from) {
      int end = from;
      while (end < json.length && json[end] != '"') {
        end += json[end] == '\\' ? 2 : 1;
      }
      if (end - from > MOST_NAME && end + 1 < json.length && json[end + 1] == ':') {
        name(nameBytes(json, from, end));
      }
      return end + 1;
    }

    private int scalar(byte[] json, int from) {
      int at = from;
      int digits = 0;
      while (at < json.length && ",]} \t\r\n".indexOf(json[at]) < 0) {
        digits += json[at] >= '0' && json[at] <= '9' ? 1 : 0;
        at++;
      }
      digits(digits);
      return at;
    }

    void tree(JsonNode node, int outside) {
      if (node.isContainerNode()) {
        token();
        depth(outside + 1);
        container(node, outside + 1);
        token();
      } else if (node.isPojo()) {
        bytes(Json.uncheckedBytes(node), outside);
      } else {
        token();
        scalar(node);
      }
    }

    private void container(JsonNode node, int depth) {
      for (Iterator<Map.Entry<String, JsonNode>> i = node.fields(); i.hasNext(); ) {
        Map.Entry<String, JsonNode> field = i.next();
        token();
        if (field.getKey().length() > MOST_NAME / 3) {
          name(utf8(field.getKey()));
        }
        tree(field.getValue(), depth);
      }
      if (node.isArray()) {
        for (JsonNode element : node) {
          tree(element, depth);
        }
      }
    }

    private void scalar(JsonNode node) {
      if (node.isTextual()) {
        text(node.textValue().length());
      } else if (node.isBinary()) {
        text(node.asText().length());
      } else if (node.isBigInteger() || node.isBigDecimal()) {
        BigInteger number =
            node.isBigInteger() ? node.bigIntegerValue() : node.decimalValue().unscaledValue();
        if (number.bitLength() > SHORT_BITS) {
          digits((int) node.asText().chars().filter(c -> c >= '0' && c <= '9').count());
        }
      }
    }
  }

  /** Returns the bytes of UTF-8 that an escaped name stands for. */
  private static long nameBytes(byte[] json, int from, int end) {
    long bytes = 0;
    int at = from;
    while (at < end) {
      if (json[at] != '\\') {
        bytes++;
        at++;
      } else if (json[at + 1] != 'u') {
        bytes++;
        at += 2;
      } else {
        String code = new String(json, at + 2, 4, StandardCharsets.US_ASCII);
        bytes += utf8(Character.toString(Integer.parseInt(code, 16)));
        at += 6;
      }
    }
    return bytes;
  }

  private static long utf8(String text) {
    return text.getBytes(StandardCharsets.UTF_8).length;
  }
}
