package io.callboard.zookeeper;

import static io.callboard.testkit.Futures.await;
import static org.assertj.core.api.Assertions.assertThat;

import io.callboard.codecs.ActorPath;
import io.callboard.codecs.Envelope;
import io.callboard.codecs.Journal;
import io.callboard.codecs.Json;
import io.callboard.codecs.MessageId;
import io.callboard.codecs.MessageType;
import io.callboard.codecs.WrittenEvent;
import io.callboard.store.ActorRecord;
import io.callboard.store.Commit;
import io.callboard.store.CommitOutcome;
import io.callboard.store.CommitOutcome.Applied;
import io.callboard.store.CommitUnit;
import io.callboard.store.JournalChange;
import io.callboard.store.JournalKey;
import io.callboard.store.Lease;
import io.callboard.store.NodeIdentity;
import io.callboard.store.Session;
import io.callboard.store.StoredSnapshot;
import io.callboard.zookeeper.access.ZooKeeperOptions;
import io.callboard.zookeeper.internal.layout.Layout;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** A node without actors of its own: a store, driven by hand. Blocks. */
public final class TestNode implements AutoCloseable {
  private final ZooKeeperStore store;
  private Session session;

  public TestNode(ZooKeeperOptions options) {
    store = new ZooKeeperStore(options);
  }

  public ZooKeeperStore store() {
    return store;
  }

  public TestNode open(String name) throws Exception {
    session = await(store.open(new NodeIdentity(name, "boot-" + name, "home-" + name)));
    return this;
  }

  void renew() throws Exception {
    session = await(store.renew());
  }

  public CommitOutcome commit(Set<Lease> leases, CommitUnit... units) throws Exception {
    Commit commit =
        new Commit(session.incarnation(), session.commitNumber() + 1, leases, List.of(units));
    CommitOutcome outcome = await(store.commit(commit));
    if (outcome instanceof Applied) {
      session =
          new Session(session.partitions(), session.incarnation(), session.commitNumber() + 1);
    }
    return outcome;
  }

  /** Sends one message; the mailbox is there. */
  public CommitOutcome send(ActorPath receiver) throws Exception {
    List<Envelope> mail = List.of(note(session.commitNumber()));
    return commit(Set.of(), new CommitUnit(Optional.empty(), Map.of(receiver, mail)));
  }

  static Envelope note(long number) {
    return new Envelope(
        new MessageId("x", number), new MessageType("note", 1), Json.bytes("hello"), null);
  }

  /** Makes the mailbox and sends one message. */
  public void tell(ActorPath receiver) throws Exception {
    await(store.createMailbox(receiver));
    assertThat(send(receiver)).isInstanceOf(Applied.class);
  }

  public Lease claim(ActorPath actor) throws Exception {
    var partition = actor.partition(session.partitions());
    return await(store.claim(partition, Optional.ofNullable(await(store.leases()).get(partition))));
  }

  private static byte[] entry(long turn) {
    WrittenEvent event = new WrittenEvent(new MessageType("done", 1), new byte[] {'{', '}'});
    return Journal.encode(turn, turn, Instant.EPOCH, List.of(event));
  }

  private static JournalKey key(long turn) {
    return new JournalKey(turn, 1, entry(turn).length);
  }

  /** The name of the znode of what {@link #turn} journals. */
  public static String entryOf(long turn) {
    return Layout.entry(key(turn));
  }

  /** Returns the record of an actor whose state is as of turn {@code from}. */
  public static ActorRecord withState(long turn, long from) {
    return new ActorRecord(turn, 1, 0, 0, 0, List.of(StoredSnapshot.inPlace(from, "state")));
  }

  /** A turn that journals an entry of its number. */
  public static CommitUnit turn(ActorPath actor, int version, long turn, String... parked) {
    ActorRecord record = new ActorRecord(turn, 1, 0, 0, 0, List.of());
    Map<String, byte[]> aside = parked.length == 0 ? Map.of() : Map.of(parked[0], new byte[1]);
    JournalChange journal = JournalChange.of(entry(turn), 1);
    return new CommitUnit(
        Optional.of(new CommitUnit.Write(actor, version, record, List.of(), journal, aside, null)),
        Map.of());
  }

  /** A turn whose record holds the state, so that all journal entries go. */
  public static CommitUnit snapshot(ActorPath actor, int version, long turn, List<Long> trim) {
    List<JournalKey> keys = trim.stream().map(each -> key(each)).toList();
    JournalChange change = new JournalChange(null, 0, keys, null);
    ActorRecord record = withState(turn, turn);
    return new CommitUnit(
        Optional.of(
            new CommitUnit.Write(actor, version, record, List.of(), change, Map.of(), null)),
        Map.of());
  }

  @Override
  public void close() throws Exception {
    await(store.close());
  }
}
