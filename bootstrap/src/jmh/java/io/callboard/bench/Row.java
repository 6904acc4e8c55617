package io.callboard.bench;

import java.util.List;

/** Row of the table of numbers to beat; runs in a JVM of its own. */
interface Row {
  /** Returns the name of the row on the command line. */
  String name();

  /** Returns one line for {@code --list}. */
  String about();

  /** Measures; starts what it needs and ends it again. */
  List<Case> measure(Stage stage) throws Exception;

  /** Returns all rows, in the order in which they run. */
  static List<Row> all() {
    return List.of(
        new LocalTell(),
        new Spawn(),
        new LocalAsk(),
        new DurableMailbox(),
        new IdleLatency(),
        new SerialTurns(),
        new ClusteredTell(),
        new Persist(),
        new Replays(),
        new Failover(),
        new Capacity(),
        new ZonesApart(),
        new JobOverhead(),
        new JobThroughput(),
        new JobsPeer(),
        new JobLatency(),
        new WorkflowThroughput(),
        new SourceThroughput(),
        new SourceLag(),
        new DashboardCost());
  }
}
