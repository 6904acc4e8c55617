package io.callboard.pollers;

import static io.callboard.testkit.Futures.await;
import static org.assertj.core.api.Assertions.assertThat;

import io.callboard.DurableStateActor;
import io.callboard.Protocol;
import io.callboard.pollers.model.AcceptedMessage;
import io.callboard.pollers.model.PollersException;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Which messages are the same: by their ids and bodies, whatever the configuration is. */
@Tag("real")
class SourcesIdentityTest extends SourcesOfOneNode {
  @TempDir Path directory;

  /** Message of a desk. */
  record Note(String text) {}

  record Notes(int count) {}

  static final class Board extends DurableStateActor<Note, Notes> {
    @Override
    protected Notes initial() {
      return new Notes(0);
    }

    @Override
    protected void protocol(Protocol<Note> on) {
      on.message(Note.class, note -> update(new Notes(state().count() + 1)));
    }
  }

  private Future<AcceptedMessage> send(String body, String trace) {
    return sources.accept("web", "a", Buffer.buffer(body), Map.of("x-trace", trace));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "'workflow': 'index'",
        "'builder': 'b'",
        "'job': 'process', 'command': ['true']",
        "'tell': '/board', 'type': 'note', 'message': {'text': 'x'}"
      })
  void anotherBodyUnderAnIdIsRefused(String start) {
    workflows.starts().builder("b", message -> Future.succeededFuture(Optional.empty()));
    await(callboard.spawn("/board", Board::new));
    all("'web': {'kind': 'http', 'start': {%s}}".formatted(start));
    AcceptedMessage first = await(send("{\"n\": 1}", "1"));
    PollersException other = refused(send("{\"n\": 2}", "1"));
    assertThat(other.code()).isEqualTo(PollersException.Code.INVALID);
    assertThat(other).hasMessageContaining("another message with the id \"source/web/a#1\"");
    AcceptedMessage again = await(send("{\"n\": 1}", "2"));
    assertThat(again).as("headers are not compared").isEqualTo(first);
  }

  private String job(String release) {
    String command =
        "echo run >> %1$s/runs; until test -e %1$s/gate; do sleep 0.1; done"
            .formatted(directory.toAbsolutePath());
    return "'start': {'job': 'process', 'command': ['sh', '-c', '%s'], 'labels': {'release': '%s'}}"
        .formatted(command, release);
  }

  @Test
  void aChangedConfigurationSetsNoMessageAsideWhoseJobRuns() throws Exception {
    source(job("v1"));
    queue.put("1");
    eventually(() -> assertThat(directory.resolve("runs")).exists());
    await(sources.close());
    sources = null;
    source(job("v2"));
    eventually(() -> assertThat(view().why()).isNull());
    eventually(() -> assertThat(view().inFlight()).isEqualTo(1));
    Path unused = Files.createFile(directory.resolve("gate"));
    completed("1");
    assertThat(queue.aside()).isEmpty();
    assertThat(directory.resolve("runs")).as("it ran once").hasContent("run");
  }
}
