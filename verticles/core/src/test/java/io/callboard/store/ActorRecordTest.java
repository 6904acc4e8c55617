package io.callboard.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.callboard.codecs.BlobRef;
import io.callboard.codecs.CodecException;
import io.callboard.codecs.Json;
import io.callboard.codecs.MessageType;
import io.callboard.store.Consumed.Stretch;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ActorRecordTest {
  record Total(int value) {}

  private static ActorRecord record(String type, int version, String state) {
    byte[] json = state.getBytes(StandardCharsets.UTF_8);
    StoredSnapshot snapshot =
        new StoredSnapshot(
            1,
            0,
            Instant.EPOCH,
            new MessageType(type, version),
            Json.parse("the state", json),
            null);
    return new ActorRecord(1, 1, 1, 0, 0, List.of(snapshot));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "total | 1 | {\"value\":\"x\"} | state \"total\" of Total cannot be read: ",
        "total | 2 | {\"value\":1}     | state \"total\" of Total has version 2, this node reads",
        "sum   | 1 | {\"value\":1}     | protocol Total has no state \"sum\"; it knows [total]",
      })
  void aStateThatCannotBeReadIsCalledAState(
      String type, int version, String state, String message) {
    ActorRecord record = record(type, version, state);
    assertThatThrownBy(() -> record.state(Total.class))
        .isInstanceOf(CodecException.class)
        .hasMessageStartingWith(message)
        .satisfies(e -> assertThat(e.getMessage()).doesNotContain("message"));
  }

  @Test
  void tellsWhatIsConsumedBehindMessagesThatWaitInAFormatOfItsOwn() {
    Consumed consumed =
        new Consumed(5, 2, List.of(new Stretch(5, 3, 7, 0), new Stretch(7, 4, 7, 9)));
    ActorRecord record = new ActorRecord(1, 1, consumed, 0, 0, List.of());
    String text = new String(record.encode(), StandardCharsets.UTF_8);
    assertThat(text).contains("\"f\":2", "[[5,3,7,0],[7,4,7,9]]");
    assertThat(ActorRecord.decode("it", record.encode())).isEqualTo(record);
    assertThat(new String(record("total", 1, "{}").encode(), StandardCharsets.UTF_8))
        .contains("\"f\":1")
        .doesNotContain("beyond");
  }

  @Test
  void keepsTheLastNumberThatItGaveInAFormatOfItsOwn() {
    ActorRecord record = new ActorRecord(1, 1, Consumed.NOTHING, 0, 0, List.of(), 1L << 45);
    String text = new String(record.encode(), StandardCharsets.UTF_8);
    assertThat(text).contains("\"f\":4", "\"given\":" + (1L << 45));
    assertThat(ActorRecord.decode("it", record.encode())).isEqualTo(record);
    assertThat(record.under(7).given()).isEqualTo(1L << 45);
  }

  @Test
  void keepsThatItWasStoppedInAFormatOfItsOwnThatOlderNodesDoNotRun() {
    ActorRecord record = new ActorRecord(1, 1, Consumed.NOTHING, 0, 0, List.of(), 3);
    ActorRecord stopped = record.stopped(true, 2);
    assertThat(new String(stopped.encode(), StandardCharsets.UTF_8))
        .contains("\"f\":5", "\"stopped\":true", "\"turn\":2", "\"epoch\":2");
    assertThat(ActorRecord.decode("it", stopped.encode())).isEqualTo(stopped);
    assertThat(stopped.under(7).stopped()).isTrue();
    assertThat(new String(stopped.stopped(false, 2).encode(), StandardCharsets.UTF_8))
        .contains("\"f\":4")
        .doesNotContain("stopped");
  }

  @Test
  void keepsSnapshotsInAFormatOfItsOwn() {
    MessageType type = new MessageType("total", 2);
    BlobRef blob = BlobRef.of("node.1.1", new byte[600_000], 1 << 19);
    List<StoredSnapshot> snapshots =
        List.of(
            new StoredSnapshot(90, 180, Instant.ofEpochMilli(5), type, null, blob),
            new StoredSnapshot(
                50, 100, Instant.ofEpochMilli(3), type, Json.tree(new Total(7)), null));
    ActorRecord record = new ActorRecord(95, 1, 1, 0, 0, snapshots);
    assertThat(new String(record.encode(), StandardCharsets.UTF_8))
        .contains("\"f\":3")
        .doesNotContain("journalFrom");
    ActorRecord read = ActorRecord.decode("it", record.encode());
    assertThat(read).isEqualTo(record);
    assertThat(read.newest()).contains(snapshots.get(0));
    assertThat(read.superfluousTo()).as("the actor knows how many it keeps").isZero();
    assertThat(read.state(Total.class)).isEmpty();
  }

  @Test
  void readsTheStateThatAnOlderNodeWrote() {
    String old =
        "{\"f\":1,\"turn\":9,\"epoch\":1,\"next\":5,\"offset\":0,\"sent\":0,\"journalFrom\":7,"
            + "\"stateType\":\"total\",\"stateVersion\":1,\"state\":{\"value\":3}}";
    ActorRecord read = ActorRecord.decode("it", old.getBytes(StandardCharsets.UTF_8));
    assertThat(read.state(Total.class)).contains(new Total(3));
    assertThat(read.superfluousTo()).isEqualTo(7);
    assertThat(new String(read.encode(), StandardCharsets.UTF_8)).isEqualTo(old);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "[{\"turn\":5,\"event\":1,\"at\":\"2026-01-01T00:00:00Z\",\"type\":\"t\",\"version\":1}]",
        "[{\"turn\":-5,\"event\":1,\"at\":\"2026-01-01T00:00:00Z\",\"type\":\"t\",\"version\":1,\"state\":{}}]",
        "[{\"turn\":5,\"event\":1,\"at\":\"2026-01-01T00:00:00Z\",\"type\":\"t\",\"version\":1,\"state\":{}},"
            + "{\"turn\":5,\"event\":1,\"at\":\"2026-01-01T00:00:00Z\",\"type\":\"t\",\"version\":1,\"state\":{}}]"
      })
  void isDamagedIfItsSnapshotsCannotBe(String snapshots) {
    String text =
        "{\"f\":3,\"turn\":9,\"epoch\":1,\"next\":5,\"offset\":0,\"sent\":0,\"snapshots\":"
            + snapshots
            + "}";
    assertThatThrownBy(() -> ActorRecord.decode("it", text.getBytes(StandardCharsets.UTF_8)))
        .isInstanceOf(StoreException.class)
        .hasMessageContaining("damaged");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "[[4,0,7,0]]",
        "[[7,0,6,0]]",
        "[[7,0,8]]",
        "[[7,-1,8,0]]",
        "[null]",
        "[[7,0,8,null]]"
      })
  void isDamagedIfWhatItSaysIsConsumedCannotBe(String beyond) {
    String text =
        "{\"f\":2,\"turn\":1,\"epoch\":1,\"next\":5,\"offset\":0,\"sent\":0,\"journalFrom\":0,\"beyond\":"
            + beyond
            + "}";
    assertThatThrownBy(() -> ActorRecord.decode("it", text.getBytes(StandardCharsets.UTF_8)))
        .isInstanceOf(StoreException.class)
        .hasMessageContaining("damaged");
  }

  @Test
  void aStateThatCanBeReadIsRead() {
    assertThat(record("total", 1, "{\"value\":1}").state(Total.class)).contains(new Total(1));
  }
}
