package io.callboard.guard;

import static org.assertj.core.api.Assertions.assertThat;

import io.callboard.guard.GuardStatus.State;
import io.callboard.supervision.Backoff;
import io.callboard.supervision.ExponentialBackoff;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A circuit in a world of faults, by seed: a resource that fails, hangs, dies and comes back. */
class CircuitRehearsalTest {
  private static final int SEEDS = 300;
  private static final int STEPS = 2_000;
  private static final ExponentialBackoff BACKOFF =
      Backoff.exponential(Duration.ofMillis(200), Duration.ofSeconds(30));

  private enum End {
    ACKNOWLEDGED,
    FALLEN_BACK,
    GIVEN_UP,
    LAPSED
  }

  private record Attempt(long id, int number) {}

  /** One guard, its actor and the senders. */
  private static final class World {
    private final SplittableRandom random;
    private final Circuit.Settings settings;
    private final Circuit circuit;
    private final Map<Long, End> ends = new TreeMap<>();
    private final Map<Long, Integer> present = new HashMap<>();
    private final Map<Long, Long> begunNs = new HashMap<>();
    private final Deque<Attempt> mailbox = new ArrayDeque<>();
    private final List<Attempt> working = new ArrayList<>();
    private final List<Attempt> late = new ArrayList<>();
    private final List<Long> handled = new ArrayList<>();
    private final boolean oneByOne;
    private long offered;
    private long nowNs;
    private long notBeforeNs;
    private boolean healthy = true;
    private boolean down;
    private boolean calm;

    World(long seed) {
      random = new SplittableRandom(seed);
      nowNs = random.nextLong();
      notBeforeNs = nowNs;
      int limit = 1 + random.nextInt(40);
      oneByOne = random.nextBoolean();
      settings =
          new Circuit.Settings(
              limit,
              oneByOne ? 1 : 1 + random.nextInt(limit),
              1 + random.nextInt(6),
              Duration.ofSeconds(2),
              random.nextInt(3) == 0,
              1 + random.nextInt(3));
      circuit =
          new Circuit(
              settings, this::pause, id -> begunNs.getOrDefault(id, InFlight.NOT_BEGUN), nowNs);
    }

    private Duration pause(long failures) {
      Duration pause = BACKOFF.delay(failures, random);
      notBeforeNs = nowNs + pause.toNanos();
      return pause;
    }

    private void end(long id, End how) {
      assertThat(ends.put(id, how)).as("message %d ends once", id).isNull();
      present.remove(id);
      begunNs.remove(id);
    }

    private boolean isPresent(Attempt attempt) {
      return present.getOrDefault(attempt.id(), 0) == attempt.number();
    }

    void step() {
      switch (random.nextInt(12)) {
        case 0, 1, 2 -> {
          long unused = circuit.offered();
          offered++;
        }
        case 3, 4, 5 -> begin();
        case 6, 7 -> finish();
        case 8 -> nowNs += random.nextLong(Duration.ofSeconds(1).toNanos());
        case 9 -> wake();
        case 10 -> comesLate();
        default -> changes();
      }
      settle();
    }

    /** An actor that answers later begins several; any other the next when one is done. */
    private void begin() {
      boolean mayBegin = !down && (working.isEmpty() || !oneByOne);
      Attempt next = mayBegin ? mailbox.poll() : null;
      if (next != null && isPresent(next)) {
        begunNs.put(next.id(), nowNs);
        working.add(next);
      }
    }

    private void finish() {
      if (working.isEmpty()) {
        return;
      }
      Attempt done = working.remove(random.nextInt(working.size()));
      boolean succeeds = calm || (healthy && random.nextInt(20) > 0);
      if (succeeds) {
        succeeded(done);
      } else if (isPresent(done)) {
        forget(done);
        circuit.failed(done.id(), done.number(), new Exception("by " + done), true, nowNs);
      }
    }

    private void succeeded(Attempt done) {
      if (circuit.succeeded(done.id(), done.number(), nowNs)) {
        end(done.id(), End.ACKNOWLEDGED);
        handled.add(done.id());
      }
    }

    private void forget(Attempt attempt) {
      present.remove(attempt.id());
      begunNs.remove(attempt.id());
    }

    private void wake() {
      long untilNs = circuit.untilWakeNs(nowNs);
      if (untilNs >= 0) {
        nowNs += untilNs;
      }
    }

    private void comesLate() {
      if (!late.isEmpty() && !oneByOne) {
        succeeded(late.remove(random.nextInt(late.size())));
      }
    }

    private void changes() {
      switch (random.nextInt(8)) {
        case 0 -> healthy = !healthy;
        case 1 -> down = !down;
        case 2 -> lapse();
        default -> {}
      }
    }

    private void lapse() {
      long id = offered - random.nextLong(settings.limit() + 2L);
      if (circuit.lapsed(id)) {
        end(id, End.LAPSED);
        working.removeIf(attempt -> attempt.id() == id);
      }
    }

    /** Takes the actions that are due, and checks that each is allowed. */
    private void settle() {
      for (CircuitAction circuitAction = circuit.next(nowNs, true);
          circuitAction != null;
          circuitAction = circuit.next(nowNs, true)) {
        act(circuitAction);
      }
      assertThat(circuit.held() + circuit.underWay()).isLessThanOrEqualTo(settings.limit());
      assertThat(circuit.underWay()).isLessThanOrEqualTo(settings.underWay());
      assertThat(circuit.failures() < settings.threshold())
          .isEqualTo(circuit.state() == State.CLOSED);
    }

    private void act(CircuitAction circuitAction) {
      if (circuitAction instanceof CircuitAction.Forward forward) {
        assertThat(nowNs - notBeforeNs).as("not before the backoff is over").isNotNegative();
        Attempt attempt = new Attempt(forward.id(), forward.attempt());
        present.put(forward.id(), forward.attempt());
        mailbox.add(attempt);
      } else if (circuitAction instanceof CircuitAction.TakeBack back) {
        if (isPresent(new Attempt(back.id(), back.attempt())) && !begunNs.containsKey(back.id())) {
          present.remove(back.id());
          circuit.takenBack(back.id(), back.attempt());
        }
      } else if (circuitAction instanceof CircuitAction.Expire expired) {
        Attempt attempt = new Attempt(expired.id(), expired.attempt());
        boolean begun = begunNs.containsKey(expired.id());
        assertThat(isPresent(attempt)).isTrue();
        forget(attempt);
        if (working.remove(attempt)) {
          late.add(attempt);
        }
        circuit.failed(expired.id(), expired.attempt(), new Exception("late"), begun, nowNs);
      } else if (circuitAction instanceof CircuitAction.Fallback) {
        assertThat(settings.fallback()).isTrue();
        assertThat(circuit.state()).isNotEqualTo(State.CLOSED);
        end(circuitAction.id(), End.FALLEN_BACK);
      } else if (circuitAction instanceof CircuitAction.GiveUp last) {
        assertThat(last.full() || last.attempts() == settings.attempts()).isTrue();
        end(circuitAction.id(), End.GIVEN_UP);
      }
    }

    /** Ends all faults, so that from now on all is well, also for one message more. */
    void heal() {
      down = false;
      calm = true;
      goOn();
      wake();
      settle();
      long unused = circuit.offered();
      offered++;
      settle();
      goOn();
    }

    private void goOn() {
      for (int i = 0; i < 100_000 && circuit.held() + circuit.underWay() > 0; i++) {
        begin();
        finish();
        if (mailbox.isEmpty() && working.isEmpty()) {
          wake();
        }
        settle();
      }
    }
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 1_000_000})
  void eachMessageHasOneEndInOrderWithinTheLimits(long first) {
    Map<End, Integer> seen = new TreeMap<>();
    for (long seed = first; seed < first + SEEDS; seed++) {
      World world = new World(seed);
      for (int i = 0; i < STEPS; i++) {
        world.step();
      }
      world.heal();
      assertThat(world.ends).as("seed %d: all have ended", seed).hasSize((int) world.offered);
      assertThat(world.circuit.state()).as("seed %d", seed).isEqualTo(State.CLOSED);
      if (world.oneByOne) {
        assertThat(world.handled).as("seed %d: in order", seed).isSorted();
      }
      world.ends.values().forEach(end -> seen.merge(end, 1, Integer::sum));
    }
    assertThat(seen).as("the world shows all that may happen").containsOnlyKeys(End.values());
    assertThat(seen.values()).allSatisfy(count -> assertThat(count).isGreaterThan(1_000));
  }
}
