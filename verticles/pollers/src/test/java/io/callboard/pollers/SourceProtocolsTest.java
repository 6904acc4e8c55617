package io.callboard.pollers;

import io.callboard.pollers.internal.protocol.EmitCommand;
import io.callboard.pollers.internal.protocol.MemoryChanged;
import io.callboard.pollers.internal.protocol.MemoryCommand;
import io.callboard.pollers.internal.protocol.MemoryState;
import io.callboard.pollers.internal.protocol.PollerCommand;
import io.callboard.pollers.internal.protocol.SourceCommand;
import io.callboard.pollers.internal.protocol.SourceEvent;
import io.callboard.pollers.internal.protocol.SourceState;
import io.callboard.pollers.internal.protocol.TellCommand;
import io.callboard.pollers.model.SourceView;
import io.callboard.testkit.compat.ProtocolLock;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

class SourceProtocolsTest {
  @Test
  void storedAndSentMessagesStayReadable() {
    ProtocolLock.check(
        Path.of("../pollers/src/test/resources/sources.lock"),
        SourceCommand.class,
        SourceEvent.class,
        SourceState.class,
        PollerCommand.class,
        SourceView.class,
        EmitCommand.class,
        EmitCommand.Sent.class,
        TellCommand.class,
        TellCommand.Told.class,
        MemoryCommand.class,
        MemoryCommand.Remembered.class,
        MemoryChanged.class,
        MemoryState.class);
  }
}
