package io.callboard.zookeeper;

import io.callboard.codecs.ActorPath;
import io.callboard.codecs.Json;
import io.callboard.store.Formats;
import io.vertx.core.Future;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.zookeeper.Op;
import org.apache.zookeeper.OpResult;

/**
 * What this node knows of the mailboxes it sends to: the header with its version, and how many
 * segments it may add before it must look again. Half of the room that was left: so senders that do
 * not know of each other overshoot a limit by little, whether the owner lives or not.
 */
final class Mailboxes {
  private static final int MOST_KNOWN = 100_000;

  private final int limit;
  private final Map<ActorPath, Header> known = new ConcurrentHashMap<>();

  /** As stored in a mailbox's znode. */
  private record StoredHeader(int f, String state, int limit) {
    static final int FORMAT = 1;
    static final String OPEN = "OPEN";
    static final String FULL = "FULL";
  }

  /**
   * A mailbox as last seen.
   *
   * @param budget segments that may be added unseen
   */
  record Header(int version, boolean full, int limit, int budget) {
    boolean isFull() {
      return full || budget <= 0;
    }

    byte[] withState(boolean nextFull) {
      String state = nextFull ? StoredHeader.FULL : StoredHeader.OPEN;
      return Json.bytes(new StoredHeader(StoredHeader.FORMAT, state, limit));
    }

    private Header added() {
      return new Header(version, full, limit, budget - 1);
    }
  }

  /**
   * @param limit of the mailboxes that this node makes
   */
  Mailboxes(int limit) {
    this.limit = limit;
  }

  byte[] newHeader() {
    return new Header(0, false, limit, limit).withState(false);
  }

  /** The headers of those that exist; reads what is not known or said to be full. */
  Future<Map<ActorPath, Header>> look(
      Handle handle, Layout layout, Collection<ActorPath> mailboxes) {
    Map<ActorPath, Header> headers = new HashMap<>();
    List<ActorPath> unknown = new ArrayList<>();
    List<Op> reads = new ArrayList<>();
    for (ActorPath mailbox : mailboxes) {
      Header header = known.get(mailbox);
      if (header == null || header.isFull()) {
        unknown.add(mailbox);
        reads.add(Op.getData(layout.mailbox(mailbox)));
      } else {
        headers.put(mailbox, header);
      }
    }
    return handle
        .readAll(reads)
        .map(
            results -> {
              for (int i = 0; i < results.size(); i++) {
                if (results.get(i) instanceof OpResult.GetDataResult found) {
                  headers.put(unknown.get(i), learn(layout, unknown.get(i), found));
                } else {
                  known.remove(unknown.get(i));
                }
              }
              return headers;
            });
  }

  private Header learn(Layout layout, ActorPath mailbox, OpResult.GetDataResult found) {
    String path = layout.mailbox(mailbox);
    StoredHeader stored = Json.read("znode " + path, found.getData(), StoredHeader.class);
    Formats.check("znode " + path, stored.f(), StoredHeader.FORMAT);
    int room = stored.limit() - found.getStat().getNumChildren();
    Header header =
        new Header(
            found.getStat().getVersion(),
            stored.state().equals(StoredHeader.FULL),
            stored.limit(),
            room <= 0 ? 0 : Math.max(1, room / 2));
    if (known.size() >= MOST_KNOWN) {
      known.clear();
    }
    known.put(mailbox, header);
    return header;
  }

  /** A segment was added. */
  void sent(ActorPath receiver) {
    known.computeIfPresent(receiver, (mailbox, header) -> header.added());
  }

  void forget(Collection<ActorPath> mailboxes) {
    known.keySet().removeAll(mailboxes);
  }

  void forgetAll() {
    known.clear();
  }
}
