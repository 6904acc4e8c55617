package io.callboard.examples.documents;

import org.apache.tika.langdetect.tika.LanguageIdentifier;

/**
 * Step {@code language}: the language of a text, by the profiles of Tika. They are some kilobytes a
 * language and are in its jar; detectors with models have tens of megabytes.
 */
public final class LanguageDetection {
  private static final int MOST_CHARS = 20_000;

  /** Letters below which the profiles guess. */
  private static final int LEAST_LETTERS = 50;

  private LanguageDetection() {}

  /**
   * Language of a text.
   *
   * @param code its code, such as {@code en}; {@code ?} if the text says too little
   * @param score how near its profile is, 0 to 1
   */
  public record Language(String code, double score) {}

  /** Detects the language of a text, or of its beginning if it is long. */
  public static Language detect(String text) {
    String beginning = text.substring(0, Math.min(MOST_CHARS, text.length()));
    if (beginning.codePoints().filter(Character::isLetter).count() < LEAST_LETTERS) {
      return new Language("?", 0);
    }
    LanguageIdentifier language = new LanguageIdentifier(beginning);
    return new Language(language.getLanguage(), Math.round(100 * language.getRawScore()) / 100.0);
  }
}
