package io.callboard.zookeeper.fsck;

import io.callboard.codecs.ActorPath;
import io.callboard.codecs.CodecException;
import io.callboard.codecs.Partition;
import io.callboard.store.ActorRecord;
import io.callboard.store.Generation;
import io.callboard.store.MailboxHeader;
import io.callboard.store.StoreException;
import io.callboard.zookeeper.fsck.FsckFinding.Kind;
import io.callboard.zookeeper.internal.client.BlockingReads;
import io.callboard.zookeeper.internal.layout.Layout;
import io.callboard.zookeeper.internal.layout.StoredHeader;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.zookeeper.Op;
import org.apache.zookeeper.OpResult;
import org.apache.zookeeper.OpResult.GetChildrenResult;
import org.apache.zookeeper.OpResult.GetDataResult;
import org.apache.zookeeper.data.Stat;
import org.jspecify.annotations.Nullable;

/**
 * An actor whose record, mailbox and journal may not fit together. Znodes that hold state or mail
 * are never deleted. Every repair checks the lease and the versions that were seen, so that it is
 * safe while the partition has an owner.
 *
 * @param settled a record made before may be expected to have its mailbox
 */
record SuspectActor(Layout layout, ActorPath actor, Instant settled) implements Anomaly.Suspect {
  private static final int DELETES_AT_ONCE = 500;

  /** Znodes of the actor at one moment; null stands for one that does not exist. */
  private record View(
      @Nullable GetDataResult record,
      @Nullable GetDataResult mailbox,
      @Nullable List<String> journal,
      @Nullable Stat lease,
      boolean hasRecords,
      boolean hasMailboxes,
      long generation) {
    static View of(List<OpResult> results, long generation) {
      return new View(
          results.get(0) instanceof GetDataResult found ? found : null,
          results.get(1) instanceof GetDataResult found ? found : null,
          results.get(2) instanceof GetChildrenResult found ? found.getChildren() : null,
          results.get(3) instanceof GetDataResult found ? found.getStat() : null,
          results.get(4) instanceof GetDataResult,
          results.get(5) instanceof GetDataResult,
          generation);
    }

    int entries() {
      return journal == null ? 0 : journal.size();
    }
  }

  @Override
  public Optional<Anomaly> examine(BlockingReads cell) {
    Partition partition = actor.partition(layout.partitions());
    long generation = generation(cell);
    View view =
        View.of(
            cell.readAll(
                List.of(
                    Op.getData(layout.record(actor)),
                    Op.getData(layout.mailbox(actor, generation)),
                    Op.getChildren(layout.journal(actor)),
                    Op.getData(layout.lease(partition)),
                    Op.getData(layout.records(partition)),
                    Op.getData(layout.mailboxes(partition)))),
            generation);
    GetDataResult record = view.record;
    if (record != null) {
      return recorded(cell, view, record);
    } else if (view.mailbox != null) {
      return mailboxAlone(cell, view, view.mailbox);
    }
    return view.journal == null
        ? Optional.empty()
        : Optional.of(journalAlone(cell, view, view.journal));
  }

  /**
   * Returns the generation of the mailbox that the record expects; an unreadable record is reported
   * as damaged.
   */
  private long generation(BlockingReads cell) {
    OpResult record = cell.readAll(List.of(Op.getData(layout.record(actor)))).get(0);
    if (!(record instanceof GetDataResult found)) {
      return 0;
    }
    try {
      return Generation.of(ActorRecord.decode("the record", found.getData()).next());
    } catch (CodecException | StoreException e) {
      return 0;
    }
  }

  private Optional<Anomaly> recorded(BlockingReads cell, View view, GetDataResult found) {
    ActorRecord record;
    try {
      record = ActorRecord.decode("the record", found.getData());
    } catch (CodecException | StoreException e) {
      return Optional.empty(); // it is reported as damaged
    }
    if (view.mailbox != null) {
      return oldJournal(view, found.getStat(), record);
    } else if (Instant.ofEpochMilli(found.getStat().getCtime()).isAfter(settled)) {
      return Optional.empty(); // its mailbox is being created
    }
    return Optional.of(recordAlone(cell, view, found.getStat(), record));
  }

  private Anomaly recordAlone(BlockingReads cell, View view, Stat stat, ActorRecord record) {
    String path = layout.record(actor);
    if (record.turn() > 0 || view.entries() > 0) {
      return Anomaly.reported(
          Kind.RECORD_WITHOUT_MAILBOX,
          path,
          "%s has no mailbox, and the state of %d turns".formatted(actor, record.turn()),
          "none: the state may be needed; the next message to the actor creates the mailbox");
    }
    List<Op> repair =
        Anomaly.together(
            lease(cell, view), noMailbox(cell, view), List.of(Op.delete(path, stat.getVersion())));
    return new Anomaly(
        Kind.RECORD_WITHOUT_MAILBOX,
        path,
        "%s has no mailbox and has committed nothing".formatted(actor),
        "delete the record",
        List.of(repair));
  }

  private Optional<Anomaly> mailboxAlone(BlockingReads cell, View view, GetDataResult found) {
    String path = layout.mailbox(actor, view.generation);
    Stat mailbox = found.getStat();
    if (mailbox.getNumChildren() > 0 || view.entries() > 0) {
      return Optional.of(
          Anomaly.reported(
              Kind.MAILBOX_WITHOUT_RECORD,
              path,
              "%s has no record, but %d segments of mail and %d journal entries"
                  .formatted(actor, mailbox.getNumChildren(), view.entries()),
              "none: they may be needed"));
    }
    try {
      MailboxHeader unused = StoredHeader.decode(path, found.getData()).header();
    } catch (CodecException | StoreException e) {
      return Optional.empty(); // it is reported as damaged, and never deleted
    }
    List<Op> repair =
        Anomaly.together(
            lease(cell, view),
            noRecord(cell, view),
            List.of(Op.delete(path, mailbox.getVersion())));
    return Optional.of(
        new Anomaly(
            Kind.MAILBOX_WITHOUT_RECORD,
            path,
            "%s has no record, its mailbox is empty".formatted(actor),
            "delete the mailbox",
            List.of(repair)));
  }

  private Anomaly journalAlone(BlockingReads cell, View view, List<String> entries) {
    String path = layout.journal(actor);
    String what =
        "%s has neither record nor mailbox, but %d journal entries"
            .formatted(actor, entries.size());
    if (!entries.stream().allMatch(Layout::isEntry)) {
      return Anomaly.reported(
          Kind.JOURNAL_WITHOUT_RECORD, path, what, "none: the journal holds unknown znodes");
    }
    List<Op> guard =
        Anomaly.together(lease(cell, view), noRecord(cell, view), noMailbox(cell, view));
    List<List<Op>> repair = new ArrayList<>(deletes(guard, entries));
    repair.add(Anomaly.together(guard, List.of(Op.delete(path, -1))));
    return new Anomaly(Kind.JOURNAL_WITHOUT_RECORD, path, what, "delete the journal", repair);
  }

  private Optional<Anomaly> oldJournal(View view, Stat stat, ActorRecord record) {
    List<String> journal = view.journal == null ? List.of() : view.journal;
    List<String> old =
        journal.stream()
            .filter(Layout::isEntry)
            .filter(entry -> Layout.entryKey(entry).turn() <= record.superfluousTo())
            .toList();
    if (old.isEmpty()) {
      return Optional.empty();
    }
    List<Op> guard = new ArrayList<>();
    Partition partition = actor.partition(layout.partitions());
    if (view.lease != null) {
      guard.add(Op.check(layout.lease(partition), view.lease.getVersion()));
    }
    guard.add(Op.check(layout.record(actor), stat.getVersion()));
    return Optional.of(
        new Anomaly(
            Kind.OLD_JOURNAL,
            layout.journal(actor),
            "%d journal entries are older than the state, of turn %d"
                .formatted(old.size(), record.superfluousTo()),
            "delete the entries",
            deletes(guard, old)));
  }

  private List<List<Op>> deletes(List<Op> guard, List<String> entries) {
    List<List<Op>> multis = new ArrayList<>();
    for (int from = 0; from < entries.size(); from += DELETES_AT_ONCE) {
      List<String> some = entries.subList(from, Math.min(entries.size(), from + DELETES_AT_ONCE));
      List<Op> deletes =
          some.stream().map(entry -> Op.delete(layout.journal(actor) + "/" + entry, -1)).toList();
      multis.add(Anomaly.together(guard, deletes));
    }
    return multis;
  }

  private List<Op> noRecord(BlockingReads cell, View view) {
    Partition partition = actor.partition(layout.partitions());
    String path = view.hasRecords ? layout.record(actor) : layout.records(partition);
    return Anomaly.absent(path, cell.handle().acl());
  }

  private List<Op> noMailbox(BlockingReads cell, View view) {
    Partition partition = actor.partition(layout.partitions());
    String path =
        view.hasMailboxes ? layout.mailbox(actor, view.generation) : layout.mailboxes(partition);
    return Anomaly.absent(path, cell.handle().acl());
  }

  /** Checks that no node has claimed the partition since the examination. */
  private List<Op> lease(BlockingReads cell, View view) {
    String path = layout.lease(actor.partition(layout.partitions()));
    return view.lease == null
        ? Anomaly.absent(path, cell.handle().acl())
        : List.of(Op.check(path, view.lease.getVersion()));
  }
}
