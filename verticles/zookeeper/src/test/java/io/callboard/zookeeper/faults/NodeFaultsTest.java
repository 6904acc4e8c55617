package io.callboard.zookeeper.faults;

import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Nodes in processes of their own are frozen for longer than their session, and killed. */
@Tag("long")
class NodeFaultsTest {
  private static final int NODES = 3;

  @Test
  void zombiesReturnAndTheDeadAreReplaced() throws Exception {
    try (FaultRun run = new FaultRun("nodes", new OneServer("nodes"))) {
      run.processes(NODES);
      run.play(4, random -> freeze(run, random), random -> kill(run, random));
      run.judge();
    }
  }

  private static void freeze(FaultRun run, Random random) throws Exception {
    ChildProcess node = run.child(random.nextInt(NODES));
    node.freeze();
    run.pause(FaultRun.SESSION.toMillis() + 1_000 + random.nextInt(1_000));
    node.thaw();
  }

  private static void kill(FaultRun run, Random random) throws Exception {
    int node = random.nextInt(NODES);
    run.child(node).kill();
    run.pause(random.nextInt(500));
    run.restart(node);
    run.pause(1_500);
  }
}
