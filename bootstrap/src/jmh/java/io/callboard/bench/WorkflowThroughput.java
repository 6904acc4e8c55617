package io.callboard.bench;

import io.callboard.testkit.PostgresServer;
import java.util.ArrayList;
import java.util.List;

/**
 * Row of workflows of ten steps that do nothing, beside plain Pekko and dependent rows of
 * db-scheduler, both on PostgreSQL: the same number of instances, from the first begin until the
 * end of the last is durable. PostgreSQL flushes each commit to the disk, as ZooKeeper does.
 */
final class WorkflowThroughput implements Row {
  private static final String OURS = "callboard";
  private static final String PEKKO = "Pekko, PostgreSQL";
  private static final String DB_SCHEDULER = "db-scheduler, PostgreSQL";
  private static final int INSTANCES = 10_000;
  private static final int QUICK_INSTANCES = 2_000;

  /** db-scheduler is slow enough for fewer to show its rate. */
  private static final int FEWER = 4;

  @Override
  public String name() {
    return "workflow-throughput";
  }

  @Override
  public String about() {
    return "instances/s of 10 no-op steps; peers: Pekko and db-scheduler on PostgreSQL, full fsync";
  }

  @Override
  public List<Case> measure(Stage stage) throws Exception {
    int count = stage.quick() ? QUICK_INSTANCES : INSTANCES;
    List<String> peers = new ArrayList<>();
    try (Servers server = Servers.here(stage);
        WorkflowRunner ours = new OurWorkflows(stage, server.connectString());
        PostgresServer database = PostgresServer.isInstalled() ? PostgresServer.start(true) : null;
        WorkflowRunner pekko =
            database == null ? null : new PekkoWorkflows(database.schema("pekko"));
        WorkflowRunner dbScheduler =
            database == null ? null : new DbSchedulerWorkflows(database.schema("dbscheduler"))) {
      Rounds rounds = new Rounds(stage).with(OURS, warmup -> new double[] {ours.run(count)});
      if (pekko == null || dbScheduler == null) {
        System.err.println("workflow-throughput: PostgreSQL is not installed here, so no peer");
      } else {
        rounds.with(PEKKO, warmup -> new double[] {pekko.run(count)});
        rounds.with(DB_SCHEDULER, warmup -> new double[] {dbScheduler.run(count / FEWER)});
        peers.addAll(List.of(PEKKO, DB_SCHEDULER));
      }
      rounds.play();
      return List.of(
          rounds.rates("instances from begin to durable end", "instances/s", OURS, peers));
    }
  }
}
