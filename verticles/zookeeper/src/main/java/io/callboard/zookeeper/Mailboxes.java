package io.callboard.zookeeper;

import io.callboard.codecs.ActorPath;
import io.callboard.store.ActorRecord;
import io.callboard.store.Generation;
import io.callboard.store.Limits;
import io.callboard.store.MailboxHeader;
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
 * What this node knows of the mailboxes it sends to: the header with its version, and how much it
 * may add before it must look again. Half of the room that was left: so senders that do not know of
 * each other overshoot a limit by little, whether the owner lives or not.
 */
final class Mailboxes {
  private static final int MOST_KNOWN = 100_000;
  private static final int MOST_STEPS = 8;

  private final int limit;
  private final Map<ActorPath, Header> known = new ConcurrentHashMap<>();

  /**
   * The last generation of a mailbox as last seen.
   *
   * @param messages that may be added unseen
   * @param segments that may be added unseen
   */
  record Header(long generation, int version, MailboxHeader said, long messages, int segments) {
    boolean isFull() {
      return said.full() || messages <= 0 || segments <= 0;
    }

    private Header added(int more) {
      return new Header(generation, version, said, messages - more, segments - 1);
    }

    private Header saying(MailboxHeader next) {
      return new Header(generation, version + 1, next, messages, segments);
    }
  }

  /** The last generation of a mailbox, its segments not counted yet. */
  private record Seen(long generation, Stat stat, MailboxHeader said) {}

  /**
   * @param limit of the mailboxes that this node makes
   */
  Mailboxes(int limit) {
    this.limit = limit;
  }

  byte[] newHeader() {
    return StoredHeader.encode(MailboxHeader.of(limit));
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
    Map<ActorPath, Seen> seen = new LinkedHashMap<>();
    return read(handle, layout, unknown, seen, 0)
        .compose(read -> count(handle, layout, seen))
        .map(
            counted -> {
              for (ActorPath mailbox : seen.keySet()) {
                Header header = known.get(mailbox);
                if (header != null) {
                  headers.put(mailbox, header);
                }
              }
              return headers;
            });
  }

  /**
   * @param wanted the generation in which each mailbox is believed to be
   * @param step how many generations have been tried
   */
  private Future<Void> read(
      Handle handle,
      Layout layout,
      Map<ActorPath, Long> wanted,
      Map<ActorPath, Seen> seen,
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
                next(layout, actor, generation, results.get(2 * i), results.get(2 * i + 1), seen)
                    .ifPresent(next -> further.put(actor, next));
              }
              return read(handle, layout, further, seen, step + 1);
            });
  }

  /** The generation to look at next; empty if it is known how the mailbox is. */
  private Optional<Long> next(
      Layout layout,
      ActorPath actor,
      long generation,
      OpResult mailbox,
      OpResult record,
      Map<ActorPath, Seen> seen) {
    if (mailbox instanceof OpResult.GetDataResult found) {
      StoredHeader stored = StoredHeader.decode(layout.mailbox(actor, generation), found.getData());
      if (stored.isSealed()) {
        return Optional.of(generation + 1);
      }
      seen.put(actor, new Seen(generation, found.getStat(), stored.header()));
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

  /** With half of the room that is left, and no less than a small share of all. */
  private static Header room(Seen mailbox, long messages) {
    return new Header(
        mailbox.generation(),
        mailbox.stat().getVersion(),
        mailbox.said(),
        share(mailbox.said().limit(), messages),
        (int) share(Limits.MAILBOX_SEGMENTS, mailbox.stat().getNumChildren()));
  }

  private static long share(int most, long there) {
    long left = most - there;
    return left <= 0 ? 0 : Math.max(Math.max(1, most / Limits.BLIND_SHARE), left / 2);
  }

  /** The names of segments tell how many messages they hold. */
  private Future<Void> count(Handle handle, Layout layout, Map<ActorPath, Seen> seen) {
    List<Future<Void>> counts = new ArrayList<>();
    seen.forEach(
        (actor, mailbox) -> {
          int segments = mailbox.stat().getNumChildren();
          if (segments == 0 || segments >= Limits.MAILBOX_SEGMENTS || mailbox.said().full()) {
            learn(actor, mailbox, segments);
          } else {
            counts.add(
                handle
                    .children(layout.mailbox(actor, mailbox.generation()))
                    .map(
                        names -> {
                          learn(actor, mailbox, messages(names.orElse(List.of())));
                          return null;
                        }));
          }
        });
    return Future.all(counts).mapEmpty();
  }

  private static long messages(List<String> names) {
    return names.stream().mapToLong(name -> Layout.SegmentName.parse(0, name).messages()).sum();
  }

  private void learn(ActorPath actor, Seen mailbox, long messages) {
    if (known.size() >= MOST_KNOWN) {
      known.clear();
    }
    known.put(actor, room(mailbox, messages));
  }

  /** A segment of so many messages was added. */
  void sent(ActorPath receiver, int messages) {
    known.computeIfPresent(receiver, (mailbox, header) -> header.added(messages));
  }

  /** This node has changed the header that it saw; commits that leave later go by the new one. */
  void said(ActorPath actor, MailboxHeader next) {
    // another limit leaves another room: it is looked at again
    known.computeIfPresent(
        actor,
        (mailbox, header) -> header.said().limit() == next.limit() ? header.saying(next) : null);
  }

  void forget(Collection<ActorPath> mailboxes) {
    known.keySet().removeAll(mailboxes);
  }

  void forgetAll() {
    known.clear();
  }
}
