package io.callboard.zookeeper;

import com.fasterxml.jackson.databind.JsonNode;
import io.callboard.codecs.ActorPath;
import io.callboard.codecs.Json;
import io.callboard.store.CommitOutcome.Reason;
import io.callboard.store.Limits;
import io.vertx.core.Future;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.zookeeper.Op;
import org.apache.zookeeper.OpResult;

/**
 * What this node knows of the mailboxes it sends to: the header's version and how many segments it
 * may add before it must look again.
 */
final class Mailboxes {
  private static final int MOST_KNOWN = 100_000;

  private final int limit;
  private final Map<ActorPath, Known> known = new ConcurrentHashMap<>();

  /**
   * @param limit of the mailboxes that this node makes
   */
  Mailboxes(int limit) {
    this.limit = limit;
  }

  byte[] newHeader() {
    return Json.bytes(new Header(Header.FORMAT, Header.OPEN, limit));
  }

  private record Known(int header, int budget) {}

  /** Why a receiver cannot be sent to now. */
  record Obstacle(ActorPath receiver, Reason reason) {}

  /** As stored in a mailbox's znode. */
  record Header(int f, String state, int limit) {
    static final int FORMAT = 1;
    static final String OPEN = "OPEN";
    static final String FULL = "FULL";

  }

  /** Looks at every receiver that is not known; empty if all can be sent to. */
  Future<Optional<Obstacle>> look(Handle handle, Layout layout, Collection<ActorPath> receivers) {
    List<ActorPath> unknown = new ArrayList<>();
    List<Op> reads = new ArrayList<>();
    for (ActorPath receiver : receivers) {
      Known entry = known.get(receiver);
      if (entry == null || entry.budget() <= 0) {
        unknown.add(receiver);
        reads.add(Op.getData(layout.mailbox(receiver)));
      }
    }
    return handle.readAll(reads).map(results -> learn(unknown, results));
  }

  private Optional<Obstacle> learn(List<ActorPath> receivers, List<OpResult> results) {
    Optional<Obstacle> obstacle = Optional.empty();
    for (int i = 0; i < receivers.size(); i++) {
      ActorPath receiver = receivers.get(i);
      if (!(results.get(i) instanceof OpResult.GetDataResult found)) {
        obstacle = Optional.of(new Obstacle(receiver, Reason.NO_MAILBOX));
        continue;
      }
      JsonNode header = Json.parse("the mailbox of " + receiver, found.getData());
      int limit = header.path("limit").asInt(Limits.MAILBOX_MESSAGES);
      int room = limit - found.getStat().getNumChildren();
      if (room <= 0 || header.path("state").asText().equals(Header.FULL)) {
        known.remove(receiver);
        obstacle = Optional.of(new Obstacle(receiver, Reason.FULL));
        continue;
      }
      if (known.size() >= MOST_KNOWN) {
        known.clear();
      }
      known.put(receiver, new Known(found.getStat().getVersion(), Math.max(1, room / 2)));
    }
    return obstacle;
  }

  /** The header version of a receiver that was looked at. */
  int header(ActorPath receiver) {
    Known entry = known.get(receiver);
    return entry == null ? 0 : entry.header();
  }

  /** A segment was added. */
  void sent(ActorPath receiver) {
    known.computeIfPresent(
        receiver, (r, entry) -> new Known(entry.header(), entry.budget() - 1));
  }

  void forget(ActorPath receiver) {
    known.remove(receiver);
  }

  void forgetAll() {
    known.clear();
  }
}
