package io.callboard.workflows;

import io.callboard.testkit.compat.ProtocolLock;
import io.callboard.workflows.internal.actor.DefinitionNames;
import io.callboard.workflows.internal.actor.InstanceKey;
import io.callboard.workflows.internal.archiving.ArchivedInstance;
import io.callboard.workflows.internal.protocol.DefinitionAnswer;
import io.callboard.workflows.internal.protocol.DefinitionCommand;
import io.callboard.workflows.internal.protocol.DefinitionData;
import io.callboard.workflows.internal.protocol.DefinitionEvent;
import io.callboard.workflows.internal.protocol.InstanceAnswer;
import io.callboard.workflows.internal.protocol.InstanceCommand;
import io.callboard.workflows.internal.protocol.InstanceData;
import io.callboard.workflows.internal.protocol.InstanceEvent;
import io.callboard.workflows.internal.protocol.StepRecord;
import io.callboard.workflows.internal.starts.DefinitionCounts;
import io.callboard.workflows.internal.starts.IntakeAnswer;
import io.callboard.workflows.internal.starts.IntakeCommand;
import io.callboard.workflows.internal.starts.IntakeData;
import io.callboard.workflows.internal.starts.IntakeEvent;
import io.callboard.workflows.internal.starts.LedgerAnswer;
import io.callboard.workflows.internal.starts.LedgerCommand;
import io.callboard.workflows.internal.starts.LedgerEvent;
import io.callboard.workflows.internal.starts.LedgerState;
import io.callboard.workflows.internal.starts.StartCommand;
import io.callboard.workflows.internal.starts.StartReply;
import io.callboard.workflows.model.InstanceEnded;
import io.callboard.workflows.model.InstanceRow;
import io.callboard.workflows.model.MessageReceipt;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

class WorkflowProtocolsTest {
  @Test
  void storedAndSentMessagesStayReadable() {
    ProtocolLock.check(
        Path.of("../workflows/src/test/resources/instances.lock"),
        InstanceCommand.class,
        InstanceAnswer.class,
        InstanceEvent.class,
        InstanceData.class,
        StepRecord.class,
        DefinitionCommand.class,
        DefinitionAnswer.class,
        DefinitionEvent.class,
        DefinitionData.class,
        DefinitionNames.Command.class,
        DefinitionNames.Names.class,
        InstanceKey.KeyClaim.class,
        InstanceKey.KeyHolder.class);
  }

  @Test
  void rowsOfTheArchiveStayReadable() {
    ProtocolLock.check(
        Path.of("../workflows/src/test/resources/archive.lock"),
        ArchivedInstance.class,
        InstanceRow.class);
  }

  @Test
  void storedAndSentStartsStayReadable() {
    ProtocolLock.check(
        Path.of("../workflows/src/test/resources/starts.lock"),
        LedgerCommand.class,
        LedgerAnswer.class,
        LedgerEvent.class,
        LedgerState.class,
        StartCommand.class,
        StartReply.class,
        IntakeCommand.class,
        IntakeAnswer.class,
        IntakeEvent.class,
        IntakeData.class,
        InstanceEnded.class,
        MessageReceipt.class,
        DefinitionCounts.class);
  }
}
