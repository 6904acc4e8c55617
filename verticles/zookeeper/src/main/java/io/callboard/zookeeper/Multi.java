package io.callboard.zookeeper;

import io.callboard.codecs.ActorPath;
import io.callboard.codecs.Envelope;
import io.callboard.codecs.Json;
import io.callboard.codecs.Partition;
import io.callboard.codecs.Segment;
import io.callboard.store.Commit;
import io.callboard.store.CommitOutcome.Reason;
import io.callboard.store.CommitOutcome.Refused;
import io.callboard.store.CommitUnit;
import io.callboard.store.CommitUnit.Write;
import io.callboard.store.Lease;
import io.callboard.store.Limits;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.KeeperException.Code;
import org.apache.zookeeper.Op;
import org.apache.zookeeper.ZooDefs;

/**
 * A commit as the operations of one ZooKeeper multi, with the unit and the meaning of each, so that a
 * refusal can be told in the port's words.
 */
final class Multi {
  private static final int OVERHEAD = 64;
  private static final int SEGMENT_BYTES = 128 << 10;

  private final Layout layout;
  private final SegmentNames names;
  private final List<Op> operations = new ArrayList<>();
  private final List<Meaning> meanings = new ArrayList<>();
  private long bytes;

  /** What an operation was for. */
  private enum Purpose {
    INCARNATION,
    LEASE,
    WRITE,
    JOURNAL_PARENT,
    MAILBOX
  }

  private record Meaning(Purpose purpose, int unit, String detail) {}

  /** Whether a refused multi can be built again from fresher headers or parents, for this reason. */
  enum Stale {
    NO,
    HEADER,
    JOURNAL_PARENT
  }

  private Multi(Layout layout, SegmentNames names) {
    this.layout = layout;
    this.names = names;
  }

  /**
   * @param headers the header version of every receiving mailbox
   * @param journals the actors whose journal's parent is known to exist
   */
  static Multi of(
      Layout layout,
      SegmentNames names,
      String node,
      int commitsVersion,
      Commit commit,
      Map<ActorPath, Integer> headers,
      Set<ActorPath> journals) {
    Multi multi = new Multi(layout, names);
    multi.add(
        Op.check(layout.incarnation(node), (int) commit.incarnation()),
        new Meaning(Purpose.INCARNATION, -1, node),
        0);
    byte[] number =
        Json.bytes(new NodeSession.StoredCommits(NodeSession.FORMAT, commit.number()));
    multi.add(
        Op.setData(layout.commits(node), number, commitsVersion),
        new Meaning(Purpose.INCARNATION, -1, node),
        number.length);
    multi.leases(commit);
    Map<ActorPath, List<Envelope>> outgoing = new LinkedHashMap<>();
    Map<ActorPath, Integer> firstUnit = new HashMap<>();
    for (int i = 0; i < commit.units().size(); i++) {
      CommitUnit unit = commit.units().get(i);
      int index = i;
      unit.write().ifPresent(write -> multi.write(index, write, journals));
      unit.outgoing()
          .forEach(
              (receiver, envelopes) -> {
                firstUnit.putIfAbsent(receiver, index);
                outgoing.computeIfAbsent(receiver, r -> new ArrayList<>()).addAll(envelopes);
              });
    }
    outgoing.forEach(
        (receiver, envelopes) ->
            multi.send(
                firstUnit.get(receiver), receiver, headers.getOrDefault(receiver, 0), envelopes));
    return multi;
  }

  private void leases(Commit commit) {
    Map<Partition, Integer> units = new HashMap<>();
    for (int i = 0; i < commit.units().size(); i++) {
      int index = i;
      commit.units().get(i).write()
          .ifPresent(w -> units.putIfAbsent(w.actor().partition(layout.partitions()), index));
    }
    for (Lease lease : commit.leases()) {
      add(
          Op.check(layout.lease(lease.partition()), lease.version()),
          new Meaning(
              Purpose.LEASE, units.getOrDefault(lease.partition(), 0), lease.partition().toString()),
          0);
    }
  }

  private void write(int unit, Write write, Set<ActorPath> journals) {
    Meaning meaning = new Meaning(Purpose.WRITE, unit, write.actor().toString());
    String record = layout.record(write.actor());
    byte[] data = write.record().encode();
    add(
        write.expectedVersion() == Write.NEW
            ? create(record, data, CreateMode.PERSISTENT)
            : Op.setData(record, data, write.expectedVersion()),
        meaning,
        data.length);
    String mailbox = layout.mailbox(write.actor());
    for (long sequence : write.consumed()) {
      String node = names.get(write.actor(), sequence);
      add(Op.delete(mailbox + "/" + (node == null ? "unread-" + sequence : node), -1), meaning, 0);
    }
    journal(unit, write, journals, meaning);
    write
        .parked()
        .forEach(
            (id, parked) ->
                add(create(layout.parked(write.actor(), id), parked, CreateMode.PERSISTENT), meaning, parked.length));
  }

  private void journal(
      int unit, Write write, Set<ActorPath> journals, Meaning meaning) {
    String parent = layout.journal(write.actor());
    if (write.journal() != null) {
      if (!journals.contains(write.actor())) {
        add(
            create(parent, new byte[0], CreateMode.PERSISTENT),
            new Meaning(Purpose.JOURNAL_PARENT, unit, write.actor().toString()),
            0);
      }
      add(
          create(parent + "/" + write.record().turn(), write.journal(), CreateMode.PERSISTENT),
          meaning,
          write.journal().length);
    }
    for (long turn : write.trim()) {
      add(Op.delete(parent + "/" + turn, -1), meaning, 0);
    }
  }

  private void send(int unit, ActorPath receiver, int header, List<Envelope> envelopes) {
    Meaning meaning = new Meaning(Purpose.MAILBOX, unit, receiver.toString());
    String mailbox = layout.mailbox(receiver);
    add(Op.check(mailbox, header), meaning, 0);
    for (int from = 0; from < envelopes.size(); ) {
      int to = from + 1;
      byte[] data = Segment.encode(envelopes.subList(from, to));
      while (to < envelopes.size() && data.length < SEGMENT_BYTES) {
        int next = Math.min(envelopes.size(), to + Math.max(1, (to - from)));
        byte[] more = Segment.encode(envelopes.subList(from, next));
        if (more.length > 2 * SEGMENT_BYTES) {
          break;
        }
        data = more;
        to = next;
      }
      String name = mailbox + "/" + Layout.segment(to - from, data.length);
      add(create(name, data, CreateMode.PERSISTENT_SEQUENTIAL), meaning, data.length);
      from = to;
    }
  }

  private static Op create(String path, byte[] data, CreateMode mode) {
    return Op.create(path, data, ZooDefs.Ids.OPEN_ACL_UNSAFE, mode);
  }

  private void add(Op operation, Meaning meaning, int payload) {
    operations.add(operation);
    meanings.add(meaning);
    bytes += OVERHEAD + operation.getPath().length() + payload;
  }

  List<Op> operations() {
    return operations;
  }

  /** An upper estimate of the request's size. */
  long bytes() {
    return bytes;
  }

  boolean tooLarge() {
    return bytes > Limits.UNIT_BYTES;
  }

  /** Whether that failure comes from something cached here. */
  Stale stale(int operation, Code code) {
    Purpose purpose = meanings.get(operation).purpose();
    if (purpose == Purpose.MAILBOX && code == Code.BADVERSION) {
      return Stale.HEADER;
    }
    return purpose == Purpose.JOURNAL_PARENT && code == Code.NODEEXISTS
        ? Stale.JOURNAL_PARENT
        : Stale.NO;
  }

  String detail(int operation) {
    return meanings.get(operation).detail();
  }

  Refused refused(int operation, Code code) {
    Meaning meaning = meanings.get(operation);
    Reason reason =
        switch (meaning.purpose()) {
          case INCARNATION -> Reason.INCARNATION;
          case LEASE -> Reason.FENCED;
          case WRITE, JOURNAL_PARENT -> Reason.STALE;
          case MAILBOX -> Reason.NO_MAILBOX;
        };
    String detail =
        reason == Reason.NO_MAILBOX
            ? meaning.detail()
            : "%s (%s)".formatted(meaning.detail(), code);
    return new Refused(meaning.unit(), reason, detail);
  }
}
