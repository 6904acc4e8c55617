package io.callboard.workflows.merge;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.NullNode;
import io.callboard.codecs.Json;
import io.callboard.workflows.definition.MergeRule;
import io.callboard.workflows.definition.Workflow;
import io.callboard.workflows.graph.EdgeCondition;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Test;

/**
 * Merges at joins. The graph is a → b → d and c → d with a rule at d, so that c is on a lower level
 * than b though it is declared later.
 */
class SourceMergeTest {
  private static final int A = 0;
  private static final int D = 3;

  private static SourceMerge merge(MergeRule rule, Map<String, Merger> own) {
    return new SourceMerge(
        Workflow.define("x")
            .step("a", "handler:a", s -> s)
            .step("b", "handler:b", s -> s.after("a"))
            .step("c", "handler:c", s -> s)
            .step(
                "d",
                "handler:d",
                s ->
                    s.after("b", EdgeCondition.ANY)
                        .after("c", EdgeCondition.ANY)
                        .after("a")
                        .merge(rule))
            .build(),
        own);
  }

  private static JsonNode tree(String json) {
    return Json.parse("test", json.replace('\'', '"').getBytes(StandardCharsets.UTF_8));
  }

  private static Map<String, JsonNode> outputs(String... stepsAndJson) {
    Map<String, JsonNode> outputs = new LinkedHashMap<>();
    for (int i = 0; i < stepsAndJson.length; i += 2) {
      outputs.put(stepsAndJson[i], tree(stepsAndJson[i + 1]));
    }
    return outputs;
  }

  private static Optional<JsonNode> merged(MergeRule rule, String... stepsAndJson)
      throws MergeException {
    return merge(rule, Map.of()).merged(D, -1, outputs(stepsAndJson));
  }

  @Test
  void namespacedMergesNothing() throws MergeException {
    assertThat(merged(MergeRule.NAMESPACED, "a", "{'x':1}", "b", "{'x':2}")).isEmpty();
  }

  @Test
  void disjointMergesDeeply() throws MergeException {
    assertThat(
            merged(
                MergeRule.DISJOINT,
                "a",
                "{'doc':{'title':'t','meta':{}}}",
                "b",
                "{'doc':{'body':'b','meta':{'lang':'en'}},'list':[1]}",
                "c",
                "{'size':1}"))
        .contains(
            tree("{'size':1,'doc':{'title':'t','meta':{'lang':'en'},'body':'b'},'list':[1]}"));
  }

  @Test
  void disjointNamesBothStepsAndThePlaceOfAConflict() {
    assertThatThrownBy(
            () -> merged(MergeRule.DISJOINT, "b", "{'d/c':{'x':1}}", "c", "{'d/c':{'x':1}}"))
        .hasMessage("the outputs of c and b both have a value at /d~1c/x");
    assertThatThrownBy(() -> merged(MergeRule.DISJOINT, "b", "{'d':{'x':1}}", "c", "{'d':[]}"))
        .hasMessage("the outputs of c and b both have a value at /d");
    assertThatThrownBy(() -> merged(MergeRule.DISJOINT, "b", "{'d':1}", "a", "{'d':{}}"))
        .hasMessage("the outputs of a and b both have a value at /d");
    assertThatThrownBy(() -> merged(MergeRule.DISJOINT, "b", "{'d':null}", "a", "{'d':null}"))
        .hasMessage("the outputs of a and b both have a value at /d");
    assertThatThrownBy(() -> merged(MergeRule.DISJOINT, "b", "'text'", "a", "{}"))
        .hasMessage("the outputs of a and b cannot be merged: that of b is no object");
    assertThatThrownBy(() -> merged(MergeRule.DISJOINT, "b", "{}", "a", "1"))
        .hasMessage("the outputs of b and a cannot be merged: that of a is no object");
  }

  @Test
  void laterSourceInTopologicalOrderWins() throws MergeException {
    assertThat(
            merged(
                MergeRule.TOPO,
                "b",
                "{'x':'b','in':{'y':'b'}}",
                "c",
                "{'x':'c','in':{'y':'c','z':'c'},'l':[1,2]}",
                "a",
                "{'x':'a','l':[3]}"))
        .contains(tree("{'x':'b','l':[1,2],'in':{'y':'b','z':'c'}}"));
  }

  @Test
  void sourceWithoutOutputDoesNotCount() throws MergeException {
    Map<String, JsonNode> outputs = outputs("b", "{'x':1}");
    outputs.put("a", NullNode.getInstance());
    assertThat(merge(MergeRule.DISJOINT, Map.of()).merged(D, -1, outputs))
        .contains(tree("{'x':1}"));
    assertThat(merged(MergeRule.DISJOINT)).isEmpty();
    assertThat(merged(MergeRule.TOPO, "b", "'text'")).contains(tree("'text'"));
    assertThat(merge(MergeRule.DISJOINT, Map.of()).merged(A, -1, outputs)).isEmpty();
  }

  @Test
  void winnerOfAJoinAnyCountsAlone() throws MergeException {
    assertThat(
            merge(MergeRule.DISJOINT, Map.of())
                .merged(D, 1, outputs("b", "{'x':1}", "c", "{'x':2}")))
        .contains(tree("{'x':2}"));
  }

  @Test
  void ownMergerHasTheOutputsInTopologicalOrder() throws MergeException {
    Merger names =
        sources -> {
          var list = JsonNodeFactory.instance.arrayNode();
          sources.forEach(each -> list.add(each.step()));
          return list;
        };
    assertThat(
            merge(MergeRule.own("names"), Map.of("names", names))
                .merged(D, -1, outputs("b", "1", "c", "2", "a", "3")))
        .contains(tree("['a','c','b']"));
  }

  @Test
  void ownMergerThatFailsOrIsMissingHasAReason() {
    SourceMerge failing =
        merge(
            MergeRule.own("bad"),
            Map.of(
                "bad",
                sources -> {
                  throw new IllegalStateException("no order");
                }));
    assertThatThrownBy(() -> failing.merged(D, -1, outputs("b", "1")))
        .isInstanceOf(MergeException.class)
        .hasMessage("the merger \"bad\" failed: no order");
    SourceMerge unknown = merge(MergeRule.own("bda"), Map.of("bad", sources -> tree("1")));
    assertThatThrownBy(() -> unknown.merged(D, -1, outputs("b", "1")))
        .hasMessage("this node has no merger \"bda\"; it has bad");
  }

  /** What an earlier engine does: the message of the step that ended last replaces the others. */
  @Test
  void stepThatEndsLastDoesNotOverwriteTheOthers() throws MergeException {
    String[][] ends = {{"a", "{'x':'a','p':1}"}, {"b", "{'x':'b'}"}, {"c", "{'x':'c','q':{}}"}};
    List<String[]> order = new ArrayList<>(List.of(ends));
    for (int seed = 0; seed < 20; seed++) {
      Collections.shuffle(order, new Random(seed));
      String[] inOrder = order.stream().flatMap(Arrays::stream).toArray(String[]::new);
      assertThat(merged(MergeRule.TOPO, inOrder)).contains(tree("{'x':'b','p':1,'q':{}}"));
    }
  }

  @Test
  void outputsStayAsTheyAre() throws MergeException {
    for (MergeRule rule : List.of(MergeRule.TOPO, MergeRule.DISJOINT)) {
      Map<String, JsonNode> outputs = outputs("b", "{'d':{'x':1}}", "c", "{'d':{'y':1}}");
      assertThat(merge(rule, Map.of()).merged(D, -1, outputs)).isPresent();
      assertThat(outputs).isEqualTo(outputs("b", "{'d':{'x':1}}", "c", "{'d':{'y':1}}"));
    }
  }
}
