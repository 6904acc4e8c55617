package io.callboard.chaos.sources;

import java.util.Optional;

/**
 * Line that a run of a step wrote about itself.
 *
 * @param step id of the step
 * @param article id of the article
 * @param key key of the step for effects elsewhere, the same for all of its runs
 * @param node node on which it ran
 */
public record ArticleLine(String step, String article, String key, String node) {
  /** Step that writes into the index. */
  public static final String INDEX = "index";

  private static final int FIELDS = 5;
  private static final String END = ".";

  /**
   * Returns the line of a text; empty if it is none, as the last line of a killed process may be
   * torn.
   */
  public static Optional<ArticleLine> parse(String text) {
    String[] fields = text.split("\t", -1);
    return fields.length == FIELDS && fields[FIELDS - 1].equals(END)
        ? Optional.of(new ArticleLine(fields[0].intern(), fields[1], fields[2], fields[3].intern()))
        : Optional.empty();
  }

  /** Returns the line as it is written. */
  public String text() {
    return String.join("\t", step, article, key, node, END);
  }

  boolean isIndexed() {
    return step.equals(INDEX);
  }
}
