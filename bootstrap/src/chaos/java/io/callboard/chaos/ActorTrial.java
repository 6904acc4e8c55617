package io.callboard.chaos;

import io.callboard.chaos.hosts.Progress;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/** Trial of everything: messages, a role, jobs; see {@link Driver} and {@link Judge}. */
final class ActorTrial implements Trial {
  private final Cluster cluster;
  private final Driver driver;

  ActorTrial(Cluster cluster, History history, long seed) throws Exception {
    this.cluster = cluster;
    this.driver = new Driver(cluster, history, seed);
  }

  @Override
  public void begin() throws Exception {
    driver.start();
    driver.awaitWork();
  }

  @Override
  public void judge(Verdict verdict) throws Exception {
    new Judge(cluster, driver, verdict).judge();
    Progress.say(
        "%d answers of the role, by %d holders in turn"
            .formatted(driver.questions().answered(), driver.questions().holders()));
  }

  @Override
  public long accepted() {
    return driver.accepted();
  }

  @Override
  public void judgeLogs(List<Path> servers, Verdict verdict) throws IOException {
    Complaints.judge(cluster, verdict);
    Complaints.judgeLateCalls(cluster, verdict);
    if (LogJudge.judge(LogJudge.ROOT, servers, verdict).blobs() == 0) {
      throw new IOException("the transaction log has no blob, though large orders were sent");
    }
  }

  @Override
  public void close() throws Exception {
    driver.close();
  }
}
