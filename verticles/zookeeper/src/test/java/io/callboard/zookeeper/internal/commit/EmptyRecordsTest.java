package io.callboard.zookeeper.internal.commit;

import static org.assertj.core.api.Assertions.assertThat;

import io.callboard.codecs.ActorPath;
import io.callboard.store.ActorRecord;
import io.callboard.store.CommitUnit.Write;
import io.callboard.store.JournalChange;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class EmptyRecordsTest {
  private static final ActorPath A = ActorPath.of("/a");
  private static final ActorPath B = ActorPath.of("/b");

  private final EmptyRecords records = new EmptyRecords();

  private static Write write(ActorPath actor, int version) {
    return new Write(
        actor, version, ActorRecord.EMPTY, List.of(), JournalChange.NONE, Map.of(), null);
  }

  @Test
  void theRecordOfAFirstWriteIsWorthOneLook() {
    List<Write> writes = List.of(write(A, Write.NEW));
    assertThat(records.suspect(A, writes)).isTrue();
    assertThat(records.suspect(A, writes)).as("it was looked at, and is another's").isFalse();
    assertThat(records.suspect(A, writes)).as("of a later life").isTrue();
  }

  @Test
  void aRecordOnlyBesideAnotherIsLookedAtWhenItIsRefusedItself() {
    List<Write> writes = List.of(write(A, Write.NEW), write(B, Write.NEW));
    assertThat(records.suspect(A, writes)).isTrue();
    assertThat(records.suspect(B, writes)).as("a sender has made it meanwhile").isTrue();
    assertThat(records.suspect(B, writes)).isFalse();
    assertThat(records.suspect(A, writes)).as("being beside another changes nothing").isFalse();
  }

  @Test
  void aStoredRecordIsNotAnEmptyOne() {
    List<Write> writes = List.of(write(A, Write.NEW));
    assertThat(records.suspect(A, writes)).isTrue();
    records.settled(A);
    assertThat(records.suspect(A, writes)).isTrue();
    assertThat(records.suspect(B, List.of(write(B, 3)))).as("no first write").isFalse();
  }
}
