package io.callboard.zookeeper.faults;

import java.util.Random;

/** Harm to the connections of one node of a run. */
final class NetworkFaults {
  private NetworkFaults() {}

  private static FaultNode any(FaultRun run, Random random) {
    return run.network().get(random.nextInt(run.network().size()));
  }

  static void cut(FaultRun run, Random random) {
    any(run, random).proxies().forEach(FaultProxy::cut);
  }

  static void dropReply(FaultRun run, Random random) {
    any(run, random).proxies().forEach(FaultProxy::dropReply);
  }

  /** Shorter than a session. */
  static void stall(FaultRun run, Random random, boolean up) {
    FaultNode node = any(run, random);
    node.proxies().forEach(proxy -> proxy.stall(up));
    run.pause(200 + random.nextInt(1_200));
    node.heal();
  }

  /** Longer than a session. */
  static void blackHole(FaultRun run, Random random) {
    FaultNode node = any(run, random);
    node.proxies().forEach(FaultProxy::blackHole);
    run.pause(FaultRun.SESSION.toMillis() + 700 + random.nextInt(800));
    node.heal();
  }

  static void expire(FaultRun run, Random random) throws Exception {
    any(run, random).expire();
  }
}
