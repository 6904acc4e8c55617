package io.callboard.codecs.internal.text;

import java.util.Collection;
import java.util.Comparator;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Collectors;

/** Search for the name that was probably meant by a mistyped one. */
public final class Suggestions {
  /** Maximum number of names that a remedy gives of those of which there may be many. */
  private static final int MOST = 10;

  private Suggestions() {}

  /**
   * Returns the name at most a third of whose letters differ from {@code given}; empty if none is
   * so near.
   */
  public static Optional<String> of(String given, Collection<String> names) {
    String wanted = given.toLowerCase(Locale.ROOT);
    return names.stream()
        .filter(name -> distance(wanted, name.toLowerCase(Locale.ROOT)) <= 1 + name.length() / 3)
        .min(
            Comparator.comparingInt(
                    (String name) -> distance(wanted, name.toLowerCase(Locale.ROOT)))
                .thenComparing(Comparator.naturalOrder()));
  }

  /**
   * Returns the number of insertions, deletions, replacements and swaps of neighbours that turn one
   * into the other.
   */
  static int distance(String a, String b) {
    if (Math.abs(a.length() - b.length()) > 32) {
      return Integer.MAX_VALUE;
    }
    int[][] cost = new int[a.length() + 1][b.length() + 1];
    for (int i = 0; i <= a.length(); i++) {
      for (int j = 0; j <= b.length(); j++) {
        if (i == 0 || j == 0) {
          cost[i][j] = i + j;
          continue;
        }
        int replace = a.charAt(i - 1) == b.charAt(j - 1) ? 0 : 1;
        cost[i][j] =
            Math.min(cost[i - 1][j - 1] + replace, 1 + Math.min(cost[i - 1][j], cost[i][j - 1]));
        boolean swapped =
            i > 1
                && j > 1
                && a.charAt(i - 1) == b.charAt(j - 2)
                && a.charAt(i - 2) == b.charAt(j - 1);
        if (swapped) {
          cost[i][j] = Math.min(cost[i][j], cost[i - 2][j - 2] + 1);
        }
      }
    }
    return cost[a.length()][b.length()];
  }

  /** Returns {@code did you mean "x"?}. */
  public static String question(String name) {
    return "did you mean \"%s\"?".formatted(name);
  }

  /** Returns {@code did you mean "x"?}, or the names that there are. */
  public static String remedy(String given, Collection<String> names) {
    return remedy(given, names, names.size());
  }

  /**
   * Returns the remedy for a name of which users give many: if it names those that there are, it
   * names the first ten, and says how many others there are.
   */
  public static String remedyOfMany(String given, Collection<String> names) {
    return remedy(given, names, MOST);
  }

  private static String remedy(String given, Collection<String> names, int most) {
    return names.isEmpty()
        ? "there is none"
        : of(given, names).map(Suggestions::question).orElseGet(() -> existing(names, most));
  }

  private static String existing(Collection<String> names, int most) {
    int others = names.size() - most;
    return "there are "
        + names.stream().sorted().limit(most).collect(Collectors.joining(", "))
        + (others > 0 ? " and %,d more".formatted(others) : "");
  }

  /** Returns the remedy after a semicolon. */
  public static String hint(String given, Collection<String> names) {
    return "; " + remedy(given, names);
  }
}
