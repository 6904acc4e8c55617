package io.callboard.zookeeper;

import io.callboard.codecs.ActorPath;
import io.callboard.codecs.CodecException;
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
import java.util.concurrent.ConcurrentHashMap;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.KeeperException;
import org.apache.zookeeper.KeeperException.Code;
import org.apache.zookeeper.Op;
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

  /** What was found of some mailboxes; of those in neither, it is known that there is none. */
  record Look(Map<ActorPath, Header> headers, Map<ActorPath, String> damaged) {
    Look() {
      this(new HashMap<>(), new HashMap<>());
    }
  }

  /** Looks at those mailboxes; reads what is not known or said to be full. */
  Future<Look> look(Handle handle, Layout layout, Collection<ActorPath> mailboxes) {
    Look look = new Look();
    Map<ActorPath, Long> unknown = new LinkedHashMap<>();
    for (ActorPath mailbox : mailboxes) {
      Header header = known.get(mailbox);
      if (header != null && !header.isFull()) {
        look.headers().put(mailbox, header);
      } else {
        unknown.put(mailbox, header == null ? 0 : header.generation());
      }
    }
    Map<ActorPath, Seen> seen = new LinkedHashMap<>();
    return read(handle, layout, unknown, seen, look, 0)
        .compose(read -> count(handle, layout, seen, look))
        .map(look);
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
      Look look,
      int step) {
    if (wanted.isEmpty()) {
      return Future.succeededFuture();
    } else if (step > MOST_STEPS) {
      return Future.failedFuture(
          StoreException.conflict("mailboxes change while they are looked at: " + wanted.keySet()));
    }
    Map<ActorPath, String> paths = new LinkedHashMap<>();
    wanted.forEach((actor, generation) -> paths.put(actor, layout.mailbox(actor, generation)));
    return Reads.small(handle, List.copyOf(paths.values()))
        .compose(
            found -> {
              Map<ActorPath, Long> further = new LinkedHashMap<>();
              Map<ActorPath, Long> missing = new LinkedHashMap<>();
              paths.forEach(
                  (actor, path) -> {
                    long generation = wanted.getOrDefault(actor, 0L);
                    Handle.Node node = found.get(path);
                    if (node == null) {
                      missing.put(actor, generation);
                    } else if (isSealed(actor, generation, path, node, seen, look)) {
                      further.put(actor, generation + 1);
                    }
                  });
              return laterGenerations(handle, layout, missing, look)
                  .compose(
                      later -> {
                        further.putAll(later);
                        return read(handle, layout, further, seen, look, step + 1);
                      });
            });
  }

  /** Whether the mailbox goes on in the next generation; else it is noted what was found. */
  private static boolean isSealed(
      ActorPath actor,
      long generation,
      String path,
      Handle.Node node,
      Map<ActorPath, Seen> seen,
      Look look) {
    try {
      StoredHeader stored = StoredHeader.decode(path, node.data());
      if (stored.isSealed()) {
        return true;
      }
      seen.put(actor, new Seen(generation, node.stat(), stored.header()));
    } catch (CodecException | StoreException e) {
      look.damaged().put(actor, String.valueOf(e.getMessage()));
    }
    return false;
  }

  /** The record of an actor tells in which generation its mailbox is, if that lies further on. */
  private Future<Map<ActorPath, Long>> laterGenerations(
      Handle handle, Layout layout, Map<ActorPath, Long> missing, Look look) {
    known.keySet().removeAll(missing.keySet());
    return Reads.large(handle, missing.keySet().stream().map(layout::record).toList())
        .map(
            found -> {
              Map<ActorPath, Long> later = new LinkedHashMap<>();
              missing.forEach(
                  (actor, generation) -> {
                    String path = layout.record(actor);
                    Handle.Node node = found.get(path);
                    try {
                      long first = node == null ? 0 : firstGeneration(path, node);
                      if (first > generation) {
                        later.put(actor, first);
                      }
                    } catch (CodecException e) {
                      look.damaged().put(actor, String.valueOf(e.getMessage()));
                    }
                  });
              return later;
            });
  }

  private static long firstGeneration(String path, Handle.Node record) {
    return Generation.of(ActorRecord.decode("znode " + path, record.data()).next());
  }

  /**
   * Makes the mailbox in the generation in which its record says it is, unless it is there. A
   * generation that was emptied meanwhile is not made again.
   */
  Future<Void> make(Handle handle, Layout layout, ActorPath actor, int attempt) {
    String path = layout.record(actor);
    return handle
        .get(path)
        .compose(
            found -> {
              Handle.Node record =
                  found.orElseThrow(() -> StoreException.conflict(path + " has vanished"));
              String mailbox = layout.mailbox(actor, firstGeneration(path, record));
              return handle
                  .multi(
                      List.of(
                          Op.check(path, record.stat().getVersion()),
                          Op.create(mailbox, newHeader(), handle.acl(), CreateMode.PERSISTENT)))
                  .<Void>mapEmpty()
                  .recover(cause -> notMade(handle, layout, actor, mailbox, attempt, cause));
            });
  }

  private Future<Void> notMade(
      Handle handle, Layout layout, ActorPath actor, String mailbox, int attempt, Throwable cause) {
    if (!(cause instanceof Handle.Refused refused) || refused.culprit() < 0) {
      return Future.failedFuture(cause);
    }
    Code code = refused.code(refused.culprit());
    if (code == Code.NODEEXISTS) {
      return Future.succeededFuture();
    } else if (code == Code.BADVERSION && attempt < MOST_STEPS) {
      return make(handle, layout, actor, attempt + 1);
    }
    return Future.failedFuture(KeeperException.create(code, mailbox));
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
  private Future<Void> count(Handle handle, Layout layout, Map<ActorPath, Seen> seen, Look look) {
    List<Future<Void>> counts = new ArrayList<>();
    seen.forEach(
        (actor, mailbox) -> {
          int segments = mailbox.stat().getNumChildren();
          if (segments == 0 || segments >= Limits.MAILBOX_SEGMENTS || mailbox.said().full()) {
            look.headers().put(actor, learn(actor, mailbox, segments));
          } else {
            counts.add(
                handle
                    .children(layout.mailbox(actor, mailbox.generation()))
                    .map(
                        names -> {
                          long messages = messages(names.orElse(List.of()));
                          look.headers().put(actor, learn(actor, mailbox, messages));
                          return null;
                        }));
          }
        });
    return Future.all(counts).mapEmpty();
  }

  private static long messages(List<String> names) {
    return names.stream()
        .filter(Layout.SegmentName::is)
        .mapToLong(name -> Layout.SegmentName.parse(0, name).messages())
        .sum();
  }

  private Header learn(ActorPath actor, Seen mailbox, long messages) {
    if (known.size() >= MOST_KNOWN) {
      known.clear();
    }
    Header header = room(mailbox, messages);
    known.put(actor, header);
    return header;
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
