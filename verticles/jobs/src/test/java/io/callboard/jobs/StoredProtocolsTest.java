package io.callboard.jobs;

import io.callboard.jobs.internal.actor.JobActor;
import io.callboard.jobs.internal.actor.JobKey;
import io.callboard.jobs.internal.actor.JobNews;
import io.callboard.jobs.internal.archiving.ArchivistCommand;
import io.callboard.jobs.internal.gate.BacklogState;
import io.callboard.jobs.internal.gate.GateState;
import io.callboard.jobs.internal.index.IndexAnswer;
import io.callboard.jobs.internal.index.IndexCommand;
import io.callboard.jobs.internal.index.IndexTally;
import io.callboard.jobs.internal.protocol.BacklogAnswer;
import io.callboard.jobs.internal.protocol.BacklogCommand;
import io.callboard.jobs.internal.protocol.BacklogEvent;
import io.callboard.jobs.internal.protocol.GateAnswer;
import io.callboard.jobs.internal.protocol.GateCommand;
import io.callboard.jobs.internal.protocol.GateEvent;
import io.callboard.jobs.internal.protocol.JobAnswer;
import io.callboard.jobs.internal.protocol.JobCommand;
import io.callboard.jobs.internal.protocol.MonitorAnswer;
import io.callboard.jobs.internal.protocol.MonitorCommand;
import io.callboard.jobs.model.ArchiveStatus;
import io.callboard.jobs.model.JobEnded;
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
