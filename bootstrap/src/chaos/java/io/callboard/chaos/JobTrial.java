package io.callboard.chaos;

import com.fasterxml.jackson.databind.JsonNode;
import io.callboard.chaos.Verdict.Kind;
import io.callboard.chaos.evidence.Sightings;
import io.callboard.chaos.hosts.Await;
import io.callboard.chaos.hosts.Progress;
import io.callboard.chaos.runs.JobOutcome;
import io.callboard.chaos.runs.RunJudge;
import io.callboard.chaos.runs.RunLine;
import io.callboard.codecs.Json;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** Trial of the job scheduler: a {@link JobStorm}, judged by {@link RunJudge}. */
final class JobTrial implements Trial {
  private static final Duration WORKS = Duration.ofSeconds(180);
  private static final Duration SETTLE = Duration.ofSeconds(180);

  private final Cluster cluster;
  private final JobStorm storm;
  private final Sightings sightings;
  private final Thread submitter;
  private final Thread observer;

  JobTrial(Cluster cluster, History history, long seed) throws IOException {
    this.cluster = cluster;
    this.storm = new JobStorm(cluster, history, new Random(seed));
    this.sightings = new Sightings(storm.directory());
    this.submitter = thread(storm, "jobs");
    this.observer = thread(sightings, "sightings");
  }

  private static Thread thread(Runnable work, String name) {
    Thread thread = new Thread(work, name);
    thread.setDaemon(true);
    return thread;
  }

  @Override
  public void begin() throws Exception {
    storm.limit();
    observer.start();
    submitter.start();
    Await.until("a job is done", WORKS, () -> done() > 0);
  }

  private int done() throws IOException {
    return JobLoad.said(cluster.directory(), "done").size();
  }

  @Override
  public void judge(Verdict verdict) throws Exception {
    settle(verdict, Kind.STUCK, "nodes that are not ready", this::notReady);
    int before = done();
    settle(
        verdict,
        Kind.STUCK,
        "jobs that are not run any more",
        () -> done() > before ? List.of() : List.of("all"));
    storm.end();
    submitter.join();
    Operators operators = new Operators(cluster);
    Await.until(
        "the held jobs are released",
        SETTLE,
        () -> {
          storm.release(operators.anyReady());
          return true;
        });
    settle(verdict, Kind.STUCK, "jobs that have not ended", () -> storm.open(operators.anyReady()));
    settle(verdict, Kind.ORPHANS, "processes of runs that have ended", sightings::alive);
    settle(
        verdict,
        Kind.STUCK,
        "slots that are taken though nothing runs",
        () -> taken(operators.anyReady()));
    sightings.end();
    observer.join();
    judge(storm.outcomes(operators.anyReady()), verdict);
  }

  private void judge(List<JobOutcome> outcomes, Verdict verdict) throws IOException {
    List<RunLine> lines = lines();
    RunJudge.judge(JobStorm.limits(), lines, sightings.seen(), outcomes)
        .forEach(finding -> verdict.found(Kind.valueOf(finding.kind().name()), 1, finding.what()));
    Progress.say(
        "%d runs of %d jobs, which ended %s; %d sightings in /proc"
            .formatted(
                lines.stream().filter(line -> line.what().equals("at")).count(),
                outcomes.size(),
                ends(outcomes),
                sightings.seen().size()));
  }

  /** Returns the hosts with slots that are taken, as the gate counts them. */
  private static List<String> taken(Member at) throws Exception {
    List<String> taken = new ArrayList<>();
    byte[] answer = Operators.bytes(at.get("/api/v1/hosts"));
    for (JsonNode host : Json.parse("hosts", answer).path("items")) {
      if (host.path("used").asInt() > 0) {
        taken.add("%s %s".formatted(host.path("name").asText(), host.path("used")));
      }
    }
    return taken;
  }

  private static Map<String, Long> ends(List<JobOutcome> outcomes) {
    return outcomes.stream()
        .collect(
            Collectors.groupingBy(
                job -> String.valueOf(job.state()), TreeMap::new, Collectors.counting()));
  }

  private List<RunLine> lines() throws IOException {
    try (var lines = Files.lines(storm.directory().resolve("jobs.txt"))) {
      return lines.flatMap(line -> RunLine.parse(line).stream()).toList();
    }
  }

  private interface Left {
    List<String> now() throws Exception;
  }

  private static void settle(Verdict verdict, Kind kind, String what, Left left) throws Exception {
    if (!Await.holds(SETTLE, () -> left.now().isEmpty())) {
      List<String> now = left.now();
      verdict.found(kind, now.size(), "%s: %s".formatted(what, now));
    }
  }

  private List<String> notReady() {
    return cluster.members().stream()
        .filter(member -> !Await.holds(Duration.ZERO, member::isReady))
        .map(Member::name)
        .toList();
  }

  @Override
  public long accepted() {
    return storm.accepted();
  }

  @Override
  public void judgeLogs(List<Path> servers, Verdict verdict) throws IOException {
    Complaints.judge(cluster, verdict);
    var unused = LogJudge.judge(LogJudge.ROOT, servers, verdict);
  }

  @Override
  public void close() {
    storm.end();
    sightings.end();
  }
}
