package io.callboard.zookeeper.internal.commit;

import static org.assertj.core.api.Assertions.assertThat;

import io.callboard.codecs.ActorPath;
import io.callboard.codecs.Envelope;
import io.callboard.codecs.Json;
import io.callboard.codecs.MessageId;
import io.callboard.codecs.MessageType;
import io.callboard.store.ActorRecord;
import io.callboard.store.Commit;
import io.callboard.store.CommitOutcome.Reason;
import io.callboard.store.CommitOutcome.Refused;
import io.callboard.store.CommitUnit;
import io.callboard.store.CommitUnit.Write;
import io.callboard.store.JournalChange;
import io.callboard.store.PackedCommit;
import io.callboard.zookeeper.internal.commit.CommitRequest.Purpose;
import io.callboard.zookeeper.internal.layout.Layout;
import io.callboard.zookeeper.internal.mailbox.KnownParents;
import io.callboard.zookeeper.internal.mailbox.SegmentNames;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.apache.zookeeper.KeeperException.Code;
import org.apache.zookeeper.ZooDefs.Ids;
import org.junit.jupiter.api.Test;

/** Tests of the meaning of a refused operation. */
class CommitRequestTest {
  private static final ActorPath WRITER = ActorPath.of("/space/writer");
  private static final ActorPath RECEIVER = ActorPath.of("/space/receiver");

  private final Layout layout = new Layout("/callboard/main", 64);

  private CommitRequest multi() {
    ActorRecord record = new ActorRecord(1, 1, 0, 0, 0, List.of());
    Write write =
        new Write(
            WRITER,
            3,
            record,
            List.of(),
            JournalChange.of(new byte[1], 1),
            Map.of("0-0", new byte[1]),
            null);
    Envelope envelope =
        new Envelope(new MessageId("/x", 1), new MessageType("note", 1), Json.bytes("it"), null);
    CommitUnit unit = new CommitUnit(Optional.of(write), Map.of(RECEIVER, List.of(envelope)));
    Commit commit = new Commit(1, 1, Set.of(), List.of(unit));
    return CommitRequest.of(
        layout,
        Ids.OPEN_ACL_UNSAFE,
        "node",
        1,
        PackedCommit.pack(commit),
        new CommitRequest.Beliefs(
            Map.of(),
            new SegmentNames(),
            new KnownParents(),
            new KnownParents(),
            Set.of(),
            Set.of()));
  }

  @Test
  void aQuotaOverWhatTheWriterKeepsIsNotWaitedFor() {
    CommitRequest commitRequest = multi();
    Map<Purpose, Refused> refused = new EnumMap<>(Purpose.class);
    for (int i = 0; i < commitRequest.operations().size(); i++) {
      refused.put(commitRequest.purpose(i), commitRequest.refused(i, Code.QUOTAEXCEEDED));
      if (commitRequest.purpose(i) == Purpose.WRITE) {
        assertThat(refused.get(Purpose.WRITE).detail())
            .startsWith("/space/writer: ZooKeeper's quota of znode ")
            .contains(commitRequest.operations().get(i).getPath());
      }
    }
    assertThat(refused)
        .containsKeys(
            Purpose.WRITE,
            Purpose.JOURNAL_PARENT,
            Purpose.JOURNAL,
            Purpose.NUMBER,
            Purpose.MAILBOX);
    Refused mailbox = refused.remove(Purpose.MAILBOX);
    assertThat(mailbox.reason()).isEqualTo(Reason.FULL);
    assertThat(mailbox.detail()).isEqualTo("/space/receiver");
    assertThat(refused.values()).allMatch(each -> each.reason() == Reason.TOO_LARGE);
    assertThat(refused.get(Purpose.JOURNAL).detail())
        .contains(layout.journal(WRITER) + "/1.1.1", "raise it (setquota)");
  }
}
