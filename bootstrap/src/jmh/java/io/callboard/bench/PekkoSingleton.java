package io.callboard.bench;

import com.typesafe.config.ConfigFactory;
import io.callboard.testkit.FreePorts;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.apache.pekko.actor.typed.ActorSystem;
import org.apache.pekko.actor.typed.javadsl.Behaviors;
import org.apache.pekko.cluster.MemberStatus;
import org.apache.pekko.cluster.typed.Cluster;
import org.apache.pekko.cluster.typed.ClusterSingleton;
import org.apache.pekko.cluster.typed.SingletonActor;

/**
 * Peer: the cluster singleton on three nodes, each a JVM, with default settings and the split brain
 * resolver, which Pekko's documentation asks for.
 */
final class PekkoSingleton {
  private static final String STARTED = "started";
  private static final int MEMBERS = 3;
  private static final long LIMIT_SECONDS = 120;

  private PekkoSingleton() {}

  /** Milliseconds from the end of the oldest node until the singleton has started elsewhere. */
  static Measurement measure(boolean kill, int runs) {
    try {
      List<Double> taken = new ArrayList<>();
      for (int run = 0; run < runs; run++) {
        taken.add(once(kill));
        Progress.say("%s: %.0f ms".formatted("Pekko", taken.get(run)));
      }
      return Measurement.of(taken);
    } catch (Exception e) {
      throw new IllegalStateException("Pekko's singleton could not be measured", e);
    }
  }

  private static double once(boolean kill) throws Exception {
    int seed = FreePorts.one();
    List<Child> members = new ArrayList<>();
    try {
      for (int i = 0; i < MEMBERS; i++) {
        int port = i == 0 ? seed : FreePorts.one();
        members.add(
            Child.start(
                Member.class, List.of("-Xmx256m"), String.valueOf(seed), String.valueOf(port)));
        if (i == 0) {
          var unused = members.get(0).expect(STARTED);
        }
      }
      List<CompletableFuture<Long>> next = new ArrayList<>();
      for (Child member : members.subList(1, MEMBERS)) {
        var unused = member.expect("complete");
        next.add(CompletableFuture.supplyAsync(() -> startedAt(member)));
      }
      TimeUnit.SECONDS.sleep(5); // its failure detectors gather heartbeats
      long begunNs = System.nanoTime();
      if (kill) {
        members.get(0).kill();
      } else {
        members.get(0).terminate();
      }
      Object first =
          CompletableFuture.anyOf(next.toArray(CompletableFuture[]::new))
              .get(LIMIT_SECONDS, TimeUnit.SECONDS);
      return ((Long) first - begunNs) / 1e6;
    } finally {
      members.forEach(Child::close);
    }
  }

  private static long startedAt(Child member) {
    try {
      var unused = member.expect(STARTED);
      return System.nanoTime();
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
  }

  /** Node of the cluster. */
  static final class Member {
    private Member() {}

    public static void main(String[] arguments) throws Exception {
      Child.endWithParent();
      String settings =
          """
          pekko.loglevel = ERROR
          pekko.actor.provider = cluster
          pekko.remote.artery.canonical { hostname = "127.0.0.1", port = %s }
          pekko.cluster.seed-nodes = ["pekko://bench@127.0.0.1:%s"]
          pekko.cluster.downing-provider-class = "org.apache.pekko.cluster.sbr.SplitBrainResolverProvider"
          """
              .formatted(arguments[1], arguments[0]);
      ActorSystem<Void> system =
          ActorSystem.create(
              Behaviors.empty(),
              "bench",
              ConfigFactory.parseString(settings).withFallback(ConfigFactory.load()));
      var unused =
          ClusterSingleton.get(system)
              .init(
                  SingletonActor.of(
                      Behaviors.<String>setup(
                          context -> {
                            Child.say(STARTED);
                            return Behaviors.receiveMessage(message -> Behaviors.same());
                          }),
                      "oracle"));
      Load.await("three members", java.time.Duration.ofSeconds(60), () -> isComplete(system));
      Child.say("complete");
      system.getWhenTerminated().toCompletableFuture().join();
    }

    private static boolean isComplete(ActorSystem<?> system) {
      int up = 0;
      for (var member : Cluster.get(system).state().getMembers()) {
        up += member.status().equals(MemberStatus.up()) ? 1 : 0;
      }
      return up == MEMBERS;
    }
  }
}
