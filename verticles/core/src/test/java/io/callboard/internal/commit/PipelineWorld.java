package io.callboard.internal.commit;

import static org.assertj.core.api.Assertions.assertThat;

import io.callboard.codecs.ActorPath;
import io.callboard.codecs.Envelope;
import io.callboard.codecs.MessageId;
import io.callboard.codecs.MessageType;
import io.callboard.internal.commit.GroupCommit.Consequences;
import io.callboard.internal.commit.GroupCommit.Resolved;
import io.callboard.internal.commit.GroupCommit.Step;
import io.callboard.internal.commit.PendingUnit.Result;
import io.callboard.store.Commit;
import io.callboard.store.CommitOutcome;
import io.callboard.store.CommitOutcome.Reason;
import io.callboard.store.CommitUnit;
import io.callboard.store.Session;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;

/** One seeded world of {@link PipelineTest}: a {@link GroupCommit}, its wire and its server. */
final class PipelineWorld {
  private static final int STEPS = 120;
  private static final int UNIT_BYTES = 50_000;

  /** Checks that the server makes. */
  record Guards(boolean incarnation, boolean chain) {
    static final Guards ALL = new Guards(true, true);
  }

  private final long seed;
  private final Guards guards;
  private final SplittableRandom random;
  private final GroupCommit machine = new GroupCommit(new Session(64, 1, 0), 3);
  private final Deque<Commit> wire = new ArrayDeque<>();
  private final List<Commit> abandoned = new ArrayList<>();
  private final Map<Commit, CommitOutcome> replies = new HashMap<>();
  private final Deque<Commit> underWay = new ArrayDeque<>();
  private final List<Integer> applied = new ArrayList<>();
  private final Map<Integer, Result> told = new HashMap<>();
  private long incarnation = 1;
  private long number;
  private int submitted;
  private boolean renewing;

  PipelineWorld(long seed, Guards guards) {
    this.seed = seed;
    this.guards = guards;
    this.random = new SplittableRandom(seed);
  }

  private static PendingUnit ready(int n) {
    Envelope envelope =
        new Envelope(new MessageId("edge", n), new MessageType("m", 1), new byte[UNIT_BYTES], null);
    CommitUnit unit =
        new CommitUnit(Optional.empty(), Map.of(ActorPath.of("/a"), List.of(envelope)));
    return new PendingUnit(unit, Optional.empty(), result -> {});
  }

  private static int unitOf(CommitUnit unit) {
    return (int) unit.outgoing().get(ActorPath.of("/a")).get(0).id().number();
  }

  void run() {
    for (int step = 0; step < STEPS; step++) {
      act(random.nextInt(12), false);
    }
    for (int step = 0; machine.waiting() > 0; step++) {
      assertThat(step).as("it comes to rest, seed %d", seed).isLessThan(10_000);
      act(step % 8, true);
    }
    check();
  }

  private void act(int choice, boolean quiet) {
    switch (choice) {
      case 0, 1 -> {
        if (!quiet) {
          machine.submit(ready(++submitted));
        }
      }
      case 2, 3, 4 -> drive();
      case 5 -> arrive(quiet);
      case 6 -> {
        arrive(quiet);
        reply();
      }
      case 7 -> {
        if (renewing) {
          renew();
        } else {
          reply();
        }
      }
      case 8 -> late();
      case 9 -> {
        if (random.nextInt(4) == 0) {
          disconnect();
        }
      }
      default -> reply();
    }
  }

  private void drive() {
    Step step = machine.next();
    if (step instanceof Step.Send send) {
      wire.addLast(send.commit());
      underWay.addLast(send.commit());
    } else if (step instanceof Step.Renew) {
      renewing = true;
    }
  }

  /** The server takes the next request of the connection. */
  private void arrive(boolean quiet) {
    Commit commit = wire.pollFirst();
    if (commit != null) {
      replies.put(commit, serve(commit, quiet));
    }
  }

  private CommitOutcome serve(Commit commit, boolean quiet) {
    if (guards.incarnation() && commit.incarnation() != incarnation) {
      return new CommitOutcome.Refused(-1, Reason.INCARNATION, "");
    } else if (guards.chain() && commit.number() != number + 1) {
      return new CommitOutcome.Refused(-1, Reason.AGAIN, "");
    } else if (!quiet && random.nextInt(6) == 0) {
      int culprit = random.nextInt(commit.units().size());
      return new CommitOutcome.Refused(culprit, Reason.STALE, "");
    }
    number = commit.number();
    commit.units().forEach(unit -> applied.add(unitOf(unit)));
    return new CommitOutcome.Applied(Map.of());
  }

  /** The oldest commit's reply arrives. */
  private void reply() {
    Commit first = underWay.peekFirst();
    if (first != null && replies.containsKey(first)) {
      underWay.removeFirst();
      follow(machine.outcome(first, replies.remove(first)));
    }
  }

  /**
   * Replies are lost; requests on the wire may still arrive, at any time, or never. The last of
   * them may have come to the client so late that they go to the next connection and are answered
   * there.
   */
  private void disconnect() {
    for (int lost = random.nextInt(wire.size() + 1); lost > 0; lost--) {
      abandoned.add(wire.removeFirst());
    }
    replies.clear();
    while (!underWay.isEmpty() && !wire.contains(underWay.getFirst())) {
      CommitOutcome unknown = new CommitOutcome.Unknown(new IllegalStateException("cut"));
      follow(machine.outcome(underWay.removeFirst(), unknown));
    }
  }

  private void late() {
    if (!abandoned.isEmpty()) {
      CommitOutcome unheard = serve(abandoned.remove(0), true);
      assertThat(unheard).isNotNull();
    }
  }

  private void renew() {
    renewing = false;
    incarnation++;
    follow(machine.renewed(new Session(64, incarnation, number)));
  }

  private void follow(Consequences consequences) {
    for (Resolved resolved : consequences.resolved()) {
      int unit = unitOf(resolved.pending().unit());
      Result before = told.put(unit, resolved.result());
      assertThat(before).as("unit %d is told once, seed %d", unit, seed).isNull();
    }
  }

  private void check() {
    assertThat(applied).as("seed %d", seed).isSorted().doesNotHaveDuplicates();
    assertThat(told).as("seed %d", seed).hasSize(submitted);
    told.forEach(
        (unit, result) ->
            assertThat(result instanceof Result.Committed)
                .as("unit %d, seed %d", unit, seed)
                .isEqualTo(applied.contains(unit)));
  }
}
