package io.callboard.workflows.definition;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.callboard.codecs.Json;
import io.callboard.testkit.internal.world.Worlds;
import io.callboard.workflows.graph.EdgeCondition;
import io.vertx.core.json.JsonObject;
import io.vertx.json.schema.Draft;
import io.vertx.json.schema.JsonSchema;
import io.vertx.json.schema.JsonSchemaOptions;
import io.vertx.json.schema.OutputUnit;
import io.vertx.json.schema.Validator;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The published schema beside the reader: neither accepts what the other should have refused. */
class DefinitionSchemaTest {
  private static final List<String> RUNS =
      List.of("process", "job", "http", "handler:a", "handler:a.b-c_1@12", "subworkflow:other");
  private static final List<EdgeCondition> CONDITIONS = List.of(EdgeCondition.values());
  private static final List<MergeRule> MERGES =
      List.of(MergeRule.NAMESPACED, MergeRule.DISJOINT, MergeRule.TOPO, MergeRule.own("newest"));

  /** Definitions of each build, other ones in the next. */
  private static final int DEFINITIONS = 2;

  private final Validator validator =
      Validator.create(
          JsonSchema.of(
              new JsonObject(new String(DefinitionSchema.read(), StandardCharsets.UTF_8))),
          new JsonSchemaOptions()
              .setDraft(Draft.DRAFT202012)
              .setBaseUri("https://callboard.invalid/"));

  private OutputUnit validated(JsonNode definition) {
    return validator.validate(new JsonObject(definition.toString()));
  }

  private boolean accepts(JsonNode definition) {
    return Boolean.TRUE.equals(validated(definition).getValid());
  }

  private static JsonNode tree(String yaml) {
    try {
      return PlacedTree.read(yaml, PlacedTree.Format.YAML).root();
    } catch (PlacedTree.SyntaxException e) {
      throw new AssertionError(e);
    }
  }

  private static boolean readerAccepts(JsonNode definition) {
    return DefinitionReader.json(definition.toString()).definition().isPresent();
  }

  /** Random definition without errors, in which each field is set now and then. */
  private static CheckedDefinition generated(SplittableRandom random) {
    Workflow workflow = Workflow.define("w" + random.nextInt(100)).failFast(random.nextBoolean());
    if (random.nextBoolean()) {
      workflow.timeout(Duration.ofMillis(1 + random.nextInt(100_000_000)));
    }
    if (random.nextBoolean()) {
      workflow.weight(1 + random.nextInt(1_000));
      workflow.input(Map.of("type", "object", "required", List.of("n")));
    }
    int size = 1 + random.nextInt(8);
    for (int i = 0; i < size; i++) {
      int step = i;
      String run = run(random);
      workflow.step("s" + i, run, s -> step(s, run, "s", step, random));
    }
    for (int i = random.nextInt(3); i > 0; i--) {
      String run = run(random);
      workflow.last("l" + i, run, s -> step(s, run, "l", 0, random));
    }
    return workflow.build();
  }

  private static String run(SplittableRandom random) {
    return RUNS.get(random.nextInt(RUNS.size()));
  }

  private static Workflow.Step step(
      Workflow.Step step, String run, String section, int index, SplittableRandom random) {
    step.with(
        run.equals("job")
            ? Map.of("type", "report", "args", Map.of("n", "${/input/n}", "key", "${/key}"))
            : Map.of("command", List.of("true"), "url", "http://localhost/", "n", 0.5));
    for (int from = 0; from < index; from++) {
      if (random.nextInt(3) == 0) {
        // a step that fails must not be needed to succeed elsewhere, so no failure edges
        EdgeCondition on = CONDITIONS.get(random.nextInt(4));
        step.after(section + from, on == EdgeCondition.FAILURE ? EdgeCondition.ANY : on);
      }
    }
    if (random.nextInt(3) == 0) {
      step.joinAny();
    }
    if (random.nextInt(3) == 0) {
      step.when("$.input.n > 1");
    }
    if (random.nextInt(3) == 0) {
      step.retry(
          new StepRetry(
              1 + random.nextInt(100),
              Duration.ofNanos(1 + random.nextInt(2_000_000_000)),
              Duration.ofDays(1 + random.nextInt(300)).plusMinutes(random.nextInt(3_000))));
    }
    if (random.nextInt(3) == 0) {
      step.timeout(Duration.ofSeconds(1 + random.nextInt(100_000)));
    }
    if (random.nextInt(3) == 0) {
      step.allowFailure();
    }
    if (random.nextInt(3) == 0) {
      String undo = run(random);
      step.compensate(
          undo,
          undo.equals("job")
              ? Map.of("type", "unreport")
              : Map.of("command", List.of("false"), "url", "http://localhost/undo"));
    }
    return step.merge(MERGES.get(random.nextInt(MERGES.size())));
  }

  @Test
  void schemaAndReaderAcceptWhatIsGenerated() {
    for (int seed = 0; seed < 200; seed++) {
      CheckedDefinition definition = generated(new SplittableRandom(seed));
      ObjectNode json = DefinitionWriter.json(definition.definition());
      DefinitionReader.Result read = DefinitionReader.json(json.toString());
      assertThat(read.defects()).as("seed %d", seed).isEmpty();
      assertThat(read.definition().orElseThrow().version()).isEqualTo(definition.version());
      OutputUnit validated = validated(json);
      assertThat(validated.getErrors()).as("seed %d: %s", seed, json).isNullOrEmpty();
      assertThat(validated.getValid()).as("seed %d: %s", seed, json).isTrue();
    }
  }

  /** Each place of a definition gets each of some values that do not belong there. */
  @Test
  void schemaIsNeverStricterThanTheReader() {
    List<JsonNode> values =
        List.of("1", "\"x\"", "true", "[]", "{}", "\"PT1S\"", "\"any\"", "\"process\"").stream()
            .map(DefinitionSchemaTest::tree)
            .toList();
    int both = 0;
    int readerAlone = 0;
    long first = Long.getLong(Worlds.BUILD, 0) * DEFINITIONS;
    for (long seed = first; seed < first + DEFINITIONS; seed++) {
      ObjectNode json = DefinitionWriter.json(generated(new SplittableRandom(seed)).definition());
      Map<ObjectNode, Verdict> known = new HashMap<>(); // many are spoiled the same way
      for (JsonNode value : values) {
        for (ObjectNode spoiled : spoiled(json, value)) {
          Verdict verdict = known.computeIfAbsent(spoiled, this::verdict);
          assertThat(verdict.schema() || !verdict.reader())
              .as("seed %d, refused by the schema alone: %s", seed, spoiled)
              .isTrue();
          both += verdict.schema() == verdict.reader() ? 1 : 0;
          readerAlone += verdict.schema() == verdict.reader() ? 0 : 1;
        }
      }
    }
    assertThat(both).isGreaterThan(200);
    assertThat(readerAlone)
        .as("conditions, edges to steps that do not exist, and the like")
        .isLessThan(both / 4);
  }

  /** Who accepts a definition. */
  private record Verdict(boolean schema, boolean reader) {}

  private Verdict verdict(ObjectNode definition) {
    return new Verdict(accepts(definition), readerAccepts(definition));
  }

  private static List<ObjectNode> spoiled(ObjectNode json, JsonNode value) {
    List<String> pointers = new ArrayList<>();
    pointers(json, "", pointers);
    List<ObjectNode> all = new ArrayList<>();
    for (String pointer : pointers) {
      ObjectNode copy = json.deepCopy();
      int cut = pointer.lastIndexOf('/');
      if (copy.at(pointer.substring(0, cut)) instanceof ObjectNode parent) {
        parent.set(pointer.substring(cut + 1), value);
        all.add(copy);
        ObjectNode without = json.deepCopy();
        ((ObjectNode) without.at(pointer.substring(0, cut))).remove(pointer.substring(cut + 1));
        all.add(without);
        ObjectNode more = json.deepCopy();
        ((ObjectNode) more.at(pointer.substring(0, cut))).set("other", value);
        all.add(more);
      }
    }
    return all;
  }

  private static void pointers(JsonNode node, String pointer, List<String> all) {
    for (Map.Entry<String, JsonNode> field : node.properties()) {
      all.add(pointer + "/" + field.getKey());
      pointers(field.getValue(), pointer + "/" + field.getKey(), all);
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{}",
        "{name: x}",
        "{name: x, steps: {}}",
        "{name: '', steps: {a: {run: 'handler:a'}}}",
        "{name: 'a b', steps: {a: {run: 'handler:a'}}}",
        "{name: 1, steps: {a: {run: 'handler:a'}}}",
        "{name: x, steps: [a]}",
        "{name: x, steps: {a: 1}}",
        "{name: x, steps: {a: {}}}",
        "{name: x, steps: {'../a': {run: 'handler:a'}}}",
        "{name: x, steps: {'': {run: 'handler:a'}}}",
        "{name: x, steps: {a: {run: shell}}}",
        "{name: x, steps: {a: {run: 'handler:'}}}",
        "{name: x, steps: {a: {run: 'handler:a@0'}}}",
        "{name: x, steps: {a: {run: 'process:a'}}}",
        "{name: x, steps: {a: {run: process}}}",
        "{name: x, steps: {a: {run: process, with: {command: []}}}}",
        "{name: x, steps: {a: {run: process, with: {command: [1]}}}}",
        "{name: x, steps: {a: {run: job}}}",
        "{name: x, steps: {a: {run: 'job:report'}}}",
        "{name: x, steps: {a: {run: job, with: {args: {}}}}}",
        "{name: x, steps: {a: {run: job, with: {type: 1}}}}",
        "{name: x, steps: {a: {run: job, with: {type: r, args: 1}}}}",
        "{name: x, steps: {a: {run: job, with: {type: r, command: [a]}}}}",
        "{name: x, steps: {a: {run: job, with: {type: r}, compensate: job}}}",
        "{name: x, steps: {a: {run: job, with: {type: r, compensate: {args: {}}}, compensate: job}}}",
        "{name: x, steps: {a: {run: http, with: {uri: x}}}}",
        "{name: x, steps: {a: {run: 'handler:a', with: 1}}}",
        "{name: x, steps: {a: {run: 'handler:a', after: [b]}, b: {run: 'handler:b'}}}",
        "{name: x, steps: {a: {run: 'handler:a', after: {b: succes}}, b: {run: 'handler:b'}}}",
        "{name: x, steps: {a: {run: 'handler:a', join: some}}}",
        "{name: x, steps: {a: {run: 'handler:a', when: ''}}}",
        "{name: x, steps: {a: {run: 'handler:a', when: true}}}",
        "{name: x, steps: {a: {run: 'handler:a', retry: {attempts: 0}}}}",
        "{name: x, steps: {a: {run: 'handler:a', retry: {attempts: 1.5}}}}",
        "{name: x, steps: {a: {run: 'handler:a', retry: {initial: 5}}}}",
        "{name: x, steps: {a: {run: 'handler:a', retry: {tries: 5}}}}",
        "{name: x, steps: {a: {run: 'handler:a', timeout: 30s}}}",
        "{name: x, steps: {a: {run: 'handler:a', timeout: PT}}}",
        "{name: x, steps: {a: {run: 'handler:a', allowFailure: 'yes'}}}",
        "{name: x, steps: {a: {run: 'handler:a', merge: deep}}}",
        "{name: x, steps: {a: {run: 'handler:a', merge: 'merger:'}}}",
        "{name: x, steps: {a: {run: 'handler:a', compensate: undo}}}",
        "{name: x, steps: {a: {run: 'handler:a', compensate: process}}}",
        "{name: x, steps: {a: {run: process, with: {command: [a]}, compensate: process}}}",
        "{name: x, steps: {a: {run: process, with: {command: [a], compensate: {command: []}}, compensate: process}}}",
        "{name: x, steps: {a: {run: http, with: {url: x, compensate: {uri: x}}, compensate: http}}}",
        "{name: x, steps: {a: {run: 'handler:a', with: {compensate: 1}, compensate: 'handler:b'}}}",
        "{name: x, steps: {a: {run: 'handler:a', runs: 1}}}",
        "{name: x, failfast: true, steps: {a: {run: 'handler:a'}}}",
        "{name: x, failFast: 1, steps: {a: {run: 'handler:a'}}}",
        "{name: x, timeout: 1, steps: {a: {run: 'handler:a'}}}",
        "{name: x, steps: {a: {run: 'handler:a'}}, finally: {b: {run: b}}}"
      })
  void hostileDefinitionIsRefusedByBoth(String yaml) {
    JsonNode definition = tree(yaml);
    assertThat(readerAccepts(definition)).isFalse();
    assertThat(accepts(definition)).isFalse();
  }

  /** What a schema cannot express. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "{name: x, steps: {a: {run: 'handler:a', after: {a: any}}}}",
        "{name: x, steps: {a: {run: 'handler:a', after: {b: any}}}}",
        "{name: x, steps: {a: {run: 'handler:a', when: 'input.x'}}}",
        "{name: x, steps: {a: {run: 'handler:a', timeout: PT0S}}}",
        "{name: x, steps: {a: {run: 'handler:a'}}, finally: {a: {run: 'handler:a'}}}"
      })
  void mistakesThatTheSchemaAllowsAreRefusedByTheReader(String yaml) {
    JsonNode definition = tree(yaml);
    assertThat(accepts(definition)).isTrue();
    assertThat(readerAccepts(definition)).isFalse();
  }

  @Test
  void schemaIsCanonicalJson() {
    assertThat(Json.parse("schema", DefinitionSchema.read()).path("$schema").asText())
        .isEqualTo("https://json-schema.org/draft/2020-12/schema");
  }
}
