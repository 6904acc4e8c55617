package io.callboard.zookeeper;

import io.callboard.codecs.ActorPath;
import io.callboard.store.Commit;
import io.callboard.store.CommitOutcome;
import io.callboard.store.CommitOutcome.Applied;
import io.callboard.store.CommitOutcome.Reason;
import io.callboard.store.CommitOutcome.Refused;
import io.callboard.store.CommitOutcome.Unknown;
import io.callboard.store.CommitUnit;
import io.callboard.store.CommitUnit.Write;
import io.callboard.store.PackedCommit;
import io.callboard.zookeeper.Mailboxes.Header;
import io.callboard.zookeeper.Multi.Beliefs;
import io.callboard.zookeeper.Multi.Purpose;
import io.vertx.core.Future;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.apache.zookeeper.KeeperException.Code;

/**
 * Sends commits, one at a time. What this node believes of headers, names and journals may be out
 * of date; then the multi is refused, for certain, and sent once more with what is true now. After
 * an unknown outcome nothing is sent before the session was renewed.
 */
final class Commits {
  private static final int ATTEMPTS = 3;

  private final NodeSession session;
  private final Mailboxes mailboxes;
  private final SegmentNames names;
  private final Journals journals;

  Commits(NodeSession session, Mailboxes mailboxes, SegmentNames names, Journals journals) {
    this.session = session;
    this.mailboxes = mailboxes;
    this.names = names;
    this.journals = journals;
  }

  /** To be called one after another; never fails. */
  Future<CommitOutcome> commit(Commit commit) {
    PackedCommit packed = PackedCommit.pack(commit);
    return packed
        .refusal(session.layout().partitions())
        .or(() -> session.refusal(commit))
        .<Future<CommitOutcome>>map(Future::succeededFuture)
        .orElseGet(() -> attempt(packed, 1))
        .otherwise(Errors::outcome)
        .onSuccess(
            outcome -> {
              if (outcome instanceof Unknown) {
                session.doubt();
              }
            });
  }

  private Future<CommitOutcome> attempt(PackedCommit packed, int attempt) {
    Handle handle = session.handle();
    List<Write> writes = packed.commit().units().stream().flatMap(u -> u.write().stream()).toList();
    return names
        .find(handle, session.layout(), writes)
        .compose(found -> mailboxes.look(handle, session.layout(), mailboxesOf(packed, writes)))
        .compose(
            headers ->
                obstacle(packed, headers)
                    .<Future<CommitOutcome>>map(Future::succeededFuture)
                    .orElseGet(() -> send(handle, packed, headers, attempt)));
  }

  private static Set<ActorPath> mailboxesOf(PackedCommit packed, List<Write> writes) {
    Set<ActorPath> looked = new LinkedHashSet<>();
    packed.mails().forEach(mail -> looked.add(mail.receiver()));
    writes.stream().filter(write -> write.full() != null).forEach(w -> looked.add(w.actor()));
    return looked;
  }

  private static Optional<Refused> obstacle(PackedCommit packed, Map<ActorPath, Header> headers) {
    for (PackedCommit.Mail mail : packed.mails()) {
      Header header = headers.get(mail.receiver());
      if (header == null || header.isFull()) {
        Reason reason = header == null ? Reason.NO_MAILBOX : Reason.FULL;
        return Optional.of(new Refused(mail.unit(), reason, mail.receiver().toString()));
      }
    }
    return Optional.empty();
  }

  private Future<CommitOutcome> send(
      Handle handle, PackedCommit packed, Map<ActorPath, Header> headers, int attempt) {
    Multi multi =
        Multi.of(
            session.layout(),
            handle.acl(),
            session.identity().name(),
            session.commitsVersion(),
            packed,
            new Beliefs(headers, names, journals));
    return handle
        .multi(multi.operations())
        .<CommitOutcome>map(
            results -> {
              applied(packed);
              return new Applied();
            })
        .recover(cause -> failed(multi, packed, cause, attempt));
  }

  private void applied(PackedCommit packed) {
    session.committed();
    packed.mails().forEach(mail -> mailboxes.sent(mail.receiver()));
    for (CommitUnit unit : packed.commit().units()) {
      unit.write().ifPresent(this::applied);
    }
  }

  private void applied(Write write) {
    names.consumed(write.actor(), write.consumed());
    if (write.journal() != null) {
      journals.add(write.actor());
    }
    if (write.full() != null) {
      mailboxes.forget(Set.of(write.actor()));
    }
  }

  private Future<CommitOutcome> failed(
      Multi multi, PackedCommit packed, Throwable cause, int attempt) {
    if (!(cause instanceof Handle.Refused refused) || refused.culprit() < 0) {
      return Future.succeededFuture(new Unknown(cause));
    }
    int culprit = refused.culprit();
    Code code = refused.code(culprit);
    if (correct(multi, packed, culprit, code) && attempt < ATTEMPTS) {
      return attempt(packed, attempt + 1);
    }
    return Future.succeededFuture(multi.refused(culprit, code));
  }

  /** Whether the refusal came from a wrong belief, which is given up. */
  private boolean correct(Multi multi, PackedCommit packed, int culprit, Code code) {
    Purpose purpose = multi.purpose(culprit);
    if (purpose == Purpose.MAILBOX || purpose == Purpose.HEADER) {
      // others may be as old as this one
      mailboxes.forget(packed.mails().stream().map(PackedCommit.Mail::receiver).toList());
      mailboxes.forget(Set.of(multi.actor(culprit)));
      return code == Code.BADVERSION || code == Code.NONODE;
    } else if (purpose == Purpose.JOURNAL_PARENT && code == Code.NODEEXISTS) {
      journals.add(multi.actor(culprit));
      return true;
    } else if (purpose == Purpose.JOURNAL && code == Code.NONODE) {
      journals.remove(multi.actor(culprit));
      return true;
    }
    return false;
  }
}
