package io.callboard.zookeeper.internal.commit;

import io.callboard.codecs.ActorPath;
import io.callboard.store.BlobKey;
import io.callboard.store.Commit;
import io.callboard.store.CommitOutcome;
import io.callboard.store.CommitOutcome.Applied;
import io.callboard.store.CommitOutcome.Reason;
import io.callboard.store.CommitOutcome.Refused;
import io.callboard.store.CommitOutcome.Unknown;
import io.callboard.store.CommitUnit;
import io.callboard.store.CommitUnit.Write;
import io.callboard.store.MailboxHeader;
import io.callboard.store.PackedCommit;
import io.callboard.store.StoreException;
import io.callboard.store.WhenFull;
import io.callboard.supervision.Causes;
import io.callboard.zookeeper.internal.client.Errors;
import io.callboard.zookeeper.internal.client.Handle;
import io.callboard.zookeeper.internal.commit.CommitRequest.Beliefs;
import io.callboard.zookeeper.internal.commit.CommitRequest.Purpose;
import io.callboard.zookeeper.internal.layout.Layout;
import io.callboard.zookeeper.internal.lease.CellWatches;
import io.callboard.zookeeper.internal.lease.SeenEpochs;
import io.callboard.zookeeper.internal.mailbox.KnownParents;
import io.callboard.zookeeper.internal.mailbox.Mailboxes;
import io.callboard.zookeeper.internal.mailbox.Mailboxes.Header;
import io.callboard.zookeeper.internal.mailbox.Mailboxes.Look;
import io.callboard.zookeeper.internal.mailbox.SegmentNames;
import io.callboard.zookeeper.internal.session.NodeSession;
import io.vertx.core.Future;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import org.apache.zookeeper.KeeperException;
import org.apache.zookeeper.KeeperException.Code;
import org.apache.zookeeper.OpResult;
import org.apache.zookeeper.data.Stat;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Sender of commits, in the order of their numbers; several may be in flight. Headers, names and
 * journals that this node remembers may be out of date; then the multi is refused, for certain, the
 * belief is corrected, and the caller sends again. After an unknown outcome nothing is sent before
 * the session was renewed.
 */
public final class Commits {
  private static final Logger log = LoggerFactory.getLogger(Commits.class);

  /** Corrections in a row after which a refusal is believed. */
  private static final int MOST_CORRECTIONS = 5;

  private static final int MOST_GONE = 10_000;

  private final NodeSession session;
  private final CellWatches watches;
  private final Mailboxes mailboxes;
  private final SegmentNames names;
  private final KnownParents journals;
  private final KnownParents outboxes;
  private final SeenEpochs epochs;

  /** Blobs that commits still name to remove them, and that are gone. */
  private final Set<BlobKey> gone = ConcurrentHashMap.newKeySet();

  private final EmptyRecords empty = new EmptyRecords();
  private final AtomicInteger corrections = new AtomicInteger();
  private final AtomicInteger defects = new AtomicInteger();

  /** A commit that was sent, or refused before that. */
  public record Sent(Future<CommitOutcome> outcome) {}

  /** Creates a sender of commits. */
  public Commits(
      NodeSession session,
      CellWatches watches,
      Mailboxes mailboxes,
      SegmentNames names,
      KnownParents journals,
      KnownParents outboxes,
      SeenEpochs epochs) {
    this.session = session;
    this.watches = watches;
    this.mailboxes = mailboxes;
    this.names = names;
    this.journals = journals;
    this.outboxes = outboxes;
    this.epochs = epochs;
  }

  /** Notes that the owner of the mailbox has that segment. */
  public void known(ActorPath actor, Layout.SegmentName segment) {
    if (watches.owns(actor.partition(session.layout().partitions()))) {
      names.put(actor, segment);
    }
  }

  /** Sends a commit; completes when it is on the wire and the next may follow. */
  public Future<Sent> send(Commit commit) {
    PackedCommit packed;
    try {
      packed = PackedCommit.pack(commit);
    } catch (RuntimeException | Error e) {
      Refused refused = Refused.unsendable(e);
      report(commit, e);
      return Future.succeededFuture(refused(refused));
    }
    return packed
        .refusal(session.layout().partitions())
        .or(() -> session.refusal(commit))
        .or(() -> epochs.refusal(commit, session.layout().partitions()))
        .map(refused -> Future.succeededFuture(refused(refused)))
        .orElseGet(() -> prepare(packed))
        .recover(
            cause -> {
              report(commit, cause);
              return Future.succeededFuture(
                  sent(
                      isDefect(cause)
                          ? Refused.unsendable(cause)
                          : Errors.outcome(cause, path -> denied(packed, path))));
            });
  }

  /**
   * Returns whether a failure before anything was sent stays: it is not ZooKeeper's, nor the port's
   * about ZooKeeper, so a renewed session does not end it.
   */
  private static boolean isDefect(Throwable cause) {
    return !(cause instanceof KeeperException)
        && !(cause instanceof VirtualMachineError)
        && !(cause instanceof Handle.Refused)
        && !(cause instanceof StoreException failure
            && failure.kind() != StoreException.Kind.CORRUPT);
  }

  /**
   * Reports a defect with its stack trace, but of many in a row the first, the second, the fourth
   * and so on.
   */
  private void report(Commit commit, Throwable cause) {
    if (isDefect(cause) && Integer.bitCount(defects.incrementAndGet()) == 1) {
      log.error(
          "commit {} cannot be made ready: what is at fault in it is refused",
          commit.number(),
          Causes.readable(cause));
    }
  }

  /** Returns the refusal of the unit that needs that znode or one below it. */
  private Refused denied(PackedCommit packed, String path) {
    Layout layout = session.layout();
    String detail = "access to " + path;
    for (PackedCommit.Mail mail : packed.mails()) {
      if (isOf(layout, mail.receiver(), path)) {
        return Refused.to(mail.receiver(), mail.unit(), Reason.DENIED, detail);
      }
    }
    List<CommitUnit> units = packed.commit().units();
    for (int i = 0; i < units.size(); i++) {
      if (units.get(i).write().filter(w -> isOf(layout, w.actor(), path)).isPresent()) {
        return new Refused(i, Reason.DENIED, detail);
      }
    }
    return new Refused(-1, Reason.DENIED, detail);
  }

  private static boolean isOf(Layout layout, ActorPath actor, String path) {
    String mailbox = layout.mailbox(actor, 0);
    return path.equals(layout.record(actor))
        || path.startsWith(mailbox.substring(0, mailbox.length() - 1));
  }

  private static Sent refused(Refused refused) {
    return sent(refused);
  }

  private static Sent sent(CommitOutcome outcome) {
    return new Sent(Future.succeededFuture(outcome));
  }

  private Future<Sent> prepare(PackedCommit packed) {
    Handle handle = session.handle();
    Layout layout = session.layout();
    List<Write> writes = packed.commit().units().stream().flatMap(u -> u.write().stream()).toList();
    return names
        .find(handle, layout, writes)
        .compose(found -> empty.find(handle, layout, writes))
        .compose(made -> prepare(handle, packed, writes, made));
  }

  /**
   * @param made actors among {@code writes} whose empty records and mailboxes senders have made
   */
  private Future<Sent> prepare(
      Handle handle, PackedCommit packed, List<Write> writes, Set<ActorPath> made) {
    List<Write> news = writes.stream().filter(w -> isNew(w, made)).toList();
    return mailboxes
        .look(handle, session.layout(), mailboxesOf(packed, writes, news))
        .map(look -> withNew(look, news))
        .map(
            look ->
                obstacle(packed, look)
                    .or(
                        () ->
                            session.refusal(
                                packed.commit())) // the session may have become doubtful meanwhile
                    .map(Commits::refused)
                    .orElseGet(() -> new Sent(send(handle, packed, look.headers(), made))));
  }

  /** Returns whether a write makes the mailbox of its actor. */
  private static boolean isNew(Write write, Set<ActorPath> made) {
    return write.isFirst() && !made.contains(write.actor());
  }

  private static Set<ActorPath> mailboxesOf(
      PackedCommit packed, List<Write> writes, List<Write> news) {
    Set<ActorPath> looked = new LinkedHashSet<>();
    packed.mails().forEach(mail -> looked.add(mail.receiver()));
    writes.stream().filter(Commits::isFlip).forEach(w -> looked.add(w.actor()));
    news.forEach(w -> looked.remove(w.actor()));
    return looked;
  }

  /** Adds the mailboxes that the commit itself makes. */
  private Look withNew(Look look, List<Write> news) {
    news.forEach(w -> look.headers().put(w.actor(), mailboxes.ofNew(w.header())));
    return look;
  }

  private static boolean isFlip(Write write) {
    return write.header() != null || write.seal();
  }

  private static Optional<Refused> obstacle(PackedCommit packed, Look look) {
    List<CommitUnit> units = packed.commit().units();
    for (int i = 0; i < units.size(); i++) {
      Write write = units.get(i).write().filter(Commits::isFlip).orElse(null);
      if (write != null && !look.headers().containsKey(write.actor())) {
        return Optional.of(absent(i, write.actor(), look));
      }
    }
    for (PackedCommit.Mail mail : packed.mails()) {
      Header header = look.headers().get(mail.receiver());
      String receiver = mail.receiver().toString();
      if (header == null) {
        return Optional.of(absent(mail.unit(), mail.receiver(), look));
      } else if (header.isFull() && !mail.own()) {
        WhenFull wish = header.said().whenFull();
        return Optional.of(new Refused(mail.unit(), Reason.FULL, receiver, wish));
      }
    }
    return Optional.empty();
  }

  private static Refused absent(int unit, ActorPath mailbox, Look look) {
    String damage = look.damaged().get(mailbox);
    return damage == null
        ? new Refused(unit, Reason.NO_MAILBOX, mailbox.toString())
        : Refused.corrupt(unit, mailbox, damage);
  }

  private Future<CommitOutcome> send(
      Handle handle, PackedCommit packed, Map<ActorPath, Header> headers, Set<ActorPath> made) {
    CommitRequest commitRequest =
        CommitRequest.of(
            session.layout(),
            handle.acl(),
            session.identity().name(),
            session.versionFor(packed.commit()),
            packed,
            new Beliefs(headers, names, journals, outboxes, made, Set.copyOf(gone)));
    packed.mails().forEach(mail -> mailboxes.sent(mail.receiver(), mail.messages()));
    packed.commit().units().forEach(unit -> unit.write().ifPresent(w -> flips(w, made)));
    return multi(handle, commitRequest)
        .<CommitOutcome>map(results -> applied(commitRequest, packed, results, made))
        .recover(cause -> failed(handle, commitRequest, packed, cause))
        .map(
            outcome -> {
              if (outcome instanceof Unknown) {
                session.doubt();
              }
              return outcome;
            });
  }

  /** Sends the operations; whether an exception leaves them unsent is not known. */
  private static Future<List<OpResult>> multi(Handle handle, CommitRequest commitRequest) {
    try {
      return handle.multi(commitRequest.operations());
    } catch (RuntimeException | Error e) {
      return Future.failedFuture(e);
    }
  }

  /** Forgets an actor of which nothing is stored any more. */
  public void forget(ActorPath actor) {
    mailboxes.forget(Set.of(actor));
    names.forget(actor);
    journals.remove(actor);
    outboxes.remove(actor);
  }

  private void flips(Write write, Set<ActorPath> made) {
    MailboxHeader said = write.header();
    if (isNew(write, made)) {
      return; // known once it is made
    } else if (write.seal()) {
      mailboxes.forget(Set.of(write.actor()));
    } else if (said != null) {
      mailboxes.said(write.actor(), said);
    }
  }

  private Applied applied(
      CommitRequest commitRequest,
      PackedCommit packed,
      List<OpResult> results,
      Set<ActorPath> made) {
    session.committed(packed.commit());
    corrections.set(0);
    defects.set(0);
    for (CommitUnit unit : packed.commit().units()) {
      unit.write().ifPresent(write -> applied(write, made));
      gone.removeAll(unit.blobs());
    }
    Map<ActorPath, Long> appended = new HashMap<>();
    Iterator<PackedCommit.Mail> mails = packed.mails().iterator();
    for (int i = 0; i < results.size(); i++) {
      if (commitRequest.purpose(i) == Purpose.MAILBOX
          && results.get(i) instanceof OpResult.CreateResult created) {
        ActorPath receiver = mails.next().receiver();
        String path = created.getPath();
        int slash = path.lastIndexOf('/');
        long generation = Layout.generation(path.substring(0, slash));
        Layout.SegmentName segment =
            Layout.SegmentName.parse(generation, path.substring(slash + 1));
        appended.put(receiver, segment.sequence());
        if (watches.owns(receiver.partition(session.layout().partitions()))) {
          names.put(receiver, segment);
        }
      }
    }
    return new Applied(appended);
  }

  private void applied(Write write, Set<ActorPath> made) {
    if (isNew(write, made)) {
      mailboxes.made(write.actor(), write.header());
    }
    empty.settled(write.actor());
    names.consumed(write.actor(), write.consumed());
    if (write.journal().entry() != null) {
      journals.add(write.actor());
    }
    if (!write.outbox().made().isEmpty()) {
      outboxes.add(write.actor());
    }
  }

  private Future<CommitOutcome> failed(
      Handle handle, CommitRequest commitRequest, PackedCommit packed, Throwable cause) {
    if (!(cause instanceof Handle.Refused refused) || refused.culprit() < 0) {
      return Future.succeededFuture(Errors.outcome(cause, path -> denied(packed, path)));
    }
    int culprit = refused.culprit();
    Code code = refused.code(culprit);
    // the cached room of receivers already counts this commit's segments
    List<Write> writes = packed.commit().units().stream().flatMap(u -> u.write().stream()).toList();
    mailboxes.forget(mailboxesOf(packed, writes, List.of()));
    if (commitRequest.purpose(culprit) == Purpose.NUMBER && !session.isNext(packed.commit())) {
      return again("the commit before it was not applied");
    } else if (!(isWrong(commitRequest, culprit, code)
            || isMade(commitRequest, culprit, code, writes))
        || corrections.incrementAndGet() > MOST_CORRECTIONS) {
      return Future.succeededFuture(commitRequest.refused(culprit, code));
    }
    Future<CommitOutcome> again =
        again("what this node knew of %s was stale".formatted(commitRequest.detail(culprit)));
    return correct(handle, commitRequest, culprit).transform(corrected -> again);
  }

  private static Future<CommitOutcome> again(String why) {
    return Future.succeededFuture(new Refused(-1, Reason.AGAIN, why));
  }

  /**
   * Returns whether the refusal may mean that senders have made records of actors that this commit
   * stores first; they are looked at before it is sent again.
   */
  private boolean isMade(CommitRequest request, int culprit, Code code, List<Write> writes) {
    return code == Code.NODEEXISTS
        && request.purpose(culprit) == Purpose.WRITE
        && empty.suspect(request.actor(culprit), writes);
  }

  /** Returns whether the refusal shows that what this node believes is wrong. */
  private static boolean isWrong(CommitRequest request, int culprit, Code code) {
    return switch (request.purpose(culprit)) {
      case MAILBOX, HEADER -> code == Code.BADVERSION || code == Code.NONODE;
      case JOURNAL_PARENT, OUTBOX_PARENT -> code == Code.NODEEXISTS;
      case JOURNAL, OUTBOX -> code == Code.NONODE;
      case BLOB_REMOVAL -> code == Code.NONODE || code == Code.NOTEMPTY;
      default -> false;
    };
  }

  /**
   * Looks at everything of a kind that a refused commit is about, so that it is sent once more
   * however many beliefs are wrong; those about mailboxes are forgotten already.
   */
  private Future<?> correct(Handle handle, CommitRequest request, int culprit) {
    return switch (request.purpose(culprit)) {
      case BLOB_REMOVAL -> findGone(handle, request, culprit);
      case JOURNAL_PARENT, JOURNAL ->
          findParents(handle, journals, session.layout()::journal, request.actors(Purpose.JOURNAL));
      case OUTBOX_PARENT, OUTBOX ->
          findParents(handle, outboxes, session.layout()::outbox, request.actors(Purpose.OUTBOX));
      default -> Future.succeededFuture();
    };
  }

  private Future<?> findParents(
      Handle handle,
      KnownParents parents,
      Function<ActorPath, String> path,
      Set<ActorPath> actors) {
    return synced(
        handle,
        actors,
        actor ->
            handle
                .exists(path.apply(actor), null)
                .map(
                    found -> {
                      if (found.isPresent()) {
                        parents.add(actor);
                      } else {
                        parents.remove(actor);
                      }
                      return null;
                    }));
  }

  /**
   * Notes which of the blobs that a commit removes are gone, besides the one for which it was
   * refused; what is left of them is found by fsck.
   */
  private Future<?> findGone(Handle handle, CommitRequest request, int culprit) {
    if (gone.size() >= MOST_GONE) {
      gone.clear(); // their commits are refused once more
    }
    gone.add(request.blob(culprit));
    return synced(handle, request.removed(), key -> look(handle, key));
  }

  private <T> Future<?> synced(Handle handle, Set<T> all, Function<T, Future<Void>> look) {
    return handle
        .sync(session.layout().root())
        .compose(synced -> Future.all(all.stream().map(look).toList()));
  }

  private Future<Void> look(Handle handle, BlobKey key) {
    return handle
        .exists(session.layout().blob(key.receiver(), key.blob().id()), null)
        .map(
            found -> {
              if (found.map(Stat::getNumChildren).filter(n -> n == key.blob().parts()).isEmpty()) {
                gone.add(key);
              }
              return null;
            });
  }
}
