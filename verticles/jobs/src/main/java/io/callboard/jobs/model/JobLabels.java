package io.callboard.jobs.model;

import io.callboard.codecs.fields.FieldDefect;
import io.callboard.codecs.fields.Fields;
import io.callboard.codecs.internal.text.PlainText;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;

/** Limits of the labels of jobs. */
public final class JobLabels {
  /** Most labels of a job. */
  public static final int MOST = 32;

  /** Most characters of the value of a label. */
  public static final int LONGEST_VALUE = 200;

  private static final String FORM = "[A-Za-z0-9]([A-Za-z0-9._/-]{0,61}[A-Za-z0-9])?";
  private static final Pattern KEY = Pattern.compile(FORM);
  private static final Pattern LABEL =
      Pattern.compile(FORM + "(=.{0,%d})?".formatted(LONGEST_VALUE));

  private JobLabels() {}

  /** Returns why a text is not a key of a label; empty if it is one. */
  public static Optional<String> faultOfKey(String key) {
    return KEY.matcher(key).matches()
        ? Optional.empty()
        : Optional.of(
            "\"%.100s\" is no label key: up to 63 letters, digits and - _ . /, the first and the last a letter or digit"
                .formatted(key));
  }

  /** Returns why a text is not a value of a label; empty if it is one. */
  public static Optional<String> faultOfValue(String value) {
    return value.length() <= LONGEST_VALUE
        ? PlainText.fault(value)
        : Optional.of(
            "a value has at most %d characters, this has %,d"
                .formatted(LONGEST_VALUE, value.length()));
  }

  /**
   * Returns the first thing that is wrong with labels; empty if nothing is.
   *
   * @param field field that has them
   * @param most maximum number of them
   */
  public static Optional<FieldDefect> fault(String field, Map<String, String> labels, int most) {
    if (labels.size() > most) {
      return fault("/" + field, "there are at most %d, not %,d".formatted(most, labels.size()));
    }
    for (Map.Entry<String, String> label : labels.entrySet()) {
      Optional<String> ofKey = faultOfKey(label.getKey());
      Optional<String> ofValue = faultOfValue(label.getValue());
      if (ofKey.isPresent()) {
        return fault("/" + field, ofKey.get());
      } else if (ofValue.isPresent()) {
        return fault("/%s/%s".formatted(field, Fields.escaped(label.getKey())), ofValue.get());
      }
    }
    return Optional.empty();
  }

  private static Optional<FieldDefect> fault(String pointer, String problem) {
    return Optional.of(new FieldDefect(pointer, problem, ""));
  }

  /** Returns whether a text is {@code key=value} of labels, or {@code key} for any value. */
  public static boolean isLabel(String text) {
    return LABEL.matcher(text).matches() && PlainText.fault(text).isEmpty();
  }
}
