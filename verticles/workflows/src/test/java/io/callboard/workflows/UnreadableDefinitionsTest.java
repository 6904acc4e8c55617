package io.callboard.workflows;

import static io.callboard.testkit.Futures.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import io.callboard.codecs.Json;
import io.callboard.workflows.definition.Workflow;
import io.callboard.workflows.internal.actor.DefinitionActor;
import io.callboard.workflows.internal.protocol.DefinitionAnswer;
import io.callboard.workflows.internal.protocol.DefinitionCommand;
import io.callboard.workflows.model.DefinitionVersion;
import io.callboard.workflows.model.DefinitionVersions;
import io.callboard.workflows.model.InvalidWorkflow;
import io.callboard.workflows.model.UnreadableVersion;
import io.callboard.workflows.model.WorkflowException;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Versions of definitions that are stored, and that this node cannot read. */
class UnreadableDefinitionsTest extends WorkflowsOfOneNode {
  private static final Instant AT = Instant.parse("2026-01-01T00:00:00Z");

  @BeforeEach
  void start() throws Exception {
    engine("n1");
  }

  private DefinitionVersion put(String name) {
    Workflow workflow = Workflow.define(name).step("a", "handler:a", s -> s);
    return await(workflows.put(workflow.build().definition()));
  }

  /** Stores what a node of another version may have stored. */
  private void store(String name, String version, String retry) {
    String json =
        "{\"name\":\"%s\",\"steps\":{\"a\":{\"run\":\"handler:a\",\"retry\":%s}}}"
            .formatted(name, retry);
    JsonNode tree = Json.parse("a definition", json.getBytes(StandardCharsets.UTF_8));
    DefinitionAnswer answer =
        await(
            callboard
                .durableRef(DefinitionActor.path(name), DefinitionCommand.class)
                .ask(
                    new DefinitionCommand.Put(version, tree, AT),
                    DefinitionAnswer.class,
                    Workflows.ASK));
    assertThat(answer).isInstanceOf(DefinitionAnswer.Is.class);
  }

  @Test
  void oneVersionDoesNotHideTheOthers() {
    DefinitionVersion good = put("mixed");
    store("mixed", "v2", "{\"attempts\":0}");
    DefinitionVersions all = await(workflows.versions("mixed"));
    assertThat(all.items()).extracting(DefinitionVersion::version).containsExactly(good.version());
    assertThat(all.unreadable())
        .containsExactly(
            new UnreadableVersion(
                "mixed",
                "v2",
                AT,
                true,
                "WF013 at /steps/a/retry/attempts: attempts must be a whole number from 1 to 100, not 0"));
    assertThat(put("mixed").version()).isEqualTo(good.version());
    assertThat(await(workflows.versions("mixed")).unreadable())
        .extracting(UnreadableVersion::current)
        .containsExactly(false);
  }

  @Test
  void oneDefinitionDoesNotHideTheOthers() {
    DefinitionVersion good = put("good");
    store("bad", "v1", "{\"one\":1,\"two\":2,\"three\":3,\"four\":4,\"five\":5}");
    DefinitionVersions all = await(workflows.currentVersions());
    assertThat(all.items()).extracting(DefinitionVersion::version).containsExactly(good.version());
    assertThat(all.unreadable()).extracting(UnreadableVersion::name).containsExactly("bad");
    assertThat(all.unreadable().get(0).fault())
        .startsWith("WF013 at /steps/a/retry/one: ")
        .endsWith("; and 2 more");
    assertThatThrownBy(() -> await(workflows.definition("bad")))
        .isInstanceOf(WorkflowException.class)
        .hasMessageContaining(
            "version v1 of the definition bad cannot be read by this node: WF013");
  }

  @Test
  void aDefinitionThatCannotBeReadAgainIsNotStored() {
    Workflow workflow =
        Workflow.define("long").step("a", "handler:a", s -> s.with(Map.of("k".repeat(2_000), 1)));
    assertThatThrownBy(() -> await(workflows.put(workflow.build().definition())))
        .isInstanceOf(InvalidWorkflow.class)
        .hasMessageContaining("WF013 at /: this is no well-formed JSON");
    assertThat(await(workflows.definitions())).isEmpty();
  }
}
