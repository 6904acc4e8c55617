package io.callboard.jobs;

import io.callboard.jobs.actor.JobActor;
import io.callboard.jobs.actor.JobKey;
import io.callboard.jobs.actor.JobNews;
import io.callboard.jobs.gate.BacklogState;
import io.callboard.jobs.gate.GateState;
import io.callboard.jobs.history.ArchivistCommand;
import io.callboard.jobs.index.IndexAnswer;
import io.callboard.jobs.index.IndexCommand;
import io.callboard.jobs.index.IndexTally;
import io.callboard.jobs.model.ArchiveStatus;
import io.callboard.jobs.model.JobEnded;
import io.callboard.jobs.protocol.BacklogAnswer;
import io.callboard.jobs.protocol.BacklogCommand;
import io.callboard.jobs.protocol.BacklogEvent;
import io.callboard.jobs.protocol.GateAnswer;
import io.callboard.jobs.protocol.GateCommand;
import io.callboard.jobs.protocol.GateEvent;
import io.callboard.jobs.protocol.JobAnswer;
import io.callboard.jobs.protocol.JobCommand;
import io.callboard.jobs.protocol.MonitorAnswer;
import io.callboard.jobs.protocol.MonitorCommand;
import io.callboard.testkit.compat.ProtocolLock;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

class StoredProtocolsTest {
  @Test
  void storedAndSentMessagesStayReadable() {
    ProtocolLock.check(
        Path.of("../jobs/src/test/resources/protocols.lock"),
        JobCommand.class,
        JobAnswer.class,
        JobEnded.class,
        JobActor.Slot.class,
        JobKey.Claim.class,
        JobKey.Holder.class,
        GateCommand.class,
        GateAnswer.class,
        GateEvent.class,
        GateState.class,
        MonitorCommand.class,
        MonitorAnswer.class,
        BacklogCommand.class,
        BacklogAnswer.class,
        BacklogEvent.class,
        BacklogState.class,
        JobNews.class,
        IndexCommand.class,
        IndexAnswer.class,
        IndexTally.class,
        ArchivistCommand.class,
        ArchiveStatus.class);
  }
}
