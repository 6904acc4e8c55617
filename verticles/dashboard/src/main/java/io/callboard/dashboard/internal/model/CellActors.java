package io.callboard.dashboard.internal.model;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.callboard.Callboard;
import io.callboard.CallboardException;
import io.callboard.admin.ActorStatus.State;
import io.callboard.admin.SupervisionTree;
import io.callboard.codecs.ActorPath;
import io.callboard.dashboard.internal.attention.CachedReading;
import io.callboard.store.Member;
import io.vertx.core.Future;
import java.time.Clock;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** Single actors and failure zones of the cell, wherever they are. */
public final class CellActors {
  /** Maximum number of nodes that are asked for an actor of which nobody knows where it is. */
  private static final int MOST_ASKED = 50;

  /** Maximum number of silent nodes that an error names. */
  private static final int MOST_NAMED = 10;

  /** Interval in which the nodes are asked again for one of which nobody knows where it is. */
  private static final Duration EVERY = Duration.ofSeconds(5);

  /** Maximum number of paths of which the last answers are kept. */
  private static final int MOST_KEPT = 100;

  private final Callboard callboard;
  private final SupervisionRows here;
  private final Clock clock;

  /** By path, those used last at the end. */
  private final Map<ActorPath, CachedReading<Optional<ObjectNode>>> unplaced =
      new LinkedHashMap<>(16, 0.75f, true);

  /** Creates the reader of a node. */
  public CellActors(Callboard callboard, SupervisionRows here, Clock clock) {
    this.callboard = callboard;
    this.here = here;
    this.clock = clock;
  }

  /**
   * Completes with the failure zone or else the actor of that path: of this node if it has one,
   * else of the node that owns it or has it; empty if there is none. Of an actor whose owner does
   * not answer it is what is stored. Fails with {@code UNAVAILABLE} if a node that is named does
   * not answer, or if nobody who answers has it and others do not answer or were not asked.
   *
   * @param node name of the node; null if it is not known
   */
  public Future<Optional<ObjectNode>> one(ActorPath path, @Nullable String node) {
    if (node != null && isOther(node)) {
      return member(node)
          .compose(
              member ->
                  member
                      .map(known -> callboard.admin().of(known).find(path.toString()))
                      .orElseGet(() -> Future.succeededFuture(Optional.empty())));
    }
    return here.one(path)
        .compose(
            found ->
                node != null || found.filter(CellActors::isHere).isPresent()
                    ? Future.succeededFuture(found)
                    : elsewhere(path, found));
  }

  /** Returns whether a name is not that of this node. */
  public boolean isOther(String node) {
    return !node.equals(callboard.node());
  }

  /**
   * Completes with the contents of failure zones of another node, in the form of {@link
   * SupervisionTree#rows}; with fewer rows of each zone if the answer has no room for them. Fails
   * with {@code UNAVAILABLE} if the node is no member, does not answer or does not know the
   * question.
   *
   * @param most maximum number of rows of each zone
   */
  public Future<Map<String, ObjectNode>> contents(String node, List<String> zones, int most) {
    return member(node)
        .compose(
            member ->
                member
                    .map(known -> callboard.admin().of(known).contents(zones, most))
                    .orElseGet(
                        () ->
                            Future.failedFuture(
                                unavailable("node %s is no member of the cell".formatted(node)))));
  }

  private Future<Optional<Member>> member(String name) {
    return callboard
        .members()
        .map(members -> members.stream().filter(member -> member.name().equals(name)).findFirst());
  }

  private static boolean isHere(ObjectNode row) {
    String state = row.path("state").asText();
    return !state.equals(State.ELSEWHERE.name()) && row.has("node");
  }

  /** Returns the row of the node that has it; what is stored of it is added. */
  private Future<Optional<ObjectNode>> elsewhere(ActorPath path, Optional<ObjectNode> known) {
    String owner = known.map(row -> row.path("owner").asText("")).orElse("");
    Future<Optional<ObjectNode>> found = owner.isEmpty() ? unplaced(path) : ask(path, owner);
    return found
        .map(row -> row.map(each -> merged(each.deepCopy(), known)).or(() -> known))
        .recover(
            cause -> known.isEmpty() ? Future.failedFuture(cause) : Future.succeededFuture(known));
  }

  /** Asks all nodes, unless they were asked a moment ago: a page asks at each tick. */
  private Future<Optional<ObjectNode>> unplaced(ActorPath path) {
    CachedReading<Optional<ObjectNode>> kept;
    synchronized (unplaced) {
      kept =
          unplaced.computeIfAbsent(
              path, unused -> new CachedReading<>(EVERY, clock, () -> ask(path, "")));
      if (unplaced.size() > MOST_KEPT) {
        unplaced.remove(unplaced.keySet().iterator().next());
      }
    }
    return kept.read()
        .compose(
            reading ->
                reading.isFresh()
                    ? Future.succeededFuture(reading.orElse(Optional.empty()))
                    : Future.failedFuture(unavailable(String.valueOf(reading.error()))));
  }

  /** Asks one node, or all if its name is empty. */
  private Future<Optional<ObjectNode>> ask(ActorPath path, String name) {
    return callboard
        .members()
        .compose(
            members -> {
              List<Member> others =
                  members.stream()
                      .filter(member -> !member.name().equals(callboard.node()))
                      .filter(member -> name.isEmpty() || member.name().equals(name))
                      .toList();
              List<Member> asked = others.subList(0, Math.min(others.size(), MOST_ASKED));
              List<Future<Optional<ObjectNode>>> answers =
                  asked.stream()
                      .map(member -> callboard.admin().of(member).find(path.toString()))
                      .toList();
              return Future.join(answers)
                  .transform(all -> found(path, asked, answers, others.size() - asked.size()));
            });
  }

  /** Returns what the nodes have found; that none has it is known only if all have answered. */
  static Future<Optional<ObjectNode>> found(
      ActorPath path, List<Member> asked, List<Future<Optional<ObjectNode>>> answers, int unasked) {
    Optional<ObjectNode> found =
        answers.stream()
            .filter(Future::succeeded)
            .map(Future::result)
            .flatMap(Optional::stream)
            .filter(row -> !row.path("state").asText().equals(State.ELSEWHERE.name()))
            .findFirst();
    String silent =
        IntStream.range(0, asked.size())
            .filter(i -> answers.get(i).failed())
            .limit(MOST_NAMED)
            .mapToObj(i -> asked.get(i).name())
            .collect(Collectors.joining(", "));
    if (found.isPresent() || (silent.isEmpty() && unasked == 0)) {
      return Future.succeededFuture(found);
    }
    String others =
        unasked == 0
            ? ""
            : "; %d nodes were not asked, of at most %d".formatted(unasked, MOST_ASKED);
    return Future.failedFuture(
        unavailable(
            "no node that answers has %s; no answer from: %s%s"
                .formatted(path, silent.isEmpty() ? "none" : silent, others)));
  }

  private static CallboardException unavailable(String why) {
    return new CallboardException(CallboardException.Code.UNAVAILABLE, why);
  }

  private static ObjectNode merged(ObjectNode row, Optional<ObjectNode> known) {
    known
        .map(each -> each.get("stored"))
        .filter(Objects::nonNull)
        .ifPresent(stored -> row.set("stored", stored));
    return row;
  }
}
