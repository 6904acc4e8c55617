package io.callboard.jobs;

import io.callboard.testkit.ProtocolLock;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

class StoredProtocolsTest {
  @Test
  void whatIsStoredAndSentStaysReadable() {
    ProtocolLock.check(
        Path.of("src/test/resources/protocols.lock"),
        JobCommand.class,
        JobAnswer.class,
        JobActor.Slot.class,
        JobKey.Claim.class,
        JobKey.Holder.class,
        GateCommand.class,
        GateAnswer.class,
        GateEvent.class,
        GateState.class,
        MonitorCommand.class,
        MonitorAnswer.class,
        JobNews.class);
  }
}
