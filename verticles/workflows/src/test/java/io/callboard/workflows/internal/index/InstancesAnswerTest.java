package io.callboard.workflows.internal.index;

import static org.assertj.core.api.Assertions.assertThat;

import io.callboard.codecs.Json;
import io.callboard.codecs.MessageType;
import io.callboard.codecs.ProtocolCodec;
import io.callboard.workflows.internal.starts.DefinitionCounts;
import io.callboard.workflows.model.InstanceCount;
import io.callboard.workflows.model.InstanceRow;
import io.callboard.workflows.model.InstanceState;
import io.callboard.workflows.model.QueueView;
import io.callboard.workflows.model.WorkflowQuery;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** What nodes send each other for lists of instances reads as it was written. */
class InstancesAnswerTest {
  private static final InstanceRow FULL = SampleRows.row(7, 3, InstanceState.SUCCEEDED);

  private static <M> void isSentWhole(Class<M> protocol, M message) {
    byte[] body = Json.bytes(message);
    assertThat(
            ProtocolCodec.of(protocol)
                .decode(MessageType.of(message.getClass()), body, 0, body.length))
        .isEqualTo(message);
  }

  @Test
  void answersAreReadAsTheyWereSent() {
    InstanceRow bare =
        new InstanceRow(
            FULL.id(),
            1,
            "bare",
            "v1",
            InstanceState.RUNNING,
            0,
            Map.of(),
            null,
            SampleRows.NOW,
            null,
            Map.of());
    ReadPartitions some = new ReadPartitions(Map.of(0, 1L, 7, 1L << 40), true);
    isSentWhole(InstancesAnswer.class, new InstancesAnswer.Rows(List.of(FULL), some));
    isSentWhole(InstancesAnswer.class, new InstancesAnswer.Rows(List.of(bare), some));
    isSentWhole(
        InstancesAnswer.class,
        new InstancesAnswer.Rows(List.of(), new ReadPartitions(Map.of(), false)));
    isSentWhole(
        InstancesAnswer.class,
        new InstancesAnswer.Counts(
            List.of(new InstanceCount("even", "v0", InstanceState.FAILED, 3)), some));
    isSentWhole(InstancesAnswer.class, new InstancesAnswer.Counts(List.of(), null));
    isSentWhole(InstancesAnswer.class, new InstancesAnswer.Known(List.of(FULL.id())));
    QueueView waits = new QueueView("d", "job:a", 2, 0, Duration.ofMillis(9), "no type \"a\"");
    isSentWhole(InstancesAnswer.class, new InstancesAnswer.Waiting(List.of(waits)));
    isSentWhole(InstancesCommand.class, new InstancesCommand.Waiting());
    isSentWhole(
        InstancesAnswer.class, new InstancesAnswer.Counted(DefinitionCounts.none(SampleRows.NOW)));
  }

  @Test
  void questionsAreReadAsTheyWereSent() {
    isSentWhole(InstancesCommand.class, new InstancesCommand.List(WorkflowQuery.newest(9), 10));
    isSentWhole(InstancesCommand.class, new InstancesCommand.Tally("even"));
    isSentWhole(InstancesCommand.class, new InstancesCommand.Count());
    isSentWhole(InstancesCommand.class, new InstancesCommand.Known(List.of(FULL.id())));
  }
}
