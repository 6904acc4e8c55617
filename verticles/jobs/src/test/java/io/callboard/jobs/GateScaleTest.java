package io.callboard.jobs;

import static org.assertj.core.api.Assertions.assertThat;

import io.callboard.jobs.internal.gate.BlockedReasons;
import io.callboard.jobs.internal.gate.GateMachine;
import io.callboard.jobs.internal.gate.GateState;
import io.callboard.jobs.internal.gate.GateStep;
import io.callboard.jobs.internal.gate.HostView;
import io.callboard.jobs.internal.protocol.GateEvent;
import io.callboard.jobs.internal.protocol.WaitingRun;
import io.callboard.jobs.model.JobType;
import io.callboard.jobs.model.RetryPolicy;
import java.time.Duration;
import java.time.Instant;
import java.util.AbstractMap;
import java.util.AbstractSet;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.ToLongFunction;
import org.junit.jupiter.api.Test;
import org.pcollections.HashTreePMap;
import org.pcollections.PMap;

/**
 * Test of the cost of one message to the gate in a large cell, where it handles hundreds of them a
 * second: how many rows of its state, waiting runs and handles, it looks at.
 */
class GateScaleTest {
  private static final Instant NOW = Instant.parse("2026-11-24T12:00:00Z");
  private static final int SLOTS = 10;
  private static final int JOBS = 10_000;

  /** Grants that leave runs in all lanes, also in a cell of a tenth of the size. */
  private static final int MANY = 50;

  /** Looks for one grant: at the first run of each lane, of which there are ten. */
  private static final int LANES = 10;

  /** Persistent map that counts the entries which are looked at. */
  private static final class Counted<V> extends AbstractMap<String, V> implements PMap<String, V> {
    private final PMap<String, V> map;
    private final AtomicLong looks;

    Counted(PMap<String, V> map, AtomicLong looks) {
      this.map = map;
      this.looks = looks;
    }

    @Override
    public Set<Entry<String, V>> entrySet() {
      return new AbstractSet<>() {
        @Override
        public Iterator<Entry<String, V>> iterator() {
          Iterator<Entry<String, V>> entries = map.entrySet().iterator();
          return new Iterator<>() {
            @Override
            public boolean hasNext() {
              return entries.hasNext();
            }

            @Override
            public Entry<String, V> next() {
              looks.incrementAndGet();
              return entries.next();
            }
          };
        }

        @Override
        public int size() {
          return map.size();
        }
      };
    }

    @Override
    public V get(Object key) {
      looks.incrementAndGet();
      return map.get(key);
    }

    @Override
    public boolean containsKey(Object key) {
      looks.incrementAndGet();
      return map.containsKey(key);
    }

    @Override
    public Counted<V> plus(String key, V value) {
      return new Counted<>(map.plus(key, value), looks);
    }

    @Override
    public Counted<V> plusAll(Map<? extends String, ? extends V> others) {
      return new Counted<>(map.plusAll(others), looks);
    }

    @Override
    public Counted<V> minus(Object key) {
      return new Counted<>(map.minus(key), looks);
    }

    @Override
    public Counted<V> minusAll(Collection<?> keys) {
      return new Counted<>(map.minusAll(keys), looks);
    }
  }

  /** Gate of a cell. */
  private static final class Cell {
    private final GateMachine machine = new GateMachine();
    private final AtomicLong looks = new AtomicLong();
    private GateState state;

    /**
     * Fills the gate: some jobs wait, and as many runs take all slots of the hosts but {@code
     * free}.
     */
    Cell(int jobs, int free) {
      int hosts = jobs / SLOTS;
      Map<String, WaitingRun> waiting = new HashMap<>();
      Map<String, GateState.Handle> handles = new HashMap<>();
      Map<String, Set<String>> runs = new HashMap<>();
      for (int i = 0; i < jobs; i++) {
        Instant at = NOW.minus(Duration.ofSeconds(i % 600));
        waiting.put(
            "w" + i,
            new WaitingRun(1, "process", i % LANES, at, null, null, i, Map.of(), Map.of()));
        if (i >= free) {
          String host = "h" + i % hosts;
          handles.put(
              "r" + i, new GateState.Handle(1, "process", host, "b", NOW, i, 0, null, null, null));
          runs.computeIfAbsent(host, h -> new HashSet<>()).add("r" + i + "/1");
        }
      }
      JobType type = new JobType("process", "process", 100_000, false, RetryPolicy.ONCE);
      state =
          new GateState(
              Map.of("process", type),
              new Counted<>(HashTreePMap.from(waiting), looks),
              new Counted<>(HashTreePMap.from(handles), looks),
              jobs,
              jobs);
      List<String> members = new ArrayList<>();
      for (int i = 0; i < hosts; i++) {
        members.add("h" + i + "/b");
      }
      machine.members(state, members, List.of(), 0);
      for (int i = 0; i < hosts; i++) {
        String host = "h" + i;
        boolean member =
            machine.report(
                state,
                new HostView(
                    host,
                    "b",
                    0,
                    1,
                    SLOTS,
                    runs.getOrDefault(host, Set.of()),
                    null,
                    0,
                    Set.of(),
                    Map.of(),
                    null,
                    Map.of()));
        assertThat(member).isTrue();
      }
      assertThat(grants()).as("the index is built").hasSize(free);
    }

    List<GateStep> grants() {
      return machine.grants(state, NOW, 0);
    }

    /** Returns how many rows a message looks at. */
    long looks(Runnable message) {
      long before = looks.get();
      message.run();
      return looks.get() - before;
    }

    void happened(GateEvent event) {
      GateState before = state;
      state = state.apply(event);
      machine.apply(before, event, state);
    }
  }

  /** Asserts that a message looks at some rows, and at no more in a cell of ten times the size. */
  private static void isTheSameHoweverMuchWaits(long most, int free, ToLongFunction<Cell> looks) {
    assertThat(looks.applyAsLong(new Cell(JOBS, free)))
        .isBetween(1L, most)
        .isEqualTo(looks.applyAsLong(new Cell(JOBS / 10, free)));
  }

  @Test
  void grantsOfAFullCellLookAtNoRow() {
    Cell cell = new Cell(JOBS, 0);
    assertThat(cell.looks(() -> assertThat(cell.grants()).isEmpty())).isZero();
  }

  @Test
  void aTurnOfAFullCellLooksAtEachHandleTwice() {
    Cell cell = new Cell(JOBS, 0);
    assertThat(cell.looks(() -> assertThat(cell.machine.giveUp(cell.state, NOW, 0)).isEmpty()))
        .isBetween(1L, 2L * JOBS);
  }

  @Test
  void theReasonsOfAJobLookAtEachRowThatWaitsOnce() {
    Cell cell = new Cell(JOBS, 0);
    assertThat(
            cell.looks(
                () ->
                    assertThat(
                            BlockedReasons.reasons(cell.state, cell.machine, "w77", null, NOW, 0))
                        .hasSize(1)))
        .isBetween(1L, JOBS + 10L);
  }

  @Test
  void aGrantOfTheOnlyFreeSlotCostsTheSameHoweverMuchWaits() {
    isTheSameHoweverMuchWaits(
        LANES + 10, 1, cell -> cell.looks(() -> assertThat(cell.grants()).hasSize(1)));
  }

  @Test
  void manyGrantsCostTheSameHoweverMuchWaits() {
    isTheSameHoweverMuchWaits(
        LANES + 2L * MANY, MANY, cell -> cell.looks(() -> assertThat(cell.grants()).hasSize(MANY)));
  }

  @Test
  void anEndedRunAndTheNextGrantCostTheSameHoweverMuchWaits() {
    isTheSameHoweverMuchWaits(
        (LANES + 15L) * MANY,
        0,
        cell ->
            cell.looks(
                () -> {
                  for (int i = 0; i < MANY; i++) {
                    cell.happened(new GateEvent.Released("r" + i, 1));
                    List<GateStep> grants = cell.grants();
                    assertThat(grants).hasSize(1);
                    cell.happened(((GateStep.Grant) grants.get(0)).event());
                  }
                }));
  }
}
