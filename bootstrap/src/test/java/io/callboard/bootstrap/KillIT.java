package io.callboard.bootstrap;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.callboard.codecs.Json;
import java.io.IOException;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Many real jobs from eight clients while the node is killed with SIGKILL and started again. What
 * the jobs did is judged by what they wrote themselves. The long form: {@code -Dchaos.jobs=2000
 * -Dchaos.kills=3}.
 */
class KillIT {
  private static final int CLIENTS = 8;
  private static final int LIMIT = 10;
  private static final long RECOVERY_NS = TimeUnit.MINUTES.toNanos(4);
  private static final long NO_NODE_STARTS_SOONER_NS = TimeUnit.MILLISECONDS.toNanos(100);

  private final AtomicReference<LaunchedNode> node = new AtomicReference<>();
  private final Map<String, String> submitted = new ConcurrentHashMap<>();
  private final AtomicInteger next = new AtomicInteger();
  private int jobs;

  /** Run as it recorded itself; the end is 0 if it was killed. */
  private record Ran(String job, int run, long startNs, long endNs) {}

  @Test
  void nothingIsLostAndTheLimitHoldsThroughAKill() throws Exception {
    nothingIsLost(60, 1);
  }

  @Test
  @Tag("long")
  void nothingIsLostAndTheLimitHoldsThroughKills() throws Exception {
    nothingIsLost(Integer.getInteger("chaos.jobs", 240), Integer.getInteger("chaos.kills", 2));
  }

  private void nothingIsLost(int jobs, int kills) throws Exception {
    this.jobs = jobs;
    Path directory = LaunchedNode.directory("kill").toAbsolutePath();
    Path marks = Files.createDirectories(directory.resolve("marks"));
    Path data = directory.resolve("data");
    ExecutorService clients = Executors.newFixedThreadPool(CLIENTS);
    List<Long> recoveriesMs = new ArrayList<>();
    List<Long> killsNs = new ArrayList<>();
    long begun = System.nanoTime();
    node.set(LaunchedNode.start(data));
    try {
      limit();
      for (int i = 0; i < CLIENTS; i++) {
        clients.execute(() -> submitAll(marks));
      }
      for (int kill = 1; kill <= kills; kill++) {
        awaitEnded(jobs * kill / (kills + 1));
        recoveriesMs.add(killAndRestart(data, killsNs));
        assertThat(strays(data)).as("processes of the boot before").isEmpty();
      }
      clients.shutdown();
      assertThat(clients.awaitTermination(5, TimeUnit.MINUTES)).isTrue();
      awaitEnded(jobs);
      long tookMs = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - begun);
      judge(marks, killsNs, recoveriesMs, tookMs);
    } finally {
      clients.shutdownNow();
      node.get().close();
    }
  }

  private static long wallNs() {
    return TimeUnit.MILLISECONDS.toNanos(System.currentTimeMillis());
  }

  private void limit() throws Exception {
    String type = "{\"runner\":\"process\",\"limit\":%d}".formatted(LIMIT);
    assertThat(node.get().send("PUT", "/api/v1/types/process", type).statusCode()).isEqualTo(200);
  }

  /** Submits until all are; each with a key, so that a request repeated after a kill is one job. */
  private void submitAll(Path marks) {
    for (int i = next.incrementAndGet(); i <= jobs; i = next.incrementAndGet()) {
      String key = "job-" + i + "-" + UUID.randomUUID();
      while (!submit(key, i, marks)) {
        LaunchedNode.pause();
      }
    }
  }

  private boolean submit(String key, int number, Path marks) {
    String work =
        "head -c 400000 %s | %s"
            .formatted(LaunchedNode.jar(), number % 2 == 0 ? "sha256sum" : "gzip -c | wc -c");
    String script =
        "m=%s/$CALLBOARD_JOB_ID.$CALLBOARD_RUN_ID; echo $(date +%%s%%N) > $m; %s && echo $(date +%%s%%N) >> $m"
            .formatted(marks, work);
    String body =
        new String(
            Json.bytes(Map.of("type", "process", "command", List.of("sh", "-c", script))),
            StandardCharsets.UTF_8);
    try {
      HttpResponse<String> response =
          node.get().send("POST", "/api/v1/jobs", body, "Idempotency-Key", key);
      if (response.statusCode() == 201 || response.statusCode() == 200) {
        submitted.put(key, json(response.body()).path("id").asText());
        return true;
      }
      assertThat(response.statusCode()).as(response.body()).isIn(429, 503);
      return false;
    } catch (IOException e) {
      return false; // killed meanwhile: the outcome is unknown, the key makes asking again safe
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return true;
    }
  }

  private static JsonNode json(String text) {
    return Json.parse("the answer", text.getBytes(StandardCharsets.UTF_8));
  }

  private JsonNode stats() throws Exception {
    return json(node.get().get("/api/v1/stats").body());
  }

  private static int ended(JsonNode stats) {
    JsonNode states = stats.path("jobs").path("byState");
    return states.path("SUCCEEDED").asInt() + states.path("DEAD").asInt();
  }

  private void awaitEnded(int count) throws Exception {
    long deadline = System.nanoTime() + TimeUnit.MINUTES.toNanos(8);
    while (true) {
      JsonNode now = stats();
      if (ended(now) >= count) {
        return;
      }
      if (System.nanoTime() > deadline) {
        throw new AssertionError("not %d jobs ended: %s".formatted(count, now.path("jobs")));
      }
      LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(250)); // a look costs the node something
    }
  }

  /**
   * Kills and restarts the node; returns the time in ms from the kill until a job that was running
   * or waiting ends again, or all have ended while it started.
   */
  private long killAndRestart(Path data, List<Long> killsNs) throws Exception {
    long killed = System.nanoTime();
    node.get().kill();
    killsNs.add(wallNs());
    node.set(LaunchedNode.start(data));
    int before = stats().path("rate").path("ended").asInt();
    JsonNode now = stats();
    while (now.path("rate").path("ended").asInt() <= before && ended(now) < jobs) {
      assertThat(System.nanoTime() - killed).as("a job ends").isLessThan(RECOVERY_NS);
      LaunchedNode.pause();
      now = stats();
    }
    return TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - killed);
  }

  /** Processes that bear this home and are not of the boot that runs now. */
  private List<String> strays(Path data) throws Exception {
    String home = "CALLBOARD_HOME_ID=" + Files.readString(data.resolve("home-id")).strip();
    String boot =
        "CALLBOARD_BOOT_ID="
            + json(node.get().get("/api/v1/stats").body()).path("node").path("bootId").asText();
    List<String> strays = new ArrayList<>();
    for (ProcessHandle process : ProcessHandle.allProcesses().toList()) {
      Path environ = Path.of("/proc", String.valueOf(process.pid()), "environ");
      try {
        String text = Files.readString(environ, StandardCharsets.ISO_8859_1);
        if (text.contains(home) && !text.contains(boot)) {
          strays.add(process.pid() + " " + process.info().commandLine().orElse("?"));
        }
      } catch (IOException gone) {
        continue; // it ended while it was looked at
      }
    }
    return strays;
  }

  private void judge(Path marks, List<Long> killsNs, List<Long> recoveriesMs, long tookMs)
      throws Exception {
    List<Ran> runs = runs(marks);
    Map<String, Integer> finished = new HashMap<>();
    for (Ran run : runs) {
      if (run.endNs() > 0) {
        finished.merge(run.job(), 1, Integer::sum);
      }
    }
    assertThat(submitted).hasSize(jobs);
    assertThat(submitted.values()).as("one job a key").doesNotHaveDuplicates();
    assertThat(finished.keySet()).as("every job did its work").containsAll(submitted.values());
    int again = 0;
    for (String id : submitted.values()) {
      JsonNode job = json(node.get().get("/api/v1/jobs/" + id).body());
      assertThat(job.path("state").asText()).as(job.toString()).isEqualTo("SUCCEEDED");
      again += job.path("runs").size() > 1 ? 1 : 0;
    }
    int most = mostAtOnce(runs, killsNs);
    long twice = finished.values().stream().filter(times -> times > 1).count();
    System.out.printf(
        "%d jobs, %d kills: %d have a lost run, %d did their work twice; most at once"
            + " %d; recovery ms %s; %.1f jobs/s; %s%n",
        jobs, killsNs.size(), again, twice, most, recoveriesMs, jobs * 1000.0 / tookMs, memory());
    assertThat(node.get().output().lines()).as("the ready line, nothing else").hasSize(1);
    assertThat(most).isLessThanOrEqualTo(LIMIT);
    assertThat(again).isLessThanOrEqualTo(killsNs.size() * LIMIT);
  }

  private String memory() throws IOException {
    return Files.readAllLines(Path.of("/proc", String.valueOf(node.get().pid()), "status")).stream()
        .filter(line -> line.startsWith("VmRSS"))
        .findFirst()
        .orElse("unknown");
  }

  private static List<Ran> runs(Path marks) throws IOException {
    List<Ran> runs = new ArrayList<>();
    try (Stream<Path> files = Files.list(marks)) {
      for (Path file : files.toList()) {
        String name = file.getFileName().toString();
        List<String> lines = Files.readAllLines(file);
        if (!lines.isEmpty()) {
          int dot = name.lastIndexOf('.');
          runs.add(
              new Ran(
                  name.substring(0, dot),
                  Integer.parseInt(name.substring(dot + 1)),
                  Long.parseLong(lines.get(0)),
                  lines.size() > 1 ? Long.parseLong(lines.get(1)) : 0));
        }
      }
    }
    return runs;
  }

  /**
   * The most runs at one moment; a run without an end lived until the kill that followed its start.
   * One that starts while its node is killed may write that down a moment after the kill.
   */
  private static int mostAtOnce(List<Ran> runs, List<Long> killsNs) {
    TreeMap<Long, Integer> changes = new TreeMap<>();
    for (Ran run : runs) {
      long end =
          run.endNs() > 0
              ? run.endNs()
              : killsNs.stream()
                  .filter(kill -> kill + NO_NODE_STARTS_SOONER_NS >= run.startNs())
                  .findFirst()
                  .map(kill -> Math.max(kill, run.startNs()))
                  .orElse(run.startNs());
      changes.merge(run.startNs(), 1, Integer::sum);
      changes.merge(end, -1, Integer::sum);
    }
    int now = 0;
    int most = 0;
    for (int change : changes.values()) {
      now += change;
      most = Math.max(most, now);
    }
    return most;
  }
}
