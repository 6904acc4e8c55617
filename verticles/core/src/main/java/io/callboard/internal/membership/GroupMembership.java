package io.callboard.internal.membership;

import io.callboard.codecs.ActorPath;
import io.callboard.codecs.CodecException;
import io.callboard.codecs.Json;
import io.callboard.supervision.Causes;
import io.callboard.time.Machine;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Members of groups as one node knows them: its own, which it publishes as one fact, and those in
 * the facts of other nodes. A machine without I/O; not thread-safe.
 */
@Machine
final class GroupMembership {
  /**
   * Limit of the members of one node in all groups: their fact has to fit a znode beside others.
   */
  static final int MOST = 500;

  private static final int FORMAT = 1;
  private static final String DURABLE = "d";
  private static final String VOLATILE = "v";

  private final Map<ActorPath, Joined> own = new TreeMap<>();

  /** Actors waiting for room to become members; the first comes first. */
  private final Map<ActorPath, Joined> waiting = new LinkedHashMap<>();

  private Map<String, Set<Member>> elsewhere = Map.of();

  /** One actor in a group. */
  record Member(ActorPath path, boolean durable) implements Comparable<Member> {
    @Override
    public int compareTo(Member other) {
      int byPath = path.compareTo(other.path);
      return byPath == 0 ? Boolean.compare(durable, other.durable) : byPath;
    }

    String text() {
      return (durable ? DURABLE : VOLATILE) + path;
    }

    /**
     * @throws IllegalArgumentException if {@code text} is not a member
     */
    static Member read(String text) {
      boolean durable = text.startsWith(DURABLE);
      if (!durable && !text.startsWith(VOLATILE)) {
        throw new IllegalArgumentException(
            "the member \"%.250s\" is neither durable nor volatile".formatted(text));
      }
      return new Member(ActorPath.of(text.substring(1)), durable);
    }
  }

  private record Joined(String group, Member member) {}

  /**
   * Fact as it is published.
   *
   * @param f the format
   * @param groups the members of each group, by its name
   */
  record Fact(int f, Map<String, List<String>> groups) {}

  boolean isFull() {
    return own.size() >= MOST;
  }

  /**
   * Adds an actor to a group; if there are {@link #MOST} already, it waits until one of them
   * leaves.
   *
   * @return whether anything has changed
   */
  boolean join(String group, ActorPath path, boolean durable) {
    Joined joined = new Joined(group, new Member(path, durable));
    if (joined.equals(own.get(path))) {
      return false;
    } else if (isFull() && !own.containsKey(path)) {
      waiting.put(path, joined);
      return false;
    }
    own.put(path, joined);
    return true;
  }

  /** Returns the number of running actors that are in no group because there are too many. */
  int waiting() {
    return waiting.size();
  }

  static String full() {
    return "%d actors of this node are in groups, which is the limit".formatted(MOST);
  }

  /**
   * Removes an actor.
   *
   * @return the groups that have changed: its own, and that of the actor that takes its place
   */
  Set<String> leave(ActorPath path) {
    Joined left = own.remove(path);
    if (left == null) {
      waiting.remove(path);
      return Set.of();
    }
    Set<String> changed = new HashSet<>();
    changed.add(left.group());
    Iterator<Joined> next = waiting.values().iterator();
    if (next.hasNext()) {
      Joined joins = next.next();
      next.remove();
      own.put(joins.member().path(), joins);
      changed.add(joins.group());
    }
    return changed;
  }

  /** Returns the fact for the other nodes. */
  String fact() {
    Map<String, List<String>> groups = new TreeMap<>();
    own.values()
        .forEach(
            joined ->
                groups
                    .computeIfAbsent(joined.group(), name -> new ArrayList<>())
                    .add(joined.member().text()));
    return new String(Json.uncheckedBytes(new Fact(FORMAT, groups)), StandardCharsets.UTF_8);
  }

  /**
   * Takes the present facts of the other nodes, by node.
   *
   * @param broken gets the reasons why facts are left out
   * @return the groups that have changed
   */
  Set<String> elsewhere(Map<String, String> facts, List<String> broken) {
    Map<String, Set<Member>> before = elsewhere;
    Map<String, Set<Member>> now = new TreeMap<>();
    facts.forEach(
        (node, fact) -> {
          try {
            read(node, fact)
                .forEach(
                    (group, members) ->
                        now.computeIfAbsent(group, name -> new TreeSet<>()).addAll(members));
          } catch (CodecException | IllegalArgumentException e) {
            broken.add(
                "the groups of node %s cannot be read and are ignored: %s"
                    .formatted(node, Causes.message(e)));
          }
        });
    elsewhere = now;
    Set<String> changed = new HashSet<>(now.keySet());
    changed.addAll(before.keySet());
    changed.removeIf(group -> Objects.equals(before.get(group), now.get(group)));
    return changed;
  }

  private static Map<String, Set<Member>> read(String node, String text) {
    String what = "the fact about groups of node " + node;
    Fact fact = Json.read(what, text.getBytes(StandardCharsets.UTF_8), Fact.class);
    int count = fact.groups().values().stream().mapToInt(List::size).sum();
    if (fact.f() > FORMAT || count > MOST) {
      throw new IllegalArgumentException(
          "it has format %d and %d members, this node reads up to format %d and %d members"
              .formatted(fact.f(), count, FORMAT, MOST));
    }
    Map<String, Set<Member>> members = new TreeMap<>();
    fact.groups()
        .forEach(
            (group, texts) ->
                members.put(
                    group,
                    texts.stream()
                        .map(Member::read)
                        .collect(Collectors.toCollection(TreeSet::new))));
    return members;
  }

  /** Returns the members of a group, ordered by path; one that two nodes report counts once. */
  List<Member> members(String group) {
    Stream<Member> here =
        own.values().stream().filter(each -> each.group().equals(group)).map(Joined::member);
    return Stream.concat(here, elsewhere.getOrDefault(group, Set.of()).stream())
        .distinct()
        .sorted()
        .toList();
  }
}
