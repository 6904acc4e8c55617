package io.callboard.docs;

/** Pieces of HTML that the site adds around its pages. */
final class Html {
  private Html() {}

  /** Returns the text with what HTML would take for markup escaped. */
  static String escaped(String text) {
    return text.replace("&", "&amp;").replace("<", "&lt;").replace("\"", "&quot;");
  }

  /** Returns a link; {@code here} marks the page that it is on. */
  static String link(String address, String text, boolean here) {
    return "<a href=\"%s\"%s>%s</a>"
        .formatted(escaped(address), here ? " aria-current=\"page\"" : "", escaped(text));
  }
}
