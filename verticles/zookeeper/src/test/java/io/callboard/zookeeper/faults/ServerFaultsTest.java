package io.callboard.zookeeper.faults;

import static org.assertj.core.api.Assertions.assertThat;

import io.callboard.testkit.Eventually;
import java.util.OptionalInt;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Servers are killed while they work. */
@Tag("long")
class ServerFaultsTest {

  @Test
  void theOnlyServerIsKilledAndComesBack() throws Exception {
    OneServer server = new OneServer("server");
    try (FaultRun run = new FaultRun("server killed", server)) {
      run.nodes(3);
      run.play(
          4,
          random -> {
            server.kill(0);
            run.pause(random.nextInt(500));
            server.restart(0);
            run.pause(2_000);
          });
      run.judge();
    }
  }

  @Test
  void membersOfAnEnsembleAreKilledAndComeBack() throws Exception {
    Ensemble ensemble = new Ensemble("ensemble");
    Eventually.assertThat(() -> assertThat(ensemble.isWhole()).isTrue());
    try (FaultRun run = new FaultRun("ensemble", ensemble)) {
      run.nodes(3);
      run.play(
          6,
          random -> kill(run, ensemble, random, false),
          random -> NetworkFaults.dropReply(run, random),
          random -> kill(run, ensemble, random, true));
      run.judge();
    }
  }

  private static void kill(FaultRun run, Ensemble ensemble, Random random, boolean leader)
      throws Exception {
    OptionalInt leads = ensemble.leader();
    int follower = (leads.orElse(0) + 1 + random.nextInt(2)) % 3;
    int victim = leader ? leads.orElse(0) : follower;
    ensemble.kill(victim);
    run.pause(500 + random.nextInt(1_000));
    ensemble.restart(victim);
    Eventually.assertThat(() -> assertThat(ensemble.isWhole()).isTrue());
  }
}
