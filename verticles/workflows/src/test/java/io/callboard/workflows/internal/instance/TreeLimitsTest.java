package io.callboard.workflows.internal.instance;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.NullNode;
import io.callboard.workflows.definition.StepRetry;
import io.callboard.workflows.definition.Workflow;
import io.callboard.workflows.internal.protocol.ParentStep;
import io.callboard.workflows.internal.protocol.StepOutcome;
import io.callboard.workflows.model.InstanceState;
import java.time.Duration;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Definitions that run themselves, on the way down. */
class TreeLimitsTest {
  private static final StepRetry TEN =
      new StepRetry(10, Duration.ofSeconds(1), Duration.ofSeconds(1));

  private static PlayedInstance below(Workflow workflow, @Nullable ParentStep parent) {
    return new PlayedInstance(workflow.build(), NullNode.instance, new Random(1), parent);
  }

  private static ParentStep parent(PlayedInstance it) {
    return TreeLimits.parent(it.progress(), it.requested.values().iterator().next());
  }

  /** Fails the sub-workflow until it is not tried again; returns how often it was started. */
  private static int tries(PlayedInstance it) {
    while (it.data().outcome() == null) {
      it.done("a", StepOutcome.failed("no"));
      it.later(Duration.ofSeconds(1));
    }
    return it.started.size();
  }

  @Test
  void attemptsOfLevelsDoNotMultiplyWithoutEnd() {
    Workflow self = Workflow.define("self").step("a", "subworkflow:self", s -> s.retry(TEN));
    ParentStep parent = null;
    long all = 1;
    PlayedInstance it = below(self, parent);
    for (int level = 1; level <= TreeLimits.MOST_DEPTH; level++) {
      parent = parent(it);
      assertThat(parent.depth()).isEqualTo(level);
      all *= tries(it);
      it = below(self, parent);
    }
    assertThat(all).isEqualTo(TreeLimits.MOST_ATTEMPTS);
    assertThat(it.started).isEmpty();
    assertThat(it.data().reason()).contains("10 instances are above this one already");
  }

  @Test
  void aStepThatIsNotTriedAgainSaysWhy() {
    Workflow self = Workflow.define("self").step("a", "subworkflow:self", s -> s.retry(TEN));
    PlayedInstance it = below(self, new ParentStep("i0", "a", 1, 4, null, 500, 1));
    assertThat(tries(it)).isEqualTo(2);
    assertThat(it.data().reason())
        .contains("no; it is not tried again: the attempts of the levels");
  }

  @Test
  void levelsSideBySideHaveALimit() {
    Workflow wide = Workflow.define("wide");
    for (int i = 0; i < 10; i++) {
      wide.step("s" + i, "subworkflow:wide", s -> s);
    }
    int levels = 0;
    PlayedInstance it = below(wide, null);
    while (it.data().outcome() == null) {
      levels++;
      it = below(wide, parent(it));
    }
    assertThat(levels).as("of which the last has a million instances").isEqualTo(6);
    assertThat(it.data().state()).isEqualTo(InstanceState.FAILED);
    assertThat(it.data().reason()).contains("10,000,000 sub-workflows could run");
  }

  /** An instance that fails, and undoes by an instance that fails, and so on. */
  @Test
  void compensationsCountForTheLimitsOfTheTree() {
    Workflow self =
        Workflow.define("self")
            .step("a", "handler:x", s -> s.compensate("subworkflow:self"))
            .step("b", "handler:x", s -> s.after("a"));
    PlayedInstance it = below(self, new ParentStep("i0", "a", 1, 10, null, 1, 1));
    it.ok("a");
    it.fail("b");
    assertThat(it.data().state()).isEqualTo(InstanceState.FAILED);
    assertThat(it.data().reason()).contains("10 instances are above this one already");
  }
}
