package io.callboard.jobs.model;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

/**
 * Masks what looks like a secret in texts for people: values of options, variables, parameters and
 * headers by their names, and passwords in URLs. What is masked once stays as it is. Pure, in time
 * linear in the text.
 */
public final class Masked {
  /** Text that stands for a secret. */
  public static final String VALUE = "[masked]";

  /** Maximum length of the name of an option with a secret. */
  private static final int LONGEST_NAME = 100;

  private static final String NAME =
      "(?:password|passwd|passphrase|secret|token|credentials?|[-_.](?:pass|pwd)"
          + "|(?:api|access|private|secret)[-_.]?key)";
  private static final String GIVEN =
      "(?:\\\\?\"[^\"]*+\"?|'[^']*+'?|(?!\\[masked])[^\\s\"'&;|,)}]++)";

  private static final Pattern NAMES_SECRET = Pattern.compile("(?i)" + NAME + "$");
  private static final Pattern AUTHORIZATION =
      Pattern.compile("(?i)(?:authorization|cookie)$|^pass$|^pwd$");

  /**
   * Texts of which each pattern below contains one: most texts contain none, which is found fast.
   */
  private static final List<String> SUSPECTS =
      List.of(
          "pass", "secret", "token", "credential", "key", "pwd", "authorization", "cookie", "://");

  /** {@code password=x}, {@code "password": "x"}. */
  private static final Pattern ASSIGNED =
      Pattern.compile(
          "(?i)(" + NAME + "(?:[\\\\\"']{0,2}\\s{0,3}=|\\\\?[\"']\\s{0,3}:)\\s{0,3})" + GIVEN);

  /** {@code --password x}. */
  private static final Pattern OPTION =
      Pattern.compile("(?i)(" + NAME + "(?<=(?:^|\\s)--?[\\w.-]{1,60})\\s{1,3})(?!-)" + GIVEN);

  /** {@code Authorization: Basic x}. */
  private static final Pattern HEADER =
      Pattern.compile(
          "(?i)((?:authorization|cookie|x-[a-z-]{0,40}(?:key|token|secret))[\"']?\\s{0,3}[:=]"
              + "\\s{0,3}[\"']?)[^\"'\\r\\n]++");

  /** {@code https://user:x@host}. */
  private static final Pattern URL = Pattern.compile("(://[^/\\s:@\"'?#]*+:)[^/\\s@\"'?#]++(?=@)");

  private Masked() {}

  /** Returns whether the value of that name is a secret, as the name says. */
  public static boolean isSecret(String name) {
    return name.length() <= LONGEST_NAME
        && (NAMES_SECRET.matcher(name).find() || AUTHORIZATION.matcher(name).find());
  }

  private static boolean isSuspect(String text) {
    for (int i = 0; i < text.length(); i++) {
      switch (text.charAt(i)) {
        case 'p', 'P', 's', 'S', 't', 'T', 'c', 'C', 'k', 'K', 'a', 'A', ':' -> {
          for (String each : SUSPECTS) {
            if (text.regionMatches(true, i, each, 0, each.length())) {
              return true;
            }
          }
        }
        default -> {}
      }
    }
    return false;
  }

  /** Returns a text without its secrets. */
  public static String text(String text) {
    if (!isSuspect(text)) {
      return text;
    }
    String masked = HEADER.matcher(text).replaceAll("$1" + VALUE);
    masked = ASSIGNED.matcher(masked).replaceAll("$1" + VALUE);
    masked = OPTION.matcher(masked).replaceAll("$1" + VALUE);
    return URL.matcher(masked).replaceAll("$1" + VALUE);
  }

  /** Returns a program with its arguments, without their secrets. */
  public static List<String> command(List<String> command) {
    List<String> masked = new ArrayList<>(command.size());
    boolean secret = false;
    for (String argument : command) {
      boolean option = argument.startsWith("-");
      int end = argument.indexOf('=');
      if (secret && !option) {
        masked.add(VALUE);
      } else if (option && end > 0 && isSecret(argument.substring(0, end))) {
        masked.add(argument.substring(0, end + 1) + VALUE); // with spaces in it, too
      } else {
        masked.add(text(argument));
      }
      secret = option && end < 0 && isSecret(argument);
    }
    return List.copyOf(masked);
  }

  /** Returns JSON without its secrets: those of its texts, and what is in fields named like one. */
  public static JsonNode tree(JsonNode tree) {
    if (tree instanceof ObjectNode object) {
      ObjectNode masked = object.objectNode();
      object
          .properties()
          .forEach(
              field ->
                  masked.set(
                      field.getKey(),
                      isSecret(field.getKey()) && field.getValue().isValueNode()
                          ? masked.textNode(VALUE)
                          : tree(field.getValue())));
      return masked;
    } else if (tree instanceof ArrayNode array) {
      ArrayNode masked = array.arrayNode(array.size());
      array.forEach(each -> masked.add(tree(each)));
      return masked;
    }
    return tree.isTextual() ? TextNode.valueOf(text(tree.textValue())) : tree;
  }
}
