package io.callboard.zookeeper;

import static io.callboard.testkit.Futures.await;
import static org.assertj.core.api.Assertions.assertThat;

import io.callboard.codecs.ActorPath;
import io.callboard.codecs.Envelope;
import io.callboard.codecs.Json;
import io.callboard.codecs.MessageId;
import io.callboard.codecs.MessageType;
import io.callboard.codecs.Segment;
import io.callboard.store.ActorRecord;
import io.callboard.store.CommitOutcome;
import io.callboard.store.CommitOutcome.Applied;
import io.callboard.store.CommitOutcome.Reason;
import io.callboard.store.CommitOutcome.Refused;
import io.callboard.store.CommitUnit;
import io.callboard.store.CommitUnit.Write;
import io.callboard.store.JournalChange;
import io.callboard.store.Lease;
import io.callboard.zookeeper.access.ZooKeeperOptions;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A segment is consumed by what its owner was told of it: neither read nor looked for. */
@Tag("real")
class KnownSegmentTest {
  private static final ActorPath ACTOR = ActorPath.of("/known");

  private static CommitUnit mail(Envelope envelope) {
    return new CommitUnit(Optional.empty(), Map.of(ACTOR, List.of(envelope)));
  }

  private static CommitUnit consume(int version, long sequence) {
    ActorRecord record = new ActorRecord(1, 1, sequence + 1, 0, 0, List.of());
    return new CommitUnit(
        Optional.of(
            new Write(
                ACTOR, version, record, List.of(sequence), JournalChange.NONE, Map.of(), null)),
        Map.of());
  }

  @Test
  void isConsumedUnderItsNameAndUnderNoOther() throws Exception {
    try (EmbeddedZooKeeper server = TestServers.start("known")) {
      ZooKeeperOptions options =
          new ZooKeeperOptions(
              server.connectString(), "known", Duration.ofSeconds(4), Duration.ofSeconds(10));
      try (TestNode sender = new TestNode(options).open("sender");
          TestNode owner = new TestNode(options).open("owner")) {
        Lease lease = owner.claim(ACTOR);
        await(sender.store().createMailbox(ACTOR));
        Envelope envelope =
            new Envelope(
                new MessageId("x", 1), new MessageType("note", 1), Json.bytes("hello"), null);
        int bytes = Segment.encode(List.of(envelope)).length;
        assertThat(sender.commit(Set.of(), mail(envelope))).isInstanceOf(Applied.class);

        owner.store().known(ACTOR, 0, 1, bytes + 1);
        CommitOutcome lied = owner.commit(Set.of(lease), consume(0, 0));
        assertThat(lied)
            .isInstanceOfSatisfying(
                Refused.class, refused -> assertThat(refused.reason()).isEqualTo(Reason.STALE));
        owner.store().known(ACTOR, 0, 1, bytes);
        assertThat(owner.commit(Set.of(lease), consume(0, 0))).isInstanceOf(Applied.class);
        assertThat(await(sender.store().peek(ACTOR, 10))).isEmpty();
      }
    }
  }
}
