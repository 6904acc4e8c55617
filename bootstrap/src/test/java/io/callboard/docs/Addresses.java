package io.callboard.docs;

import java.nio.file.Path;
import java.util.regex.Pattern;

/** Translation of links in the Markdown files into paths of the repository and of the site. */
final class Addresses {
  /** Folder, in the repository, of the pages that are at the top of the site. */
  static final String DOCS = "bootstrap/docs/";

  private static final Pattern ELSEWHERE = Pattern.compile("[a-zA-Z][a-zA-Z0-9+.-]*:.*");

  private Addresses() {}

  /** Returns whether the destination of a link is a URL, not a file of the repository. */
  static boolean isElsewhere(String destination) {
    return ELSEWHERE.matcher(destination).matches();
  }

  /** Returns the part of a destination that names a heading; empty if there is none. */
  static String anchor(String destination) {
    int hash = destination.indexOf('#');
    return hash < 0 ? "" : destination.substring(hash + 1);
  }

  /**
   * Returns the path in the repository of the file that a link leads to.
   *
   * @param source path in the repository of the page that has the link
   * @param destination of the link, as it is written: relative to its page
   */
  static String file(String source, String destination) {
    String path = destination.replaceFirst("#.*", "");
    return path.isEmpty() ? source : unix(Path.of(source).resolveSibling(path).normalize());
  }

  /** Returns the path in the site of a file of the repository. */
  static String path(String file) {
    String shown = file.startsWith(DOCS) ? file.substring(DOCS.length()) : file;
    return shown.endsWith(".md") ? shown.replaceFirst("\\.md$", ".html") : shown + ".txt";
  }

  /** Returns the way from a page of the site, given by its path in it, to the top. */
  static String up(String path) {
    return "../".repeat((int) path.chars().filter(each -> each == '/').count());
  }

  /** Returns what the site has in place of a destination. */
  static String target(String source, String destination) {
    if (isElsewhere(destination) || destination.startsWith("#")) {
      return destination;
    }
    String anchor = anchor(destination);
    return up(path(source))
        + path(file(source, destination))
        + (anchor.isEmpty() ? "" : "#" + anchor);
  }

  /** Returns a path with slashes on every system. */
  static String unix(Path path) {
    return path.toString().replace('\\', '/');
  }
}
