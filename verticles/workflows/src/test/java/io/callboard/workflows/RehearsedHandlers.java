package io.callboard.workflows;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import io.callboard.testkit.internal.world.WorldNode;
import io.callboard.testkit.internal.world.WorldTime;
import io.callboard.workflows.WorkflowsHistory.HandlerEnd;
import io.callboard.workflows.WorkflowsHistory.HandlerRun;
import io.callboard.workflows.internal.protocol.StepRunKey;
import io.callboard.workflows.model.PermanentStepException;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/** Handlers of a world: each lasts some time, and succeeds, fails, hangs or does not listen. */
final class RehearsedHandlers {
  private static final long MOST_LISTENING = 3 * WorldTime.SECOND;

  private final WorkflowsHistory history;
  private final SplittableRandom random;
  private final Map<String, Integer> slots;
  private final List<Runnable> held = new ArrayList<>();
  private boolean calm;

  /**
   * Creates them.
   *
   * @param slots most slots of each host
   */
  RehearsedHandlers(WorkflowsHistory history, SplittableRandom random, Map<String, Integer> slots) {
    this.history = history;
    this.slots = slots;
    this.random = random;
  }

  /** Lets handlers neither hang nor ignore their cancellations any more. */
  void calm() {
    calm = true;
  }

  /** Registers the handlers of a node. */
  void register(WorldNode node, Workers workers, List<String> types) {
    types.forEach(type -> workers.handle(type, step -> run(node, step, 5)));
    workers.handle("undo", step -> run(node, step, 12));
    workers.handle("bad", step -> run(node, step, 1));
    workers.handle("hold", step -> hold(node, step));
  }

  /** Lets all go that are held. */
  void release() {
    List<Runnable> all = List.copyOf(held);
    held.clear();
    all.forEach(Runnable::run);
  }

  private HandlerRun begins(WorldNode node, StepContext step) {
    StepRunKey key = new StepRunKey(step.instance(), step.step(), step.run());
    HandlerRun run = history.begins(key, step.attempt(), node, slots.get(node.node()));
    history.sees(step.key(), step.input());
    step.input().withObject("/outputs").put("spoiled", key.run()); // nobody else sees that
    step.cancelled().onSuccess(now -> run.asked());
    return run;
  }

  private Future<JsonNode> hold(WorldNode node, StepContext step) {
    HandlerRun run = begins(node, step);
    Promise<JsonNode> done = Promise.promise();
    held.add(() -> end(run, HandlerEnd.SUCCEEDED, done));
    return done.future();
  }

  /**
   * Runs a step.
   *
   * @param failing one in how many fails
   */
  private Future<JsonNode> run(WorldNode node, StepContext step, int failing) {
    HandlerRun run = begins(node, step);
    Promise<JsonNode> done = Promise.promise();
    HandlerEnd end = random.nextInt(failing) > 0 ? HandlerEnd.SUCCEEDED : failure();
    boolean hangs = !calm && random.nextInt(25) == 0;
    long lasts = random.nextLong((random.nextInt(8) == 0 ? 20 : 4) * WorldTime.SECOND);
    if (hangs) {
      history.say("HANGS", run);
      lasts = 60 * WorldTime.SECOND;
    }
    var alarm = node.schedule(lasts, () -> end(run, end, done));
    boolean listens = calm || random.nextInt(6) > 0;
    step.cancelled()
        .onSuccess(
            now -> {
              if (listens) {
                alarm.cancel();
                long later = random.nextBoolean() ? 0 : random.nextLong(MOST_LISTENING);
                var unused = node.schedule(later, () -> end(run, cancelled(), done));
              }
            });
    return done.future();
  }

  private HandlerEnd failure() {
    return random.nextInt(6) == 0 ? HandlerEnd.FAILED_FOR_GOOD : HandlerEnd.FAILED;
  }

  /** A handler may have done its work before it heard that it is to end. */
  private HandlerEnd cancelled() {
    return random.nextInt(6) == 0 ? HandlerEnd.SUCCEEDED : HandlerEnd.CANCELLED;
  }

  private void end(HandlerRun run, HandlerEnd end, Promise<JsonNode> done) {
    if (run.end != null || !run.isAlive()) {
      return;
    }
    @Nullable JsonNode output =
        end == HandlerEnd.SUCCEEDED
            ? JsonNodeFactory.instance.textNode(run.key + "#" + random.nextInt(1_000_000))
            : null;
    history.ends(run, end, output);
    switch (end) {
      case SUCCEEDED -> done.complete(output);
      case FAILED -> done.fail("no luck");
      case FAILED_FOR_GOOD -> done.fail(new PermanentStepException("never"));
      case CANCELLED -> done.fail("it was to end");
    }
  }
}
