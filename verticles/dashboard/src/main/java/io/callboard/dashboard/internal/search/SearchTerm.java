package io.callboard.dashboard.internal.search;

import io.callboard.codecs.ActorPath;
import io.callboard.dashboard.internal.attention.Listing;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Text of a search, and the limit of its hits. Pure.
 *
 * @param text text without spaces around it
 * @param limit maximum number of hits of a kind
 */
record SearchTerm(String text, int limit) {
  private static final Pattern ID = Pattern.compile("[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}");

  /** Returns the id that it is, of a job or an instance; empty if it is none. */
  Optional<String> id() {
    String lower = text.toLowerCase(Locale.ROOT);
    return ID.matcher(lower).matches() ? Optional.of(lower) : Optional.empty();
  }

  /** Returns the path that it is; empty if it does not begin with a slash, or is none. */
  Optional<ActorPath> path() {
    try {
      return isPath() ? Optional.of(ActorPath.of(text)) : Optional.empty();
    } catch (IllegalArgumentException e) {
      return Optional.empty(); // the beginning of one, or something else
    }
  }

  /** Returns whether it is meant as a path. */
  boolean isPath() {
    return text.startsWith("/");
  }

  /** Returns whether it is that name. */
  boolean is(String name) {
    return name.equalsIgnoreCase(text);
  }

  private boolean isIn(@Nullable String other) {
    return other != null && lower(other).contains(lower(text));
  }

  private static String lower(String any) {
    return any.toLowerCase(Locale.ROOT);
  }

  /**
   * Returns those whose name or label contains it: first the one of that name, then those whose
   * name begins with it, then those whose name contains it.
   */
  Listing<Hit> of(Stream<Hit> all) {
    List<Hit> found =
        all.filter(hit -> isIn(hit.subject().name()) || isIn(hit.label()))
            .sorted(
                Comparator.<Hit>comparingInt(this::rank).thenComparing(hit -> hit.subject().name()))
            .limit(limit + 1L)
            .toList();
    return first(found, null);
  }

  private int rank(Hit hit) {
    String name = hit.subject().name();
    return hit.exact() ? 0 : lower(name).startsWith(lower(text)) ? 1 : isIn(name) ? 2 : 3;
  }

  /**
   * Returns as many as are wanted.
   *
   * @param incomplete why others may be missing; null if none are
   */
  Listing<Hit> first(List<Hit> found, @Nullable String incomplete) {
    boolean more = found.size() > limit;
    return new Listing<>(more ? found.subList(0, limit) : found, more, incomplete);
  }
}
