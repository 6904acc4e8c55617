package io.callboard.dashboard.internal.attention;

import io.callboard.dashboard.internal.attention.Subject.Kind;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Rules of attention: find the troubles in the facts, at a time. Pure. */
public final class AttentionRules {
  /** Maximum number of troubles that one rule lists; of more, the most urgent, then the oldest. */
  public static final int MOST_OF_RULE = 20;

  private static final Comparator<Trouble> OLDEST_FIRST =
      Comparator.<Trouble, Instant>comparing(
              Trouble::since, Comparator.nullsLast(Comparator.naturalOrder()))
          .thenComparing(Trouble::id);

  private static final Comparator<Trouble> WORST_FIRST =
      Comparator.comparing(Trouble::severity).thenComparing(OLDEST_FIRST);

  private AttentionRules() {}

  /**
   * Troubles that were found.
   *
   * @param items the troubles, the most urgent first
   * @param omitted numbers of further ones by severity; of which there are none is not in it
   * @param read what was read, in words: of nothing else is it known that it is well
   */
  public record Found(List<Trouble> items, Map<Severity, Integer> omitted, String read) {
    /** Copies the collections. */
    public Found {
      items = List.copyOf(items);
      omitted = Collections.unmodifiableMap(new TreeMap<>(omitted));
    }

    /** Returns the number of troubles that are not listed. */
    public int omittedInAll() {
      return omitted.values().stream().mapToInt(Integer::intValue).sum();
    }
  }

  /** Returns the troubles that the facts show. */
  public static Found check(Facts facts, Instant now) {
    Map<String, Trouble> byId = new LinkedHashMap<>();
    // of two rules that find the same, the first has more to say
    ActorTroubles.check(facts, now, trouble -> byId.putIfAbsent(trouble.id(), trouble));
    NodeTroubles.check(facts, now, trouble -> byId.putIfAbsent(trouble.id(), trouble));
    CellTroubles.check(
        facts,
        now,
        trouble -> {
          if (!isOfANode(trouble, byId)) {
            byId.putIfAbsent(trouble.id(), trouble);
          }
        });
    JobTroubles.check(facts, now, trouble -> byId.putIfAbsent(trouble.id(), trouble));
    RunTroubles.check(facts.runs(), trouble -> byId.putIfAbsent(trouble.id(), trouble));
    WorkTroubles.check(facts, now, trouble -> byId.putIfAbsent(trouble.id(), trouble));
    PartTroubles.check(facts, trouble -> byId.putIfAbsent(trouble.id(), trouble));
    unread("missing nodes and findings of the grid monitor", facts.grid(), byId);
    unread("actors of this node", facts.actors(), byId);
    unread("parked messages", facts.parked(), byId);
    unread("types of jobs", facts.types(), byId);
    unread("dead jobs", facts.dead(), byId);
    unread("brakes of workflows", facts.brakes(), byId);
    unread("steps of workflows that wait", facts.work(), byId);
    unread("sources", facts.sources(), byId);
    facts
        .ofParts()
        .forEach((part, reading) -> unread("troubles of the part " + part, reading, byId));
    NotableActors actors = facts.actors().value();
    incomplete("actors of this node", actors == null ? null : actors.incomplete(), byId);
    incomplete("other nodes", facts.others().incomplete(), byId);
    incomplete("types of jobs", incomplete(facts.types()), byId);
    incomplete("dead jobs", incomplete(facts.dead()), byId);
    return limited(byId.values(), ReadingNames.of(facts));
  }

  /**
   * A monitor of an older version does not tell on which node an actor is, which says so itself.
   */
  private static boolean isOfANode(Trouble trouble, Map<String, Trouble> byId) {
    return trouble.rule() == Rule.ACTOR_FAILED
        && trouble.subject().node() == null
        && byId.keySet().stream().anyMatch(id -> id.startsWith(trouble.id() + " on "));
  }

  /** While the store is away that is the trouble, not each thing that cannot be read from it. */
  private static void unread(String what, Reading<?> reading, Map<String, Trouble> byId) {
    boolean away =
        byId.values().stream().anyMatch(trouble -> trouble.rule() == Rule.STORE_UNREACHABLE);
    if (reading.isFresh() || away) {
      return;
    }
    Trouble trouble =
        Trouble.of(
            Rule.NOT_READ,
            Severity.WARNING,
            Subject.of(Kind.PART, what),
            reading.failedSince(),
            "they cannot be read, so nothing is known of them now: " + reading.error(),
            Action.advice("wait: they are read again by themselves; if they are not, see the log"));
    byId.putIfAbsent(trouble.id(), trouble);
  }

  /** Of what was read in part, nothing is known of the rest. */
  private static void incomplete(String what, @Nullable String missing, Map<String, Trouble> byId) {
    if (missing == null) {
      return;
    }
    Trouble trouble =
        Trouble.of(
            Rule.NOT_READ,
            Severity.WARNING,
            Subject.of(Kind.PART, what),
            null,
            "they were read in part, so others may be wrong too: " + missing,
            Action.advice("wait: they are read again by themselves; if they are not, see the log"));
    byId.putIfAbsent(trouble.id(), trouble);
  }

  private static <T> @Nullable String incomplete(Reading<Listing<T>> reading) {
    Listing<T> listing = reading.value();
    return listing == null ? null : listing.incomplete();
  }

  private static Found limited(Iterable<Trouble> all, String read) {
    Map<Rule, List<Trouble>> byRule = new EnumMap<>(Rule.class);
    all.forEach(
        trouble -> byRule.computeIfAbsent(trouble.rule(), rule -> new ArrayList<>()).add(trouble));
    List<Trouble> items = new ArrayList<>();
    Map<Severity, Integer> omitted = new EnumMap<>(Severity.class);
    for (List<Trouble> of : byRule.values()) {
      of.sort(WORST_FIRST);
      int listed = Math.min(MOST_OF_RULE, of.size());
      items.addAll(of.subList(0, listed));
      of.subList(listed, of.size())
          .forEach(trouble -> omitted.merge(trouble.severity(), 1, Integer::sum));
    }
    items.sort(
        Comparator.comparing(Trouble::severity)
            .thenComparing(Trouble::rule)
            .thenComparing(OLDEST_FIRST));
    return new Found(items, omitted, read);
  }
}
