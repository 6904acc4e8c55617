package io.callboard.zookeeper.faults;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Tests of faults of the network between three nodes, their sender, and one server. */
@Tag("long")
class NetworkFaultsTest {
  @Test
  void cutsStallsLostRepliesBlackHolesAndExpiredSessions() throws Exception {
    try (FaultRun run = new FaultRun("network", new OneServer("network"))) {
      run.nodes(3);
      run.play(
          6,
          random -> NetworkFaults.dropReply(run, random),
          random -> NetworkFaults.cut(run, random),
          random -> NetworkFaults.stall(run, random, true),
          random -> NetworkFaults.expire(run, random),
          random -> NetworkFaults.stall(run, random, false),
          random -> NetworkFaults.blackHole(run, random));
      run.judge();
    }
  }
}
