package io.callboard.examples.documents;

import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.List;

/** Step {@code links}: which relative links of a page lead nowhere. */
final class LinkCheck {
  private LinkCheck() {}

  /**
   * Returns the links that lead to no file.
   *
   * @param page file with the page
   * @param links its relative links
   */
  static List<String> dead(Path page, List<String> links) {
    return links.stream().filter(link -> !leads(page, link)).toList();
  }

  private static boolean leads(Path page, String link) {
    try {
      return Files.exists(page.resolveSibling(link.replaceFirst("\\?.*", "")));
    } catch (InvalidPathException e) {
      return false;
    }
  }
}
