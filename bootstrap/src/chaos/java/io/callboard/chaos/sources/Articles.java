package io.callboard.chaos.sources;

import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Articles that were sent to a source: {@code d17} is the one with number 17 in the directory.
 *
 * @param accepted ids of those that are durable in the source
 * @param unknown ids of those that may be there or not, since the source did not answer
 */
public record Articles(Set<String> accepted, Set<String> unknown) {
  private static final Pattern ID = Pattern.compile("[a-z](\\d+)");

  /** Every article with such a number cannot be read. */
  private static final int POISON_EVERY = 50;

  private static final int POISON = 13;

  /** The first workflow of every article with such a number fails. */
  private static final int FAILS_EVERY = 10;

  private static final int FAILS = 7;

  /** Copies the sets. */
  public Articles {
    accepted = Set.copyOf(accepted);
    unknown = Set.copyOf(unknown);
  }

  private static int number(String article) {
    Matcher id = ID.matcher(article);
    if (!id.matches()) {
      throw new IllegalArgumentException("no id of an article: " + article);
    }
    return Integer.parseInt(id.group(1));
  }

  /** Returns whether an article cannot be read, and must be set aside. */
  static boolean isPoison(String article) {
    return number(article) % POISON_EVERY == POISON;
  }

  /** Returns whether the first workflow of an article fails. */
  static boolean failsAtFirst(String article) {
    return number(article) % FAILS_EVERY == FAILS;
  }

  /** Returns the content of the message with an article. */
  static String body(String article) {
    return isPoison(article) ? "{no article" : "{\"article\":\"%s\"}".formatted(article);
  }
}
