package io.callboard.placement;

import io.callboard.store.Member;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;

/**
 * Location of a node: the machine that it may share with other nodes, and its operator's labels.
 * Immutable.
 *
 * @param machine the name of its host, or of another unit that fails as a whole, such as a rack;
 *     empty if unknown
 * @param labels by key, for example {@code disk=ssd}; at most {@value #MOST_LABELS}
 */
public record Locality(String machine, Map<String, String> labels) {
  /** Labels of one node at most. */
  public static final int MOST_LABELS = 32;

  /** Location of a node that publishes none, for example one of an older Callboard. */
  public static final Locality UNKNOWN = new Locality("", Map.of());

  private static final Pattern MACHINE = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._:-]{0,252}");
  private static final Pattern KEY = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._/-]{0,62}");
  private static final Pattern VALUE = Pattern.compile("[A-Za-z0-9._/-]{0,63}");

  /**
   * Creates a location; the labels are copied.
   *
   * @throws IllegalArgumentException for a name or label that cannot be; says what would be right
   */
  public Locality {
    if (!machine.isEmpty() && !MACHINE.matcher(machine).matches()) {
      throw new IllegalArgumentException(
          "\"%.253s\" is not the name of a machine: use up to 253 letters, digits and - _ . :, the first a letter or digit"
              .formatted(machine));
    }
    labels = checked(labels);
  }

  /**
   * Labels as they are, if they can be.
   *
   * @throws IllegalArgumentException if not; says what would be right
   */
  public static Map<String, String> checked(Map<String, String> labels) {
    if (labels.size() > MOST_LABELS) {
      throw new IllegalArgumentException(
          "%d labels are too many: give at most %d".formatted(labels.size(), MOST_LABELS));
    }
    labels.forEach(
        (key, value) -> {
          if (!KEY.matcher(key).matches()) {
            throw new IllegalArgumentException(
                "\"%.63s\" is not the key of a label: use up to 63 letters, digits and - _ . /, the first a letter or digit"
                    .formatted(key));
          } else if (!VALUE.matcher(value).matches()) {
            throw new IllegalArgumentException(
                "\"%.63s\" is not a value of the label %s: use up to 63 letters, digits and - _ . /"
                    .formatted(value, key));
          }
        });
    return Map.copyOf(labels);
  }

  /** Returns the location that the node of a member published. */
  public static Locality of(Member member) {
    return Offer.of(member).locality();
  }

  /** Returns whether the node has each of these labels, with the same value. */
  public boolean has(Map<String, String> required) {
    return labels.entrySet().containsAll(required.entrySet());
  }

  /** Labels as an operator writes them: {@code disk=ssd,rack=r1}, ordered by key. */
  public static String text(Map<String, String> labels) {
    return String.join(
        ",",
        new TreeMap<>(labels)
            .entrySet().stream().map(label -> label.getKey() + "=" + label.getValue()).toList());
  }
}
