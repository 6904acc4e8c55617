package io.callboard.workflows.internal.dispatch;

import io.callboard.testkit.compat.ProtocolLock;
import io.callboard.workflows.internal.protocol.DeskAnswer;
import io.callboard.workflows.internal.protocol.DeskCommand;
import io.callboard.workflows.internal.protocol.RequestAnswer;
import io.callboard.workflows.internal.protocol.WorkerCommand;
import io.callboard.workflows.internal.protocol.WorkersAnswer;
import io.callboard.workflows.internal.protocol.WorkersCommand;
import io.callboard.workflows.internal.protocol.WorkersState;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

class WorkProtocolsTest {
  @Test
  void messagesBetweenDeskAndWorkersStayReadable() {
    ProtocolLock.check(
        Path.of("../workflows/src/test/resources/work.lock"),
        DeskCommand.class,
        DeskAnswer.class,
        RequestAnswer.class,
        WorkerCommand.class,
        WorkersCommand.class,
        WorkersAnswer.class,
        WorkersState.class);
  }
}
