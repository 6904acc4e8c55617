package io.callboard.workflows;

import io.callboard.testkit.compat.ProtocolLock;
import io.callboard.workflows.actor.DefinitionNames;
import io.callboard.workflows.actor.InstanceKey;
import io.callboard.workflows.protocol.DefinitionAnswer;
import io.callboard.workflows.protocol.DefinitionCommand;
import io.callboard.workflows.protocol.DefinitionData;
import io.callboard.workflows.protocol.DefinitionEvent;
import io.callboard.workflows.protocol.InstanceAnswer;
import io.callboard.workflows.protocol.InstanceCommand;
import io.callboard.workflows.protocol.InstanceData;
import io.callboard.workflows.protocol.InstanceEvent;
import io.callboard.workflows.protocol.StepRecord;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

class WorkflowProtocolsTest {
  @Test
  void whatIsStoredAndSentStaysReadable() {
    ProtocolLock.check(
        Path.of("src/test/resources/instances.lock"),
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
}
