package io.callboard.chaos;

import io.callboard.chaos.hosts.Await;
import java.time.Duration;
import java.util.List;
import java.util.Random;

/** Faults of the processes of nodes. */
final class NodeFaults {
  private static final Duration READY = Duration.ofSeconds(180);

  private final Cluster cluster;
  private final Operators operators;

  NodeFaults(Cluster cluster, Operators operators) {
    this.cluster = cluster;
    this.operators = operators;
  }

  List<Fault> all() {
    return List.of(
        new Fault("kill", this::kill),
        new Fault("kill-holder", this::killHolder),
        new Fault("kill-standby-then-holder", this::killStandbyThenHolder),
        new Fault("stop-in-order", this::stopInOrder),
        new Fault("freeze-briefly", random -> freeze(any(random), between(random, 300, 1_000))),
        new Fault(
            "freeze-below-session", random -> freeze(any(random), between(random, 1_600, 3_000))),
        new Fault("freeze-past-session", random -> freeze(any(random), past(random))),
        new Fault("freeze-holder", random -> freeze(operators.holder(), past(random))));
  }

  /** Returns the kill of any node alone. */
  List<Fault> kills() {
    return List.of(new Fault("kill", this::kill));
  }

  static Duration between(Random random, int fromMs, int toMs) {
    return Duration.ofMillis(fromMs + random.nextInt(toMs - fromMs));
  }

  private static Duration past(Random random) {
    return Cluster.SESSION.plus(between(random, 1_500, 3_500));
  }

  private Member any(Random random) {
    return cluster.members().get(random.nextInt(cluster.members().size()));
  }

  private String kill(Random random) throws Exception {
    Member member = any(random);
    member.kill();
    Await.pass(between(random, 0, 3_000));
    begin(member);
    return member.name();
  }

  private String killHolder(Random random) throws Exception {
    Member member = operators.holder();
    member.kill();
    Await.pass(between(random, 0, 1_000));
    begin(member);
    return member.name();
  }

  /** Kills the standby and then the holder, within half a second. */
  private String killStandbyThenHolder(Random random) throws Exception {
    Member standby = operators.standby();
    Member holder = operators.holder();
    standby.kill();
    Await.pass(between(random, 0, 500));
    if (holder != standby) {
      holder.kill();
    }
    Await.pass(between(random, 0, 1_000));
    begin(standby);
    if (holder != standby) {
      begin(holder);
    }
    return "%s, %s".formatted(standby.name(), holder.name());
  }

  private String stopInOrder(Random random) throws Exception {
    Member member = any(random);
    member.terminate();
    begin(member);
    return member.name();
  }

  /** Starts a node again, and waits until it is ready. */
  static void begin(Member member) throws Exception {
    member.start();
    Await.until(member.name() + " is ready again", READY, member::isReady);
  }

  static String freeze(Member member, Duration time) throws Exception {
    member.process().freeze();
    try {
      Await.pass(time);
    } finally {
      member.process().thaw();
    }
    return "%s for %d ms".formatted(member.name(), time.toMillis());
  }
}
