package io.callboard.jobs.internal.index;

import static org.assertj.core.api.Assertions.assertThat;

import io.callboard.Callboard;
import io.callboard.jobs.DamagedStore;
import io.callboard.jobs.internal.actor.JobActor;
import io.callboard.jobs.internal.actor.Tombstone;
import io.callboard.testkit.Eventually;
import io.callboard.testkit.LogCapture;
import io.callboard.testkit.ManualTime;
import io.callboard.testkit.NodesExtension;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.slf4j.event.Level;

/** Removal of expired tombstones. */
class TombstoneSweepTest {
  private static final int JOBS = 5;

  @RegisterExtension final NodesExtension nodes = new NodesExtension();

  @Test
  void aJobThatTakesNoMessageKeepsNoOtherTombstone() {
    DamagedStore store = new DamagedStore();
    ManualTime time = new ManualTime(SampleJobs.NOW);
    Callboard node =
        nodes.open("h1", options -> options.time(time).store(() -> store.of(nodes.cell())));
    JobIndex index = new JobIndex(1);
    assertThat(index.gained(0, 1)).isTrue();
    Tombstone expired =
        new Tombstone(
            SampleJobs.NOW.minus(Duration.ofDays(40)),
            SampleJobs.NOW.minus(Duration.ofDays(39)),
            List.of(),
            null,
            null);
    List<String> paths = new ArrayList<>();
    for (int number = 0; number < JOBS; number++) {
      index.read(0, 1, SampleJobs.id(number), expired);
      paths.add(JobActor.path(SampleJobs.id(number)));
    }
    paths.sort(null); // the order of the sweep
    store.mailbox(paths.get(0));
    TombstoneSweep sweep = new TombstoneSweep(node, index, new IndexPeers(node, index));
    try (LogCapture log = LogCapture.of(TombstoneSweep.class)) {
      sweep.start();
      time.advance(TombstoneSweep.EVERY);
      log.expect(Level.INFO, "expired tombstones of jobs cannot be removed");
      Eventually.assertThat(() -> assertThat(store.told(paths)).isEqualTo(paths));
    }
    sweep.close();
  }
}
