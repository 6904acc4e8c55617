package io.callboard.chaos;

import com.fasterxml.jackson.databind.JsonNode;
import io.callboard.chaos.hosts.Await;
import io.callboard.codecs.Json;
import java.io.IOException;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;

/**
 * Load of jobs, submitted at any node. Each job takes locks of the operating system, one of its own
 * and one of as many as its type may run at once, so the kernel shows when there are more runs than
 * allowed.
 */
final class JobLoad implements Runnable {
  private static final String TYPE = "limited";
  private static final int LIMIT = 4;

  /** Number of simultaneous jobs, high enough for the limit to matter. */
  private static final int BURST = 6;

  private static final Duration PAUSE = Duration.ofMillis(2_500);

  /** Interval of jobs that outlive the session of a node that is cut off or frozen. */
  private static final int LONG_EVERY = 13;

  private static final String LONG_S = "7";
  private static final String SHORT_S = "0.3";
  private static final String JOBS = "/api/v1/jobs";

  private static final String SCRIPT =
      """
      echo "at $KEY $CALLBOARD_RUN_ID $PWD/" >> "$DIR/jobs.txt"
      exec 8> "$DIR/job-$KEY"
      flock -n 8 || echo "twice $KEY $CALLBOARD_RUN_ID" >> "$DIR/jobs.txt"
      i=1
      while [ $i -le $LIMIT ]; do
        exec 9> "$DIR/slot-$i"
        flock -n 9 && break
        i=$((i + 1))
      done
      [ $i -le $LIMIT ] || echo "over $KEY $CALLBOARD_RUN_ID" >> "$DIR/jobs.txt"
      sleep "$LASTS"
      echo "done $KEY $CALLBOARD_RUN_ID" >> "$DIR/jobs.txt"
      """;

  private final Cluster cluster;
  private final History history;
  private final Path directory;
  private final Random random;
  private final Map<String, String> accepted = new TreeMap<>();
  private volatile boolean ended;
  private int submitted;

  JobLoad(Cluster cluster, History history, Random random) throws IOException {
    this.cluster = cluster;
    this.history = history;
    this.random = random;
    this.directory = Files.createDirectories(cluster.directory().resolve("jobs"));
  }

  /** Sets the limit of the type before the first job. */
  void limit() throws Exception {
    Await.until(
        "the limit of a type",
        Duration.ofSeconds(30),
        () -> {
          var unused =
              Operators.bytes(
                  anyone().send("PUT", "/api/v1/types/" + TYPE, "{\"limit\":%d}".formatted(LIMIT)));
          return true;
        });
  }

  private Member anyone() {
    return cluster.members().get(random.nextInt(cluster.members().size()));
  }

  @Override
  public void run() {
    while (!ended) {
      for (int i = 0; i < BURST && !ended; i++) {
        submit(++submitted);
      }
      Await.pass(PAUSE);
    }
  }

  void end() {
    ended = true;
  }

  private void submit(int number) {
    String key = "k" + number;
    String lasts = number % LONG_EVERY == 0 ? LONG_S : SHORT_S;
    Map<String, Object> job =
        Map.of(
            "type", TYPE,
            "command", List.of("sh", "-c", SCRIPT),
            "env",
                Map.of(
                    "DIR",
                    directory.toString(),
                    "KEY",
                    key,
                    "LIMIT",
                    String.valueOf(LIMIT),
                    "LASTS",
                    lasts));
    Member at = anyone();
    try {
      HttpResponse<String> response = at.send("POST", JOBS, new String(Json.bytes(job), "UTF-8"));
      if (response.statusCode() == 201) {
        accept(key, Json.parse("job", Operators.bytes(response)).path("id").asText());
      } else {
        history.note("job refused", "key", key, "at", at.name(), "status", response.statusCode());
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (Exception e) {
      history.note("job unknown", "key", key, "at", at.name(), "why", e.toString());
    }
  }

  private synchronized void accept(String key, String id) {
    accepted.put(key, id);
    history.note("job", "key", key, "id", id);
  }

  synchronized Map<String, String> accepted() {
    return new TreeMap<>(accepted);
  }

  /** Returns the keys of the accepted jobs that have not succeeded, with their states. */
  Map<String, String> open(Member at) throws Exception {
    Map<String, String> open = new TreeMap<>(accepted());
    open.values().removeAll(new HashSet<>(in("SUCCEEDED", at)));
    return open;
  }

  /** Returns the ids of the jobs in that state. */
  List<String> in(String state, Member at) throws Exception {
    List<String> ids = new ArrayList<>();
    String cursor = "";
    do {
      String query = "?limit=200&state=" + state + (cursor.isEmpty() ? "" : "&cursor=" + cursor);
      JsonNode page = Json.parse("jobs", Operators.bytes(at.get(JOBS + query)));
      page.path("items").forEach(job -> ids.add(job.path("id").asText()));
      cursor = page.path("next").asText("");
    } while (!cursor.isEmpty() && !cursor.equals("null"));
    return ids;
  }

  /** Returns the lines of that kind which jobs wrote: {@code done}, {@code over}, {@code twice}. */
  List<String> said(String kind) throws IOException {
    return said(cluster.directory(), kind);
  }

  /**
   * Returns the lines of that kind which jobs wrote; {@code at}, too: where a run began.
   *
   * @param of directory of the run of this program
   */
  static List<String> said(Path of, String kind) throws IOException {
    Path file = of.resolve("jobs").resolve("jobs.txt");
    if (!Files.exists(file)) {
      return List.of();
    }
    try (var lines = Files.lines(file)) {
      return lines.filter(line -> line.startsWith(kind + " ")).toList();
    }
  }

  /** Runs that came to their end more than once. */
  List<String> doneTwice() throws IOException {
    Set<String> seen = new HashSet<>();
    return said("done").stream().filter(line -> !seen.add(line)).toList();
  }

  /** Returns the accepted jobs that are reported as succeeded but never came to their end. */
  List<String> neverDone() throws IOException {
    Set<String> done = new HashSet<>();
    said("done").forEach(line -> done.add(line.split(" ")[1]));
    return accepted().keySet().stream().filter(key -> !done.contains(key)).toList();
  }

  /** Returns the processes of jobs that are alive. */
  List<String> alive() {
    List<String> alive = new ArrayList<>();
    ProcessHandle.allProcesses()
        .filter(process -> isOfJob(process.pid()))
        .forEach(process -> alive.add("%d %s".formatted(process.pid(), process.info())));
    return alive;
  }

  private boolean isOfJob(long pid) {
    try {
      String environment = Files.readString(Path.of("/proc/%d/environ".formatted(pid)));
      return environment.contains("DIR=" + directory) && environment.contains("KEY=k");
    } catch (IOException | java.io.UncheckedIOException gone) {
      return false;
    }
  }
}
