package io.callboard.codecs.text;

import io.callboard.codecs.fields.Fields;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Checks of texts from outside that are to be stored, shown or handed to other programs. */
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

  /**
   * Returns a copy of texts.
   *
   * @param field field that has them, as errors name it
   * @throws NullPointerException if they, or one of them, are null; it names the place
   */
  public static List<String> copyOf(String field, @Nullable List<String> texts) {
    Objects.requireNonNull(texts, () -> field + " is null: give List.of() for none");
    for (int i = 0; i < texts.size(); i++) {
      int at = i;
      String unused =
          Objects.requireNonNull(
              texts.get(i), () -> "%s/%d is null: give a text".formatted(field, at));
    }
    return List.copyOf(texts);
  }

  /**
   * Returns a copy of texts by their names.
   *
   * @param field field that has them, as errors name it
   * @throws NullPointerException if they, or one of them, are null; it names the place
   */
  public static Map<String, String> copyOf(String field, @Nullable Map<String, String> texts) {
    Objects.requireNonNull(texts, () -> field + " is null: give Map.of() for none");
    texts.forEach(
        (name, text) -> {
          String key =
              Objects.requireNonNull(
                  name, () -> "a name in %s is null: give a text".formatted(field));
          String unused =
              Objects.requireNonNull(
                  text,
                  () ->
                      "%s/%s is null: give a text, or leave it out"
                          .formatted(field, Fields.escaped(key)));
        });
    return Map.copyOf(texts);
  }
}
