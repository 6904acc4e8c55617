package io.callboard.codecs.internal.text;

/** Cut of a text that has a maximum length: it never divides a surrogate pair. */
public final class CutText {
  private CutText() {}

  /** Returns the first {@code most} characters of a text, or one less; all if it is no longer. */
  public static String head(String text, int most) {
    return text.length() <= most ? text : text.substring(0, divides(text, most) ? most - 1 : most);
  }

  /** Returns the last {@code most} characters of a text, or one less; all if it is no longer. */
  public static String tail(String text, int most) {
    int begin = text.length() - most;
    return begin <= 0 ? text : text.substring(divides(text, begin) ? begin + 1 : begin);
  }

  private static boolean divides(String text, int at) {
    return at > 0
        && at < text.length()
        && Character.isHighSurrogate(text.charAt(at - 1))
        && Character.isLowSurrogate(text.charAt(at));
  }
}
