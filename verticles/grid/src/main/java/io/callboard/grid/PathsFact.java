package io.callboard.grid;

import io.callboard.Callboard;
import io.callboard.codecs.ActorPath;
import io.callboard.codecs.CodecException;
import io.callboard.codecs.Json;
import io.callboard.store.Member;
import io.vertx.core.Future;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A fact of a node that names actors with which something is wrong, at most {@value #MOST}. Used on
 * the context of whoever publishes it.
 */
final class PathsFact {
  static final int MOST = 20;

  private static final Logger log = LoggerFactory.getLogger(PathsFact.class);

  private final String name;

  /** What the others know. */
  private Set<ActorPath> told = Set.of();

  /** The fact, as it is written. */
  record Paths(int f, List<String> actors) {
    static final int FORMAT = 1;
  }

  PathsFact(String name) {
    this.name = name;
  }

  /** Publishes what has changed; what fails is tried with the next call. */
  Future<Void> tell(Callboard callboard, Set<ActorPath> now) {
    if (now.equals(told)) {
      return Future.succeededFuture();
    }
    List<String> some = now.stream().map(ActorPath::toString).sorted().limit(MOST).toList();
    byte[] fact = Json.bytes(new Paths(Paths.FORMAT, some));
    return callboard
        .publish(name, new String(fact, StandardCharsets.UTF_8))
        .<Void>map(
            known -> {
              told = now;
              return null;
            })
        .recover(
            cause -> {
              log.info("the others are told {} later: {}", name, cause.toString());
              return Future.succeededFuture();
            });
  }

  /** What a member has told; nothing if that cannot be read. */
  static List<ActorPath> of(Member member, String name) {
    String fact = member.facts().get(name);
    if (fact == null) {
      return List.of();
    }
    byte[] written = fact.getBytes(StandardCharsets.UTF_8);
    try {
      Paths told = Json.read("what node " + member.name() + " tells", written, Paths.class);
      return told.actors().stream().map(ActorPath::of).toList();
    } catch (CodecException | IllegalArgumentException e) {
      log.warn("{} of node {} cannot be read: {}", name, member.name(), e.toString());
      return List.of();
    }
  }
}
