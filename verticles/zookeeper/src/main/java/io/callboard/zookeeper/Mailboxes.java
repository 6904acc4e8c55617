package io.callboard.zookeeper;

import io.callboard.codecs.ActorPath;
import io.callboard.codecs.Json;
import io.callboard.store.ActorRecord;
import io.callboard.store.Formats;
import io.callboard.store.Generation;
import io.callboard.store.StoreException;
import io.vertx.core.Future;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.zookeeper.Op;
import org.apache.zookeeper.OpResult;
import org.apache.zookeeper.data.Stat;

/**
 * What this node knows of the mailboxes it sends to: the header with its version, and how many
 * segments it may add before it must look again. Half of the room that was left: so senders that do
 * not know of each other overshoot a limit by little, whether the owner lives or not.
 */
final class Mailboxes {
  private static final int MOST_KNOWN = 100_000;
  private static final int MOST_STEPS = 8;

  private final int limit;
  private final Map<ActorPath, Header> known = new ConcurrentHashMap<>();

  /** As stored in a mailbox's znode. */
  private record StoredHeader(int f, String state, int limit) {
    static final int FORMAT = 1;
    static final String OPEN = "OPEN";
    static final String FULL = "FULL";
    static final String SEALED = "SEALED";
  }

  /**
   * The last generation of a mailbox as last seen.
   *
   * @param budget segments that may be added unseen
   */
  record Header(long generation, int version, boolean full, int limit, int budget) {
    boolean isFull() {
      return full || budget <= 0;
    }

    byte[] withState(boolean nextFull) {
      String state = nextFull ? StoredHeader.FULL : StoredHeader.OPEN;
      return Json.bytes(new StoredHeader(StoredHeader.FORMAT, state, limit));
    }

    byte[] sealed() {
      return Json.bytes(new StoredHeader(StoredHeader.FORMAT, StoredHeader.SEALED, limit));
    }

    private Header added() {
      return new Header(generation, version, full, limit, budget - 1);
    }
  }

  /**
   * @param limit of the mailboxes that this node makes
   */
  Mailboxes(int limit) {
    this.limit = limit;
  }

  byte[] newHeader() {
    return new Header(0, 0, false, limit, limit).withState(false);
  }

  /** The headers of those that exist; reads what is not known or said to be full. */
  Future<Map<ActorPath, Header>> look(
      Handle handle, Layout layout, Collection<ActorPath> mailboxes) {
    Map<ActorPath, Header> headers = new HashMap<>();
    Map<ActorPath, Long> unknown = new LinkedHashMap<>();
    for (ActorPath mailbox : mailboxes) {
      Header header = known.get(mailbox);
      if (header != null && !header.isFull()) {
        headers.put(mailbox, header);
      } else {
        unknown.put(mailbox, header == null ? 0 : header.generation());
      }
    }
    return read(handle, layout, unknown, headers, 0).map(headers);
  }

  /**
   * @param wanted the generation in which each mailbox is believed to be
   * @param step how many generations have been tried
   */
  private Future<Void> read(
      Handle handle,
      Layout layout,
      Map<ActorPath, Long> wanted,
      Map<ActorPath, Header> headers,
      int step) {
    if (wanted.isEmpty()) {
      return Future.succeededFuture();
    } else if (step > MOST_STEPS) {
      return Future.failedFuture(
          StoreException.conflict("mailboxes change while they are looked at: " + wanted.keySet()));
    }
    List<ActorPath> actors = List.copyOf(wanted.keySet());
    List<Op> reads = new ArrayList<>();
    for (ActorPath actor : actors) {
      reads.add(Op.getData(layout.mailbox(actor, wanted.getOrDefault(actor, 0L))));
      reads.add(Op.getData(layout.record(actor)));
    }
    return handle
        .readAll(reads)
        .compose(
            results -> {
              Map<ActorPath, Long> further = new LinkedHashMap<>();
              for (int i = 0; i < actors.size(); i++) {
                ActorPath actor = actors.get(i);
                long generation = wanted.getOrDefault(actor, 0L);
                next(layout, actor, generation, results.get(2 * i), results.get(2 * i + 1), headers)
                    .ifPresent(next -> further.put(actor, next));
              }
              return read(handle, layout, further, headers, step + 1);
            });
  }

  /** The generation to look at next; empty if it is known how the mailbox is. */
  private Optional<Long> next(
      Layout layout,
      ActorPath actor,
      long generation,
      OpResult mailbox,
      OpResult record,
      Map<ActorPath, Header> headers) {
    if (mailbox instanceof OpResult.GetDataResult found) {
      String path = layout.mailbox(actor, generation);
      StoredHeader stored = Json.read("znode " + path, found.getData(), StoredHeader.class);
      Formats.check("znode " + path, stored.f(), StoredHeader.FORMAT);
      if (stored.state().equals(StoredHeader.SEALED)) {
        return Optional.of(generation + 1);
      }
      headers.put(actor, learn(actor, generation, stored, found.getStat()));
      return Optional.empty();
    }
    known.remove(actor);
    if (record instanceof OpResult.GetDataResult found) {
      long first =
          Generation.of(
              ActorRecord.decode("znode " + layout.record(actor), found.getData()).next());
      return first > generation ? Optional.of(first) : Optional.empty();
    }
    return Optional.empty();
  }

  private Header learn(ActorPath mailbox, long generation, StoredHeader stored, Stat stat) {
    int room = stored.limit() - stat.getNumChildren();
    Header header =
        new Header(
            generation,
            stat.getVersion(),
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
