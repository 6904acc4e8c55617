package io.callboard.chaos.runs;

import static org.assertj.core.api.Assertions.assertThat;

import io.callboard.chaos.runs.RunJudge.Finding;
import io.callboard.chaos.runs.RunJudge.Kind;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class StepJudgeTest {
  private final Map<String, List<String>> sources = new LinkedHashMap<>();
  private final List<StepLine> lines = new ArrayList<>();
  private final Map<String, String> states = new LinkedHashMap<>();

  StepJudgeTest() {
    sources.put("a", List.of());
    sources.put("b", List.of("a"));
    states.put("i", "SUCCEEDED");
  }

  private void line(String what, String step, int run, long at) {
    line(what, step, run, at, 1);
  }

  private void line(String what, String step, int run, long at, long process) {
    lines.add(new StepLine(what, "i", step, run, at, "node-1", process));
  }

  private void run(String step, int run, long from, long until) {
    line("begin", step, run, from);
    line("end", step, run, until);
  }

  private List<Finding> judge(boolean once) {
    return StepJudge.judge(sources, lines, states, once);
  }

  private void finds(Kind kind, String what) {
    assertThat(judge(false))
        .anySatisfy(
            finding -> {
              assertThat(finding.kind()).isEqualTo(kind);
              assertThat(finding.what()).contains(what);
            });
  }

  @Test
  void oneRunOfEachStepInOrderIsRight() {
    run("b", 1, 30, 40);
    run("a", 1, 10, 20);
    assertThat(judge(true)).isEmpty();
  }

  @Test
  void aRunThatWasLostAndRepeatedIsRightIfNodesDied() {
    line("begin", "a", 1, 10);
    run("a", 2, 20, 30);
    run("a", 4, 40, 50);
    run("b", 1, 60, 70);
    assertThat(judge(false)).isEmpty();
    assertThat(judge(true)).hasSize(1).first().asString().contains("began 3 times");
  }

  @Test
  void twoRunsAtOnceAreSeenByTheirTimes() {
    run("a", 1, 10, 30);
    run("a", 2, 20, 40);
    run("b", 1, 50, 60);
    finds(Kind.DUPLICATED, "runs 1 and 2 of i/a were alive at the same time");
  }

  @Test
  void twoRunsAtOnceAreSeenByTheLock() {
    run("a", 1, 10, 20);
    line("twice", "a", 2, 15);
    run("b", 1, 50, 60);
    finds(Kind.DUPLICATED, "another run of i/a was alive as run 2 began");
  }

  @Test
  void aNumberThatBeginsAgainOrGoesBackIsSeen() {
    run("a", 2, 10, 20);
    run("a", 2, 30, 40);
    run("b", 3, 50, 60);
    run("b", 1, 70, 80);
    finds(Kind.DUPLICATED, "run 2 of i/a began on node-1 after run 2");
    finds(Kind.DUPLICATED, "run 1 of i/b began on node-1 after run 3");
  }

  @Test
  void aRunWhoseProcessHadDiedMayBeginAgain() {
    run("a", 1, 10, 20);
    line("begin", "b", 1, 30);
    line("begin", "b", 1, 60, 2);
    line("end", "b", 1, 70, 2);
    assertThat(judge(false)).isEmpty();
    assertThat(judge(true)).hasSize(1);
    line("begin", "a", 2, 65); // so it lived
    finds(Kind.DUPLICATED, "run 1 of i/b began on node-1 after run 1");
    line("end", "b", 1, 66);
    finds(Kind.DUPLICATED, "runs 1 and 1 of i/b were alive at the same time");
  }

  @Test
  void aStepBeforeItsSourceIsSeen() {
    run("a", 1, 10, 20);
    run("b", 1, 15, 30);
    finds(Kind.REORDERED, "i/b began before a had ended");
  }

  @Test
  void anInstanceThatDidNotSucceedOrLacksAStepIsSeen() {
    run("a", 1, 10, 20);
    states.put("j", "RUNNING");
    states.put("k", "");
    finds(Kind.LOST, "instance i succeeded, and its b never came to an end");
    finds(Kind.LOST, "instance j was accepted and is RUNNING");
    finds(Kind.LOST, "instance k was accepted and is gone");
  }

  @Test
  void anInstanceThatNobodyKnowsIsSeen() {
    states.clear();
    run("a", 1, 10, 20);
    finds(Kind.LOST, "instance i ran, and no node knows it");
  }

  @Test
  void linesAreReadAsTheyAreWrittenAndTornOnesAreLeftOut() {
    StepLine line = new StepLine("begin", "i", "a", 1, 123_456_789_012L, "node-2", 4711);
    assertThat(StepLine.parse(line.text())).contains(line);
    assertThat(StepLine.parse("begin i a 1 1234 node-1")).isEmpty();
    assertThat(StepLine.parse("begin i a 1 x node-1 4711")).isEmpty();
    assertThat(StepLine.parse("")).isEmpty();
  }
}
