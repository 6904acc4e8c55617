package io.callboard.workflows;

import io.callboard.workflows.definition.CheckedDefinition;
import io.callboard.workflows.definition.StepRetry;
import io.callboard.workflows.definition.Workflow;
import io.callboard.workflows.graph.EdgeCondition;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;

/** Definitions of a world, at random; each version that was made is known. */
final class RehearsedDefinitions {
  /** Condition on the input of an instance, which some steps have. */
  static final String WHEN = "$.input.n >= 5";

  /** Definition of one step that lasts until it is let go. */
  static final String HOLD = "hold";

  /** Definition of steps beside each other that last until they are let go. */
  static final String WIDE = "wide";

  /** Definition that fails. */
  static final String BAD = "bad";

  private static final List<String> TYPES = List.of("handler:a", "handler:b", "handler:b@2");

  private final SplittableRandom random;
  private final Map<String, CheckedDefinition> versions = new HashMap<>();

  RehearsedDefinitions(SplittableRandom random) {
    this.random = random;
  }

  /** Returns the definition of that version. */
  CheckedDefinition of(String name, String version) {
    CheckedDefinition known = versions.get(name + "@" + version);
    if (known == null) {
      throw new AssertionError("nobody has put version %s of %s".formatted(version, name));
    }
    return known;
  }

  private CheckedDefinition known(CheckedDefinition made) {
    versions.put(made.definition().name() + "@" + made.version(), made);
    return made;
  }

  /** Makes a definition whose steps last until they are let go. */
  CheckedDefinition holds(String name, int steps) {
    Workflow workflow = Workflow.define(name);
    for (int i = 0; i < steps; i++) {
      workflow.step("h" + i, "handler:hold", s -> s);
    }
    return known(workflow.build());
  }

  /** Makes a definition that fails. */
  CheckedDefinition bad() {
    return known(Workflow.define(BAD).step("s0", "handler:bad", s -> s).build());
  }

  /**
   * Makes a definition.
   *
   * @param children definitions that its steps may run; empty for none
   */
  CheckedDefinition random(String name, List<String> children) {
    while (true) {
      var made = draw(name, children).check().definition();
      if (made.isPresent()) {
        return known(made.get());
      }
    }
  }

  private Workflow draw(String name, List<String> children) {
    Workflow workflow = Workflow.define(name).failFast(random.nextInt(5) == 0);
    if (random.nextInt(6) == 0) {
      workflow.timeout(Duration.ofSeconds(10 + random.nextInt(50)));
    }
    int size = 1 + random.nextInt(children.isEmpty() ? 3 : 8);
    for (int i = 0; i < size; i++) {
      int step = i;
      workflow.step("s" + i, run(children), s -> options(s, "s", step, !children.isEmpty()));
    }
    int last = random.nextInt(3);
    for (int i = 0; i < last; i++) {
      int step = i;
      workflow.last("z" + i, run(List.of()), s -> options(s, "z", step, false));
    }
    return workflow;
  }

  private String run(List<String> children) {
    return !children.isEmpty() && random.nextInt(8) == 0
        ? "subworkflow:" + children.get(random.nextInt(children.size()))
        : TYPES.get(random.nextInt(TYPES.size()));
  }

  private Workflow.Step options(Workflow.Step step, String prefix, int index, boolean top) {
    for (int source = 0; source < index; source++) {
      if (random.nextInt(3) == 0) {
        EdgeCondition on = EdgeCondition.values()[random.nextInt(EdgeCondition.values().length)];
        step.after(prefix + source, random.nextBoolean() ? EdgeCondition.SUCCESS : on);
      }
    }
    if (random.nextInt(4) == 0) {
      step.joinAny();
    }
    if (random.nextInt(6) == 0) {
      step.allowFailure();
    }
    if (random.nextInt(3) == 0) {
      step.compensate("handler:undo");
    }
    if (top && random.nextInt(8) == 0) {
      step.when(WHEN);
    }
    if (random.nextInt(4) == 0) {
      step.timeout(Duration.ofSeconds(2 + random.nextInt(8)));
    }
    return step.retry(
        new StepRetry(1 + random.nextInt(3), Duration.ofSeconds(1), Duration.ofSeconds(4)));
  }
}
