package io.callboard.grid;

import io.callboard.Callboard;
import io.callboard.codecs.ActorPath;
import io.callboard.codecs.CodecException;
import io.callboard.codecs.Json;
import io.callboard.store.Member;
import io.vertx.core.Future;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Fact of a node that names actors with a problem, at most {@value #MOST}. Used on the context of
 * its publisher.
 */
final class PathsFact {
  static final int MOST = 20;

  private static final Logger log = LoggerFactory.getLogger(PathsFact.class);

  private final String name;

  /** Actors that the published fact names, each with its problem. */
  private Map<ActorPath, String> published = Map.of();

  /**
   * Stored form of the fact.
   *
   * @param why problem of some of the actors; null if there is none to report
   */
  record Paths(int f, List<String> actors, @Nullable Map<String, String> why) {
    static final int FORMAT = 1;
  }

  PathsFact(String name) {
    this.name = name;
  }

  /** Publishes the actors if they changed; a failed write is repeated with the next call. */
  Future<Void> tell(Callboard callboard, Set<ActorPath> now) {
    Map<ActorPath, String> actors = new HashMap<>();
    now.forEach(actor -> actors.put(actor, ""));
    return tell(callboard, actors);
  }

  /**
   * Publishes the actors if they changed.
   *
   * @param now the actors, each with its problem or an empty text
   */
  Future<Void> tell(Callboard callboard, Map<ActorPath, String> now) {
    if (now.equals(published)) {
      return Future.succeededFuture();
    }
    byte[] fact = Json.bytes(some(now));
    return callboard
        .publish(name, new String(fact, StandardCharsets.UTF_8))
        .<Void>map(
            known -> {
              published = now;
              return null;
            })
        .recover(
            cause -> {
              log.info(
                  "the fact {} of this node could not be published, and will be: {}",
                  name,
                  cause.toString());
              return Future.succeededFuture();
            });
  }

  private static Paths some(Map<ActorPath, String> all) {
    List<String> actors = new ArrayList<>();
    Map<String, String> why = new TreeMap<>();
    all.entrySet().stream()
        .sorted(Map.Entry.comparingByKey())
        .limit(MOST)
        .forEach(
            entry -> {
              String actor = entry.getKey().toString();
              actors.add(actor);
              if (!entry.getValue().isEmpty()) {
                why.put(actor, "%.200s".formatted(entry.getValue()));
              }
            });
    return new Paths(Paths.FORMAT, actors, why.isEmpty() ? null : why);
  }

  /** Returns the actors that a member has published; none if the fact cannot be read. */
  static List<ActorPath> of(Member member, String name) {
    return List.copyOf(why(member, name).keySet());
  }

  /**
   * Returns the actors that a member has published, each with its problem, which is empty if not
   * stated.
   */
  static Map<ActorPath, String> why(Member member, String name) {
    String fact = member.facts().get(name);
    if (fact == null) {
      return Map.of();
    }
    byte[] written = fact.getBytes(StandardCharsets.UTF_8);
    try {
      Paths paths = Json.read("the fact of node " + member.name(), written, Paths.class);
      Map<String, String> why = paths.why() == null ? Map.of() : paths.why();
      Map<ActorPath, String> found = new TreeMap<>();
      paths.actors().forEach(actor -> found.put(ActorPath.of(actor), why.getOrDefault(actor, "")));
      return found;
    } catch (CodecException | IllegalArgumentException e) {
      log.warn("the fact {} of node {} cannot be read: {}", name, member.name(), e.toString());
      return Map.of();
    }
  }
}
