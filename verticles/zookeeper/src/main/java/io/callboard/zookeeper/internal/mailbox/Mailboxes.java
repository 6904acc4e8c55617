package io.callboard.zookeeper.internal.mailbox;

import com.google.errorprone.annotations.CanIgnoreReturnValue;
import io.callboard.codecs.ActorPath;
import io.callboard.store.Limits;
import io.callboard.store.MailboxHeader;
import io.callboard.store.StoreException;
import io.callboard.zookeeper.internal.client.Handle;
import io.callboard.zookeeper.internal.layout.Layout;
import io.callboard.zookeeper.internal.layout.StoredHeader;
import io.vertx.core.Future;
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
import org.jspecify.annotations.Nullable;

/**
 * Headers of the mailboxes that this node sends to, with their versions, and the room that it may
 * use before it must read again. That is half of the room that it saw, so senders that do not know
 * of each other overshoot a limit by little, whether the owner lives or not.
 */
public final class Mailboxes {
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
  public record Header(
      long generation, int version, MailboxHeader said, long messages, int segments) {
    /**
     * Returns whether the mailbox is full by its header, or the room that this node may use is used
     * up.
     */
    public boolean isFull() {
      return said.full() || messages <= 0 || segments <= 0;
    }

    private Header added(int more) {
      return new Header(generation, version, said, messages - more, segments - 1);
    }

    private Header saying(MailboxHeader next) {
      return new Header(generation, version + 1, next, messages, segments);
    }
  }

  /**
   * Creates an empty set of headers.
   *
   * @param limit of the mailboxes that this node makes
   */
  public Mailboxes(int limit) {
    this.limit = limit;
  }

  /** Returns the header of a new mailbox whose owner has said nothing. */
  public MailboxHeader fresh() {
    return MailboxHeader.of(limit);
  }

  /**
   * Returns what is known of a mailbox that is made with this header.
   *
   * @param said the header; null for that of a {@link #fresh} mailbox
   */
  public Header ofNew(@Nullable MailboxHeader said) {
    return room(new MailboxScan.Found(0, 0, said == null ? fresh() : said, 0, 0));
  }

  /** Notes a mailbox that this node has made. */
  public void made(ActorPath actor, @Nullable MailboxHeader said) {
    keep(actor, ofNew(said));
  }

  /** Result of a read of some mailboxes; those in neither map do not exist. */
  public record Look(Map<ActorPath, Header> headers, Map<ActorPath, String> damaged) {}

  /** Headers of those mailboxes; reads those that are not cached or are cached as full. */
  public Future<Look> look(Handle handle, Layout layout, Collection<ActorPath> mailboxes) {
    Look look = new Look(new HashMap<>(), new HashMap<>());
    Map<ActorPath, Long> unknown = new LinkedHashMap<>();
    for (ActorPath mailbox : mailboxes) {
      Header header = known.get(mailbox);
      if (header != null && !header.isFull()) {
        look.headers().put(mailbox, header);
      } else {
        unknown.put(mailbox, header == null ? 0 : header.generation());
      }
    }
    MailboxScan reads = new MailboxScan(handle, layout);
    return reads
        .at(unknown)
        .map(
            counted -> {
              known.keySet().removeAll(unknown.keySet());
              reads
                  .found()
                  .forEach((actor, mailbox) -> look.headers().put(actor, learn(actor, mailbox)));
              look.damaged().putAll(reads.damaged());
              return look;
            });
  }

  /**
   * Creates the mailbox in the generation that its record names, unless it exists. A generation
   * that was emptied meanwhile is not created again.
   */
  public Future<Void> make(Handle handle, Layout layout, ActorPath actor, int attempt) {
    String path = layout.record(actor);
    return handle
        .get(path)
        .compose(
            found -> {
              Handle.Node record =
                  found.orElseThrow(() -> StoreException.conflict(path + " has vanished"));
              String mailbox = layout.mailbox(actor, MailboxScan.firstGeneration(path, record));
              return handle
                  .multi(
                      List.of(
                          Op.check(path, record.stat().getVersion()),
                          Op.create(
                              mailbox,
                              StoredHeader.encode(fresh()),
                              handle.acl(),
                              CreateMode.PERSISTENT)))
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

  private Header learn(ActorPath actor, MailboxScan.Found mailbox) {
    return keep(actor, room(mailbox));
  }

  @CanIgnoreReturnValue
  private Header keep(ActorPath actor, Header header) {
    if (known.size() >= MOST_KNOWN) {
      known.clear();
    }
    known.put(actor, header);
    return header;
  }

  /**
   * Returns the header with half of the room that is left, and no less than a small share of the
   * limit.
   */
  private static Header room(MailboxScan.Found mailbox) {
    return new Header(
        mailbox.generation(),
        mailbox.version(),
        mailbox.said(),
        share(mailbox.said().limit(), mailbox.messages()),
        (int) share(Limits.MAILBOX_SEGMENTS, mailbox.segments()));
  }

  private static long share(int most, long there) {
    long left = most - there;
    return left <= 0 ? 0 : Math.max(Math.max(1, most / Limits.BLIND_SHARE), left / 2);
  }

  /** Notes that a segment of so many messages was added. */
  public void sent(ActorPath receiver, int messages) {
    known.computeIfPresent(receiver, (mailbox, header) -> header.added(messages));
  }

  /** Notes a header that this node has changed: later commits use it. */
  public void said(ActorPath actor, MailboxHeader next) {
    // another limit leaves another room: it is read again
    known.computeIfPresent(
        actor,
        (mailbox, header) -> header.said().limit() == next.limit() ? header.saying(next) : null);
  }

  /** Forgets what is known of some mailboxes. */
  public void forget(Collection<ActorPath> mailboxes) {
    known.keySet().removeAll(mailboxes);
  }

  /** Forgets what is known of all mailboxes. */
  public void forgetAll() {
    known.clear();
  }
}
