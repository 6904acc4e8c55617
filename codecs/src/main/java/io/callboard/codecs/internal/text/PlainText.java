package io.callboard.codecs.internal.text;

import java.util.Optional;

/** Check of texts from outside that are to be stored, shown or handed to other programs. */
public final class PlainText {
  private PlainText() {}

  /** Returns why a text cannot be kept everywhere, in databases and as UTF-8; empty if it can. */
  public static Optional<String> fault(String text) {
    for (int i = 0; i < text.length(); i++) {
      char at = text.charAt(i);
      boolean pair =
          Character.isHighSurrogate(at)
              && i + 1 < text.length()
              && Character.isLowSurrogate(text.charAt(i + 1));
      if (at == 0 || (Character.isSurrogate(at) && !pair)) {
        return Optional.of("must not contain NUL or an unpaired surrogate");
      }
      i += pair ? 1 : 0;
    }
    return Optional.empty();
  }
}
