package io.callboard.codecs.fields;

import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Copies of texts that programs give, none of which may be null. */
public final class GivenTexts {
  private GivenTexts() {}

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
