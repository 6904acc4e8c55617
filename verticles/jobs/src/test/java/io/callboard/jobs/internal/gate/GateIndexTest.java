package io.callboard.jobs.internal.gate;

import static org.assertj.core.api.Assertions.assertThat;

import io.callboard.jobs.internal.protocol.BacklogStock;
import io.callboard.jobs.internal.protocol.GateEvent;
import io.callboard.jobs.internal.protocol.WaitingRun;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** An index that follows events, compared after each with one that is built of the state. */
class GateIndexTest {
  private static final Instant EPOCH = Instant.parse("2026-11-27T00:00:00Z");
  private static final List<String> TYPES = List.of("a", "b");
  private static final Map<String, String> GPU = Map.of("gpu", "yes");
  private static final int SEEDS = 100;
  private static final int EVENTS = 200;
  private static final int JOBS = 30;
  private static final BacklogStock STOCK =
      new BacklogStock(
          Collections.nCopies(BacklogStock.PRIORITIES, 0),
          Collections.nCopies(BacklogStock.PRIORITIES, 0L));

  private final GateIndex index = new GateIndex();
  private SplittableRandom random = new SplittableRandom(0);
  private GateState state = GateState.empty();
  private Instant now = EPOCH;
  private long number;
  private int returned;

  private void happened(GateEvent event) {
    GateState before = state;
    state = state.apply(event);
    index.apply(before, event, state);
  }

  private String anyJob() {
    return "j" + random.nextInt(JOBS);
  }

  private @Nullable Instant sometimes(int seconds) {
    return random.nextInt(4) == 0 ? now.plusSeconds(random.nextInt(seconds)) : null;
  }

  private GateEvent next() {
    String job = anyJob();
    String type = TYPES.get(random.nextInt(2));
    return switch (random.nextInt(6)) {
      case 0 -> new GateEvent.Withdrawn(job);
      case 1 -> new GateEvent.Released(job, 1);
      case 2, 3 -> returned(type);
      case 4 -> {
        WaitingRun waiting = state.waiting().get(job);
        yield waiting == null
            ? new GateEvent.Pulled(type)
            : new GateEvent.Granted(job, 1, waiting.type(), "h" + random.nextInt(3), "b", now, 0);
      }
      default ->
          new GateEvent.Enqueued(
              job,
              1,
              type,
              random.nextInt(3),
              now,
              sometimes(20),
              sometimes(100),
              Map.of("customer", "c" + random.nextInt(2)),
              random.nextInt(3) == 0 ? GPU : null);
    };
  }

  /** Some of the runs wait at the gate already, and of some a run is under way. */
  private GateEvent returned(String type) {
    Map<String, WaitingRun> runs = new HashMap<>();
    for (int i = random.nextInt(5); i >= 0; i--) {
      number++;
      runs.put(
          anyJob(),
          new WaitingRun(
              1,
              type,
              random.nextInt(3),
              now,
              sometimes(20),
              sometimes(100),
              1_000_000 + number,
              Map.of("customer", "c" + random.nextInt(2)),
              random.nextInt(3) == 0 ? GPU : Map.of()));
    }
    returned += runs.size();
    return new GateEvent.Returned(type, runs, STOCK);
  }

  /** Compares without {@link GateIndex#sync}, which would build the one that has not followed. */
  private void isThatOfTheState(String event) {
    GateIndex built = new GateIndex();
    built.sync(state);
    built.becomeDue(now);
    index.becomeDue(now);
    assertThat(what(index)).as(event).isEqualTo(what(built));
  }

  private List<Object> what(GateIndex one) {
    List<Object> all = new ArrayList<>();
    all.add(Map.copyOf(one.lanes()));
    all.add(one.expired(now.plusSeconds(1_000), Integer.MAX_VALUE));
    for (String type : TYPES) {
      all.add(one.counts().ofType(type));
      for (int priority = 0; priority < 3; priority++) {
        all.add(one.waiting(type, priority));
        all.add(Map.copyOf(one.due(type, priority)));
        all.add(one.startable(type, priority, 7, lane -> Optional.of(lane.limits())));
        all.add(one.startable(type, priority, 7, lane -> Optional.of(lane.labels())));
        all.add(
            one.startable(
                type, priority, 7, lane -> Optional.of(lane.labels()).filter(List::isEmpty)));
      }
    }
    for (int host = 0; host < 3; host++) {
      all.add(one.on("h" + host));
    }
    all.add(one.counts().ofLimit("customer=c1"));
    return all;
  }

  private void play(long seed) {
    random = new SplittableRandom(seed);
    happened(new GateEvent.LimitPut("customer=c1", 5));
    index.sync(state);
    for (int i = 0; i < EVENTS; i++) {
      now = now.plusMillis(random.nextInt(1_000));
      GateEvent event = next();
      happened(event);
      isThatOfTheState("seed %d, event %d: %s".formatted(seed, i, event));
    }
  }

  private void waits(String job, Map<String, String> requires) {
    happened(
        new GateEvent.Enqueued(
            job, 1, "a", 0, now, null, null, Map.of("customer", "c1"), requires));
  }

  /** What a limit counts is one lane, whatever it requires, unless that counts it, too. */
  @Test
  void theRoomOfALimitIsCountedOnceForAllItsLanes() {
    happened(new GateEvent.LimitPut("customer=c1", 2));
    for (int i = 0; i < 4; i++) {
      waits("j" + i, Map.of("rack", "r" + i));
    }
    index.sync(state);
    assertThat(index.due("a", 0)).hasSize(4);
    assertThat(index.startable("a", 0, 9, lane -> Optional.of(lane.labels()))).isEqualTo(2);
    assertThat(index.startable("a", 0, 9, lane -> Optional.of(lane.limits()))).isEqualTo(4);
    assertThat(index.startable("a", 0, 3, lane -> Optional.of(lane.limits()))).isEqualTo(3);
    assertThat(index.startable("a", 0, 9, lane -> Optional.empty())).isZero();
  }

  @Test
  void anIndexThatFollowsEventsEqualsARebuiltOne() {
    int all = 0;
    for (long seed = 0; seed < SEEDS; seed++) {
      GateIndexTest world = new GateIndexTest();
      world.play(seed);
      all += world.returned;
    }
    assertThat(all).as("runs that came from backlogs").isGreaterThan(SEEDS * EVENTS / 4);
  }
}
