package io.callboard.zookeeper.internal.commit;

import io.callboard.codecs.ActorPath;
import io.callboard.store.ActorRecord;
import io.callboard.store.Generation;
import io.callboard.store.JournalKey;
import io.callboard.store.Lease;
import io.callboard.store.Loaded;
import io.callboard.store.MailboxHeader;
import io.callboard.store.StoreException;
import io.callboard.store.StoredMail;
import io.callboard.store.StoredOutbox;
import io.callboard.store.StoredRecord;
import io.callboard.store.StoredSegment;
import io.callboard.zookeeper.internal.client.BulkReads;
import io.callboard.zookeeper.internal.client.Handle;
import io.callboard.zookeeper.internal.client.Handle.Node;
import io.callboard.zookeeper.internal.layout.Layout;
import io.callboard.zookeeper.internal.layout.Layout.SegmentName;
import io.callboard.zookeeper.internal.layout.StoredHeader;
import io.callboard.zookeeper.internal.mailbox.KnownParents;
import io.callboard.zookeeper.internal.mailbox.Mailboxes;
import io.callboard.zookeeper.internal.mailbox.Mailboxes.Header;
import io.callboard.zookeeper.internal.mailbox.SegmentNames;
import io.callboard.zookeeper.internal.mailbox.Segments;
import io.callboard.zookeeper.internal.session.NodeSession;
import io.vertx.core.Future;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;
import org.apache.zookeeper.Op;
import org.apache.zookeeper.OpResult;
import org.apache.zookeeper.OpResult.GetChildrenResult;
import org.apache.zookeeper.OpResult.GetDataResult;
import org.apache.zookeeper.data.Stat;

/**
 * Reader of an actor for the owner of its partition.
 *
 * <p>Lease, record and header come from one moment. While the lease is held no other node deletes a
 * segment, so a listing taken later holds at least the mail that waited then; and numbers have no
 * gaps, so the first segment must be the one that the record expects. If it is not, the server lags
 * behind what this node knows; after a sync it does not.
 */
public final class ActorReader {
  private static final int ATTEMPTS = 5;
  private static final int MOST_GENERATIONS = 100_000;

  private final NodeSession session;
  private final Mailboxes mailboxes;
  private final SegmentNames names;
  private final KnownParents journals;
  private final KnownParents outboxes;
  private final Map<ActorPath, Long> generations = new ConcurrentHashMap<>();

  /** State of an actor's znodes at one moment. */
  private record View(
      Optional<StoredRecord> record,
      Optional<Stat> mailbox,
      Optional<StoredHeader> header,
      List<JournalKey> journal,
      List<Long> outbox) {
    /** Returns whether the actor is not stored at all. */
    boolean isNothing() {
      return record.isEmpty() && mailbox.isEmpty() && journal.isEmpty() && outbox.isEmpty();
    }

    long next() {
      return record.map(stored -> stored.record().next()).orElse(0L);
    }

    /** Returns the sequence of the next segment that will be added to the first generation. */
    long end() {
      // cversion counts each create and delete of a child, and each create uses one number
      return mailbox
          .map(stat -> ((stat.getCversion() + stat.getNumChildren()) & 0xffff_ffffL) >>> 1)
          .map(number -> Generation.sequence(Generation.of(next()), number))
          .orElse(next());
    }
  }

  public ActorReader(
      NodeSession session,
      Mailboxes mailboxes,
      SegmentNames names,
      KnownParents journals,
      KnownParents outboxes) {
    this.mailboxes = mailboxes;
    this.session = session;
    this.names = names;
    this.journals = journals;
    this.outboxes = outboxes;
  }

  /** Loads an actor whose partition this node owns under {@code lease}. */
  public Future<Loaded> load(ActorPath actor, Lease lease) {
    return load(actor, lease, 1);
  }

  private Future<Loaded> load(ActorPath actor, Lease lease, int attempt) {
    return load(actor, lease, attempt, generations.getOrDefault(actor, 0L));
  }

  /**
   * Loads an actor from that generation of its mailbox on.
   *
   * @param generation in which the first waiting segment is believed to be
   */
  private Future<Loaded> load(ActorPath actor, Lease lease, int attempt, long generation) {
    Layout layout = session.layout();
    Handle handle = session.handle();
    List<Op> reads =
        List.of(
            Op.getData(layout.lease(lease.partition())),
            Op.getData(layout.record(actor)),
            Op.getData(layout.mailbox(actor, generation)),
            Op.getChildren(layout.journal(actor)),
            Op.getChildren(layout.outbox(actor)));
    return handle
        .readAll(reads)
        .compose(
            results -> {
              int seen = version(results.get(0));
              if (seen > lease.version()) {
                return Future.failedFuture(
                    StoreException.conflict(
                        "partition %s has another owner".formatted(lease.partition())));
              } else if (seen < lease.version()) {
                return again(actor, lease, attempt, "its lease is not visible yet");
              }
              View view = view(actor, results);
              long first = Generation.of(view.next());
              if (first != generation) {
                if (generations.size() >= MOST_GENERATIONS) {
                  generations.clear();
                }
                generations.put(actor, first);
                return load(actor, lease, attempt, first);
              }
              if (view.isNothing()) {
                return Future.succeededFuture(
                    new Loaded(
                        Optional.empty(),
                        List.of(),
                        StoredMail.NONE,
                        mailboxes.fresh(),
                        List.of()));
              }
              return Segments.list(handle, layout, actor, generation)
                  .compose(waiting -> load(actor, lease, view, waiting, attempt));
            });
  }

  private static int version(OpResult result) {
    return result instanceof GetDataResult found ? found.getStat().getVersion() : -1;
  }

  private View view(ActorPath actor, List<OpResult> results) {
    Optional<StoredRecord> record = Optional.empty();
    if (results.get(1) instanceof GetDataResult found) {
      ActorRecord decoded = ActorRecord.decode(znode(actor), found.getData());
      record = Optional.of(new StoredRecord(decoded, found.getStat().getVersion()));
    }
    Optional<Stat> mailbox = Optional.empty();
    Optional<StoredHeader> header = Optional.empty();
    if (results.get(2) instanceof GetDataResult found) {
      mailbox = Optional.of(found.getStat());
      header = Optional.of(StoredHeader.decode("a mailbox of " + actor, found.getData()));
    }
    List<JournalKey> entries =
        children(results.get(3), actor, journals)
            .map(name -> entry(actor, name))
            .sorted(Comparator.comparingLong(JournalKey::turn))
            .toList();
    List<Long> sent =
        children(results.get(4), actor, outboxes)
            .map(name -> number(actor, name))
            .sorted()
            .toList();
    return new View(record, mailbox, header, entries, sent);
  }

  /** Returns the names of the children of {@code parent}. */
  private static Stream<String> children(OpResult parent, ActorPath actor, KnownParents parents) {
    if (!(parent instanceof GetChildrenResult found)) {
      parents.remove(actor);
      return Stream.of();
    }
    parents.add(actor);
    return found.getChildren().stream();
  }

  private static JournalKey entry(ActorPath actor, String name) {
    if (!Layout.isEntry(name)) {
      throw noEntry("journal", actor, name);
    }
    return Layout.entryKey(name);
  }

  private static long number(ActorPath actor, String name) {
    if (!Layout.isNumber(name)) {
      throw noEntry("outbox", actor, name);
    }
    return Long.parseLong(name);
  }

  private static StoreException noEntry(String of, ActorPath actor, String name) {
    return StoreException.corrupt(
        "znode \"%s\" in the %s of %s is not an entry".formatted(name, of, actor));
  }

  private String znode(ActorPath actor) {
    return "znode " + session.layout().record(actor);
  }

  private Future<Loaded> load(
      ActorPath actor, Lease lease, View view, List<SegmentName> waiting, int attempt) {
    long first = waiting.isEmpty() ? view.end() : waiting.get(0).sequence();
    if (Generation.of(first) > Generation.of(view.next()) && view.end() == view.next()) {
      first = view.next(); // the sealed generation is empty, its successor is not
    }
    if (first != view.next()) {
      String what = "it begins with segment %d, the record expects %d";
      return again(actor, lease, attempt, what.formatted(first, view.next()));
    }
    Handle handle = session.handle();
    Layout layout = session.layout();
    List<SegmentName> taken = Segments.withinLimits(waiting);
    Future<MailboxHeader> header = header(handle, actor, view);
    Future<List<StoredSegment>> mail = Segments.read(handle, layout, actor, taken);
    Future<List<byte[]>> outbox =
        below(
            handle,
            actor,
            layout.outbox(actor),
            view.outbox().stream().map(String::valueOf).toList());
    return Future.all(header, mail, outbox)
        .map(
            all -> {
              names.forget(actor);
              taken.forEach(segment -> names.put(actor, segment));
              List<StoredOutbox> sent = new ArrayList<>();
              for (int i = 0; i < view.outbox().size(); i++) {
                sent.add(new StoredOutbox(view.outbox().get(i), outbox.result().get(i)));
              }
              StoredMail waits =
                  new StoredMail(mail.result(), waiting.size(), Segments.messages(waiting));
              return new Loaded(view.record(), view.journal(), waits, header.result(), sent);
            });
  }

  /** Completes with the header of the mailbox's last generation. */
  private Future<MailboxHeader> header(Handle handle, ActorPath actor, View view) {
    if (view.header().isPresent() && !view.header().get().isSealed()) {
      return Future.succeededFuture(view.header().get().header());
    }
    return mailboxes
        .look(handle, session.layout(), Set.of(actor))
        .map(
            found -> {
              String damage = found.damaged().get(actor);
              if (damage != null) {
                throw StoreException.corrupt(damage);
              }
              Header header = found.headers().get(actor);
              return header == null ? MailboxHeader.NEW : header.said();
            });
  }

  private static Future<List<byte[]>> below(
      Handle handle, ActorPath actor, String parent, List<String> names) {
    List<String> paths = names.stream().map(name -> parent + "/" + name).toList();
    return BulkReads.large(handle, paths)
        .map(
            found -> {
              if (found.size() != paths.size()) {
                throw StoreException.conflict(
                    "%s changed while %s was read".formatted(parent, actor));
              }
              return found.values().stream().map(Node::data).toList();
            });
  }

  private Future<Loaded> again(ActorPath actor, Lease lease, int attempt, String why) {
    String mailbox = session.layout().mailbox(actor, generations.getOrDefault(actor, 0L));
    if (attempt >= ATTEMPTS) {
      return Future.failedFuture(
          StoreException.corrupt(
              "the mailbox %s does not match the record of its actor: %s".formatted(mailbox, why)));
    }
    return session
        .handle()
        .sync(session.layout().root())
        .compose(synced -> load(actor, lease, attempt + 1));
  }

  /** Entries of the journal. */
  public Future<List<byte[]>> entries(ActorPath actor, List<JournalKey> keys) {
    String parent = session.layout().journal(actor);
    return below(session.handle(), actor, parent, keys.stream().map(Layout::entry).toList());
  }

  /** Completes with further segments, for the owner. */
  public Future<StoredMail> read(ActorPath actor, long fromSequence) {
    Handle handle = session.handle();
    Layout layout = session.layout();
    return Segments.list(handle, layout, actor, Generation.of(fromSequence))
        .compose(
            waiting -> {
              List<SegmentName> wanted =
                  waiting.stream().filter(s -> s.sequence() >= fromSequence).toList();
              List<SegmentName> taken = Segments.withinLimits(wanted);
              return Segments.read(handle, layout, actor, taken)
                  .map(
                      read -> {
                        taken.forEach(segment -> names.put(actor, segment));
                        return new StoredMail(read, wanted.size(), Segments.messages(wanted));
                      });
            });
  }
}
