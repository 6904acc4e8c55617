package io.callboard.zookeeper.internal.commit;

import io.callboard.codecs.ActorPath;
import io.callboard.codecs.Partition;
import io.callboard.store.BlobKey;
import io.callboard.store.Commit;
import io.callboard.store.CommitOutcome.Reason;
import io.callboard.store.CommitOutcome.Refused;
import io.callboard.store.CommitUnit;
import io.callboard.store.CommitUnit.Write;
import io.callboard.store.Generation;
import io.callboard.store.JournalKey;
import io.callboard.store.Lease;
import io.callboard.store.MailboxHeader;
import io.callboard.store.OutboxChange;
import io.callboard.store.PackedCommit;
import io.callboard.store.ParkedKey;
import io.callboard.zookeeper.internal.blob.ZnodeBlobs;
import io.callboard.zookeeper.internal.client.VersionedWrite;
import io.callboard.zookeeper.internal.layout.Layout;
import io.callboard.zookeeper.internal.layout.StoredCommits;
import io.callboard.zookeeper.internal.layout.StoredHeader;
import io.callboard.zookeeper.internal.mailbox.KnownParents;
import io.callboard.zookeeper.internal.mailbox.Mailboxes.Header;
import io.callboard.zookeeper.internal.mailbox.SegmentNames;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.KeeperException.Code;
import org.apache.zookeeper.Op;
import org.apache.zookeeper.data.ACL;
import org.jspecify.annotations.Nullable;

/**
 * A commit as the operations of one ZooKeeper multi, with the unit and the purpose of each, from
 * which a refusal is translated into the port's reasons.
 */
final class CommitRequest {
  private final Layout layout;
  private final List<ACL> acl;
  private final List<Op> operations = new ArrayList<>();
  private final List<Meaning> meanings = new ArrayList<>();

  /** Purpose of an operation. */
  enum Purpose {
    /** The node's incarnation. */
    NODE,
    /** The node's commit number: the commit before this one was applied. */
    NUMBER,
    /** The lease of a partition. */
    LEASE,
    /** Record, consumed mail, trimmed journal, parked messages. */
    WRITE,
    /** A parked message that is deleted. */
    UNPARK,
    /** A blob that the commit refers to. */
    BLOB,
    /** A blob that the commit deletes, believed to be there. */
    BLOB_REMOVAL,
    /** The znode above an actor's journal entries, believed to be missing. */
    JOURNAL_PARENT,
    /** A journal entry, whose parent is believed to exist. */
    JOURNAL,
    /** The znode above the entries of an actor's outbox, believed to be missing. */
    OUTBOX_PARENT,
    /** A new entry of an outbox, whose parent is believed to exist. */
    OUTBOX,
    /** A receiver's mailbox. */
    MAILBOX,
    /** The header of the actor's own mailbox. */
    HEADER,
    /** The mailbox of an actor that is stored for the first time. */
    NEW_MAILBOX
  }

  /**
   * @param blob that the operation is about; null for another
   */
  private record Meaning(Purpose purpose, int unit, String detail, @Nullable BlobKey blob) {
    Meaning(Purpose purpose, int unit, String detail) {
      this(purpose, unit, detail, null);
    }

    Meaning(Purpose purpose, int unit, BlobKey blob) {
      this(purpose, unit, blob.toString(), blob);
    }
  }

  /**
   * Beliefs of this node, right or wrong; a refused multi shows which.
   *
   * @param made actors that have an empty record and a mailbox, which a sender has made
   * @param gone blobs that are not there any more
   */
  record Beliefs(
      Map<ActorPath, Header> headers,
      SegmentNames names,
      KnownParents journals,
      KnownParents outboxes,
      Set<ActorPath> made,
      Set<BlobKey> gone) {}

  private CommitRequest(Layout layout, List<ACL> acl) {
    this.layout = layout;
    this.acl = acl;
  }

  /**
   * Returns the request of a packed commit.
   *
   * @param acl of what it makes
   * @param numberVersion of the znode with the node's commit number
   * @param beliefs hold the header of every receiver, and of every actor that is stored first
   */
  static CommitRequest of(
      Layout layout,
      List<ACL> acl,
      String node,
      int numberVersion,
      PackedCommit packed,
      Beliefs beliefs) {
    CommitRequest commitRequest = new CommitRequest(layout, acl);
    commitRequest.fences(node, numberVersion, packed.commit());
    for (int i = 0; i < packed.commit().units().size(); i++) {
      int unit = i;
      byte[] record = packed.records().get(i).orElse(new byte[0]);
      packed
          .commit()
          .units()
          .get(i)
          .write()
          .ifPresent(write -> commitRequest.write(unit, write, record, beliefs));
      packed.commit().units().get(i).unparked().forEach(key -> commitRequest.unpark(unit, key));
      commitRequest.blobs(unit, packed.commit().units().get(i), beliefs.gone());
    }
    for (PackedCommit.Mail mail : packed.mails()) {
      commitRequest.send(mail, beliefs.headers().get(mail.receiver()));
    }
    // after every check of a header: a commit may send to a mailbox that it also flips
    for (int i = 0; i < packed.commit().units().size(); i++) {
      int unit = i;
      packed.commit().units().get(i).write().ifPresent(w -> commitRequest.flip(unit, w, beliefs));
    }
    return commitRequest;
  }

  private void fences(String node, int numberVersion, Commit commit) {
    Meaning me = new Meaning(Purpose.NODE, -1, "the incarnation of " + node);
    add(Op.check(layout.incarnation(node), (int) commit.incarnation()), me);
    Meaning chain = new Meaning(Purpose.NUMBER, -1, "the commit number of " + node);
    put(layout.commits(node), StoredCommits.encode(commit.number()), numberVersion, chain);
    Map<Partition, Integer> writers = new HashMap<>();
    for (int i = 0; i < commit.units().size(); i++) {
      int unit = i;
      commit
          .units()
          .get(i)
          .write()
          .ifPresent(w -> writers.putIfAbsent(w.actor().partition(layout.partitions()), unit));
    }
    for (Lease lease : commit.leases()) {
      add(
          Op.check(layout.lease(lease.partition()), lease.version()),
          new Meaning(
              Purpose.LEASE,
              writers.getOrDefault(lease.partition(), 0),
              lease.partition().toString()));
    }
  }

  private void write(int unit, Write write, byte[] record, Beliefs beliefs) {
    ActorPath actor = write.actor();
    Meaning meaning = new Meaning(Purpose.WRITE, unit, actor.toString());
    String path = layout.record(actor);
    if (write.isFirst() && beliefs.made().contains(actor)) {
      add(Op.delete(path, 0), meaning); // so that the record has the version of a new one
      add(create(path, record), meaning);
    } else if (write.isFirst()) {
      add(create(path, record), meaning);
      Header made = Objects.requireNonNull(beliefs.headers().get(actor), "header of " + actor);
      add(
          create(layout.mailbox(actor, 0), StoredHeader.encode(made.said())),
          new Meaning(Purpose.NEW_MAILBOX, unit, actor.toString()));
    } else {
      put(path, record, write.expectedVersion(), meaning);
    }
    for (long sequence : write.consumed()) {
      String known = beliefs.names().get(actor, sequence);
      String node = known == null ? "none-" + sequence : known;
      String mailbox = layout.mailbox(actor, Generation.of(sequence));
      add(Op.delete(mailbox + "/" + node, -1), meaning);
    }
    for (long generation : write.emptied()) {
      add(Op.delete(layout.mailbox(actor, generation), -1), meaning);
    }
    journal(unit, write, beliefs.journals());
    outbox(unit, write, beliefs.outboxes());
    for (JournalKey entry : write.journal().trim()) {
      add(Op.delete(layout.journal(actor) + "/" + Layout.entry(entry), -1), meaning);
    }
    write.parked().forEach((id, bytes) -> add(create(layout.parked(actor, id), bytes), meaning));
  }

  private void unpark(int unit, ParkedKey key) {
    add(
        Op.delete(layout.parked(key.actor(), key.id()), -1),
        new Meaning(Purpose.UNPARK, unit, key.toString()));
  }

  private void outbox(int unit, Write write, KnownParents outboxes) {
    OutboxChange change = write.outbox();
    String actor = write.actor().toString();
    String parent = layout.outbox(write.actor());
    if (!change.made().isEmpty() && !outboxes.contains(write.actor())) {
      add(create(parent, new byte[0]), new Meaning(Purpose.OUTBOX_PARENT, unit, actor));
    }
    Meaning made = new Meaning(Purpose.OUTBOX, unit, actor);
    change.made().forEach((number, bytes) -> add(create(parent + "/" + number, bytes), made));
    Meaning there = new Meaning(Purpose.WRITE, unit, actor);
    change
        .kept()
        .forEach((number, bytes) -> add(Op.setData(parent + "/" + number, bytes, -1), there));
    change.gone().forEach(number -> add(Op.delete(parent + "/" + number, -1), there));
  }

  /**
   * Writes the header of each blob that the commit refers to, so that its version shows that it is
   * referred to.
   */
  private void blobs(int unit, CommitUnit of, Set<BlobKey> gone) {
    for (BlobKey key : of.named()) {
      String path = layout.blob(key.receiver(), key.blob().id());
      Meaning meaning = new Meaning(Purpose.BLOB, unit, key);
      add(Op.setData(path, ZnodeBlobs.header(key.blob()), -1), meaning);
    }
    for (BlobKey key : of.blobs()) {
      if (!gone.contains(key)) {
        String path = layout.blob(key.receiver(), key.blob().id());
        Meaning meaning = new Meaning(Purpose.BLOB_REMOVAL, unit, key);
        ZnodeBlobs.deletes(path, key.blob().parts(), -1).forEach(delete -> add(delete, meaning));
      }
    }
  }

  private void journal(int unit, Write write, KnownParents journals) {
    byte @Nullable [] entry = write.journal().entry();
    if (entry == null) {
      return;
    }
    String actor = write.actor().toString();
    String parent = layout.journal(write.actor());
    if (!journals.contains(write.actor())) {
      add(create(parent, new byte[0]), new Meaning(Purpose.JOURNAL_PARENT, unit, actor));
    }
    JournalKey key = write.journal().key(write.record().turn(), entry);
    add(create(parent + "/" + Layout.entry(key), entry), new Meaning(Purpose.JOURNAL, unit, actor));
  }

  private void send(PackedCommit.Mail mail, @Nullable Header header) {
    Meaning meaning = new Meaning(Purpose.MAILBOX, mail.unit(), mail.receiver().toString());
    String mailbox = layout.mailbox(mail.receiver(), header == null ? 0 : header.generation());
    add(Op.check(mailbox, header == null ? 0 : header.version()), meaning);
    String segment = mailbox + "/" + Layout.segment(mail.messages(), mail.bytes().length);
    add(Op.create(segment, mail.bytes(), acl, CreateMode.PERSISTENT_SEQUENTIAL), meaning);
  }

  private void flip(int unit, Write write, Beliefs beliefs) {
    Header header = beliefs.headers().get(write.actor());
    MailboxHeader next = write.header();
    boolean isNew = write.isFirst() && !beliefs.made().contains(write.actor());
    if (header == null || isNew || (next == null && !write.seal())) {
      return;
    }
    Meaning meaning = new Meaning(Purpose.HEADER, unit, write.actor().toString());
    String mailbox = layout.mailbox(write.actor(), header.generation());
    if (write.seal() && header.generation() == Generation.of(write.record().next())) {
      add(Op.setData(mailbox, StoredHeader.sealed(header.said()), header.version()), meaning);
      String path = layout.mailbox(write.actor(), header.generation() + 1);
      add(create(path, StoredHeader.encode(next == null ? header.said() : next)), meaning);
    } else if (next != null) {
      add(Op.setData(mailbox, StoredHeader.encode(next), header.version()), meaning);
    }
  }

  private void put(String path, byte[] data, int version, Meaning meaning) {
    VersionedWrite.of(path, data, version, acl).forEach(operation -> add(operation, meaning));
  }

  private Op create(String path, byte[] data) {
    return Op.create(path, data, acl, CreateMode.PERSISTENT);
  }

  private void add(Op operation, Meaning meaning) {
    operations.add(operation);
    meanings.add(meaning);
  }

  List<Op> operations() {
    return operations;
  }

  Purpose purpose(int operation) {
    return meanings.get(operation).purpose();
  }

  /** Returns the actor of a purpose that is about one actor's mailbox or journal. */
  ActorPath actor(int operation) {
    return ActorPath.of(meanings.get(operation).detail());
  }

  /**
   * Returns the actors of all operations of a purpose that is about one actor's journal or outbox.
   */
  Set<ActorPath> actors(Purpose purpose) {
    return meanings.stream()
        .filter(meaning -> meaning.purpose() == purpose)
        .map(meaning -> ActorPath.of(meaning.detail()))
        .collect(Collectors.toUnmodifiableSet());
  }

  /** Returns what the operation is about, in words. */
  String detail(int operation) {
    return meanings.get(operation).detail();
  }

  /** Returns the blob that the operation is about. */
  BlobKey blob(int operation) {
    return Objects.requireNonNull(meanings.get(operation).blob());
  }

  /** Returns the blobs that it removes. */
  Set<BlobKey> removed() {
    return meanings.stream()
        .filter(meaning -> meaning.purpose() == Purpose.BLOB_REMOVAL)
        .flatMap(meaning -> Stream.ofNullable(meaning.blob()))
        .collect(Collectors.toUnmodifiableSet());
  }

  /** Returns the refusal that the failure of that operation means. */
  Refused refused(int operation, Code code) {
    Meaning meaning = meanings.get(operation);
    Reason reason = reason(meaning.purpose(), code);
    String detail =
        switch (reason) {
          case NO_MAILBOX, FULL -> meaning.detail();
          case TOO_LARGE -> overQuota(meaning, operations.get(operation).getPath());
          case FENCED -> "partition %s has another owner (%s)".formatted(meaning.detail(), code);
          default -> "%s (%s)".formatted(meaning.detail(), code);
        };
    int unit = reason == Reason.INCARNATION ? -1 : Math.max(0, meaning.unit());
    if (meaning.purpose() == Purpose.BLOB) {
      BlobKey key = blob(operation);
      return reason == Reason.STALE
          ? Refused.lacking(key, unit)
          : Refused.to(key.receiver(), unit, reason, detail);
    }
    return meaning.purpose() == Purpose.MAILBOX && reason == Reason.DENIED
        ? Refused.to(actor(operation), unit, reason, detail)
        : new Refused(unit, reason, detail);
  }

  private static String overQuota(Meaning meaning, String path) {
    return "%s: ZooKeeper's quota of znode %s, or of one above it, is used up: raise it (setquota)"
        .formatted(meaning.detail(), path);
  }

  /**
   * Returns the reason for a code. Only room in a mailbox is waited for: no other node makes room
   * in the writer's own znodes.
   */
  private static Reason reason(Purpose purpose, Code code) {
    if (code == Code.NOAUTH) {
      return Reason.DENIED;
    } else if (code == Code.QUOTAEXCEEDED) {
      return purpose == Purpose.MAILBOX ? Reason.FULL : Reason.TOO_LARGE;
    }
    return switch (purpose) {
      case NODE, NUMBER -> Reason.INCARNATION;
      case LEASE -> Reason.FENCED;
      case WRITE, UNPARK, BLOB, BLOB_REMOVAL, JOURNAL_PARENT, JOURNAL, OUTBOX, HEADER ->
          Reason.STALE;
      // a cell older than outboxes: the parent is created with the next mailbox
      case OUTBOX_PARENT -> code == Code.NONODE ? Reason.NO_MAILBOX : Reason.STALE;
      // a header that keeps changing, or a counter of segments at its end
      case MAILBOX -> code == Code.NONODE ? Reason.NO_MAILBOX : Reason.FULL;
      // one without a record, or no parent: whoever makes it makes both; the actor is then read
      // again
      case NEW_MAILBOX -> Reason.NO_MAILBOX;
    };
  }
}
