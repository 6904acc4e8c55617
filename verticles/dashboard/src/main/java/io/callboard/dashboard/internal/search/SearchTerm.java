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

  /** Returns the term as the id of a job or an instance; empty if it is not one. */
  Optional<String> id() {
    String lower = text.toLowerCase(Locale.ROOT);
    return ID.matcher(lower).matches() ? Optional.of(lower) : Optional.empty();
  }

  /** Returns the term as a path; empty if it does not begin with a slash, or is not one. */
  Optional<ActorPath> path() {
    try {
      return isPath() ? Optional.of(ActorPath.of(text)) : Optional.empty();
    } catch (IllegalArgumentException e) {
      return Optional.empty(); // the beginning of one, or something else
    }
  }

  /** Returns whether the term is meant as a path. */
  boolean isPath() {
    return text.startsWith("/");
  }

  /** Returns whether the term is that name, in capitals or not. */
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
   * Returns the hits whose name or label contains the term: first the exact ones, then those whose
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
   * Returns the first hits, up to the limit.
   *
   * @param incomplete why others may be missing; null if none are
   */
  Listing<Hit> first(List<Hit> found, @Nullable String incomplete) {
    boolean more = found.size() > limit;
    return new Listing<>(more ? found.subList(0, limit) : found, more, incomplete);
  }
}
