package io.callboard.workflows.internal.protocol;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.callboard.codecs.Json;
import io.callboard.codecs.MessageType;
import io.callboard.codecs.ProtocolCodec;
import io.callboard.workflows.internal.starts.BrakeState;
import io.callboard.workflows.internal.starts.IntakeData;
import io.callboard.workflows.internal.starts.LedgerState;
import java.time.Instant;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** A state that is read back has no fields but those that this version knows. */
class StoredStatesTest {
  private static <S> void isKnown(Class<S> type, Object stored, S state) {
    byte[] json = Json.bytes(stored);
    ProtocolCodec.Read<S> read =
        ProtocolCodec.of(type).read("state", MessageType.of(type), json, 0, json.length);
    assertThat(read.unknown().isEmpty()).as(new String(json)).isTrue();
    assertThat(read.value()).isEqualTo(state);
  }

  @Test
  void everyWrittenStateIsKnownWhenItIsRead() {
    InstanceData instance =
        InstanceData.NONE.with(StepTable.EMPTY.with("a", StepRecord.pending(3)), 0);
    isKnown(InstanceData.class, instance, instance);
    InstanceData restored = instance.restored(7, Instant.EPOCH);
    isKnown(InstanceData.class, restored, restored);
    InstanceData forced = restored.forced("ann", Instant.EPOCH);
    isKnown(InstanceData.class, forced, forced);
    isKnown(IntakeData.class, IntakeData.EMPTY, IntakeData.EMPTY);
    LedgerState ledger =
        new LedgerState(1, Map.of("a", BrakeState.off("a", Instant.EPOCH)), Map.of("a", 2));
    isKnown(LedgerState.class, ledger, ledger);
  }

  @Test
  void statesOfEarlierVersionsAreKnown() {
    InstanceData instance =
        InstanceData.NONE.with(StepTable.EMPTY.with("a", StepRecord.pending(3)), 0);
    ObjectNode written = (ObjectNode) Json.tree(instance);
    ((ObjectNode) written.get("steps").get("a")).put("open", false);
    written.remove("forcedBy"); // of a version that did not know it
    isKnown(InstanceData.class, written, instance);
  }
}
