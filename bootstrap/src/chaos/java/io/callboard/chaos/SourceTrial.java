package io.callboard.chaos;

import com.fasterxml.jackson.databind.JsonNode;
import io.callboard.chaos.Verdict.Kind;
import io.callboard.chaos.hosts.Await;
import io.callboard.chaos.hosts.Progress;
import io.callboard.chaos.sources.SourceStage;
import io.callboard.codecs.Json;
import io.callboard.servers.RedisServer;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/** Trial of sources: the articles of a {@link SourceStage}, while the nodes that poll them die. */
final class SourceTrial implements Trial {
  private static final String API = "/api/v1";
  private static final Duration WORKS = Duration.ofSeconds(180);
  private static final Duration SETTLE = Duration.ofSeconds(180);

  private final Cluster cluster;
  private final SourceStage stage;
  private final Operators operators;

  SourceTrial(Cluster cluster, SourceStage stage) {
    this.cluster = cluster;
    this.stage = stage;
    this.operators = new Operators(cluster);
  }

  @Override
  public void begin() throws Exception {
    Await.until(
        "the definition is stored",
        WORKS,
        () ->
            Operators.bytes(
                        operators
                            .anyReady()
                            .send("PUT", API + SourceStage.DEFINITION, stage.definition()))
                    .length
                > 0);
    stage.begin();
    Await.until("an article of each source is in the index", WORKS, stage::works);
    if (stage.redis().isEmpty()) {
      Progress.say("redis-server is not installed: only the directory is a source");
    }
  }

  @Override
  public List<Fault> faults() {
    List<Fault> faults = new ArrayList<>();
    faults.add(new Fault("kill-poller", this::killPoller));
    faults.add(new Fault("kill-all", this::killAll));
    stage.redis().ifPresent(server -> faults.add(new Fault("kill-redis", on -> kill(server, on))));
    return faults;
  }

  /** Kills the node that polls a source. */
  private String killPoller(Random random) throws Exception {
    String source = stage.sources().get(random.nextInt(stage.sources().size()));
    Await.until("a poller of " + source, WORKS, () -> !poller(source).isEmpty());
    Member member = cluster.member(poller(source));
    member.kill();
    Await.pass(NodeFaults.between(random, 0, 3_000));
    NodeFaults.begin(member);
    return "%s, which polled %s".formatted(member.name(), source);
  }

  private String poller(String source) throws Exception {
    return source(source).path("node").asText("");
  }

  private JsonNode source(String name) throws Exception {
    byte[] answer = Operators.bytes(operators.anyReady().get(API + "/sources/" + name));
    return Json.parse("source", answer);
  }

  private String killAll(Random random) throws Exception {
    for (Member member : cluster.members()) {
      member.kill();
      Await.pass(NodeFaults.between(random, 0, 300));
    }
    for (Member member : cluster.members()) {
      member.start();
    }
    cluster.awaitReady();
    return "all nodes";
  }

  private static String kill(RedisServer server, Random random) throws Exception {
    server.kill();
    Await.pass(NodeFaults.between(random, 0, 3_000));
    server.restart();
    return "redis-server";
  }

  @Override
  public void judge(Verdict verdict) throws Exception {
    stage.end();
    boolean settled = Await.holds(SETTLE, stage::isEmpty);
    for (String source : stage.sources()) {
      JsonNode view = source(source);
      Progress.say(
          "%s: %s, totals %s%s"
              .formatted(
                  source,
                  view.path("status").asText(),
                  view.path("totals"),
                  settled ? "" : ", " + view));
    }
    stage
        .judge(Progress::say)
        .forEach(finding -> verdict.found(Kind.valueOf(finding.kind().name()), 1, finding.what()));
  }

  @Override
  public long accepted() {
    return stage.accepted();
  }

  @Override
  public void judgeLogs(List<Path> servers, Verdict verdict) throws IOException {
    Complaints.judge(cluster, verdict);
    var unused = LogJudge.judge(LogJudge.ROOT, servers, verdict);
  }

  @Override
  public void close() throws Exception {
    stage.end();
  }
}
