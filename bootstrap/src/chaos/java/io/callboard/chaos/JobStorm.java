package io.callboard.chaos;

import com.fasterxml.jackson.databind.JsonNode;
import io.callboard.chaos.hosts.Await;
import io.callboard.chaos.runs.JobKind;
import io.callboard.chaos.runs.JobOutcome;
import io.callboard.chaos.runs.RunLimits;
import io.callboard.codecs.Json;
import java.io.IOException;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Load of jobs of several types with limits of types, shares and labels, submitted at any node with
 * random priorities; some are held and released, some cancelled. A submission without an answer is
 * repeated under its key at another node until there is one, so it is known of each whether it was
 * accepted.
 */
final class JobStorm implements Runnable {
  private static final String API = "/api/v1";
  private static final String JOBS = API + "/jobs";

  private static final Map<String, Integer> TYPES = Map.of("red", 3, "green", 5, "blue", 4);
  private static final Map<String, Double> SHARES = Map.of("green", 0.5, "blue", 0.25);
  private static final Map<String, Integer> LABELS =
      Map.of("partner=acme", 4, "partner=zeta", 2, "partner=open", 20);

  private static final Duration PAUSE = Duration.ofMillis(500);
  private static final Duration SUBMITTED_WITHIN = Duration.ofSeconds(90);
  private static final int BURST = 2;
  private static final List<JobKind> MIX =
      List.of(
          JobKind.SHORT,
          JobKind.SHORT,
          JobKind.SHORT,
          JobKind.SHORT,
          JobKind.LONG,
          JobKind.FLAKY,
          JobKind.FAILING,
          JobKind.OVERTIME,
          JobKind.FAMILY,
          JobKind.STUBBORN);

  private final Cluster cluster;
  private final History history;
  private final Random random;
  private final Path directory;
  private final Map<String, Accepted> accepted = new ConcurrentHashMap<>();
  private volatile boolean ended;
  private int submitted;

  /** Job that was accepted, by its key. */
  private static final class Accepted {
    final String key;
    final String id;
    final JobKind kind;
    volatile boolean cancelled;
    volatile boolean confirmed;

    Accepted(String key, String id, JobKind kind) {
      this.key = key;
      this.id = id;
      this.kind = kind;
    }
  }

  JobStorm(Cluster cluster, History history, Random random) throws IOException {
    this.cluster = cluster;
    this.history = history;
    this.random = random;
    this.directory = Files.createDirectories(cluster.directory().resolve("jobs"));
  }

  /** Returns the directory in which the runs write. */
  Path directory() {
    return directory;
  }

  /** Returns the limits that are in force. */
  static RunLimits limits() {
    Map<String, Integer> shares = new TreeMap<>();
    TYPES.keySet().forEach(type -> shares.put(type, share(type)));
    return new RunLimits(TYPES, shares, LABELS, Member.SLOTS);
  }

  private static int share(String type) {
    return (int) Math.floor(Member.SLOTS * SHARES.getOrDefault(type, 1.0));
  }

  /** Sets the limits, before the first job. */
  void limit() throws Exception {
    for (Map.Entry<String, Integer> type : TYPES.entrySet()) {
      put(
          "/types/" + type.getKey(),
          "{\"limit\":%d,\"maxShare\":%s}"
              .formatted(type.getValue(), SHARES.getOrDefault(type.getKey(), 1.0)));
    }
    for (Map.Entry<String, Integer> label : LABELS.entrySet()) {
      put(
          "/limits/" + label.getKey().replace("=", "%3D"),
          "{\"running\":%d}".formatted(label.getValue()));
    }
  }

  private void put(String path, String body) throws Exception {
    Await.until(
        "PUT " + path,
        Duration.ofSeconds(30),
        () -> Operators.bytes(anyone().send("PUT", API + path, body)).length > 0);
  }

  private Member anyone() {
    return cluster.members().get(random.nextInt(cluster.members().size()));
  }

  @Override
  public void run() {
    List<String> keys = new ArrayList<>();
    List<String> held = new ArrayList<>();
    while (!ended) {
      for (int i = 0; i < BURST && !ended; i++) {
        Accepted job = submit(++submitted);
        if (job != null) {
          keys.add(job.key);
        }
      }
      if (!keys.isEmpty()) {
        operate(keys.get(keys.size() - 1 - random.nextInt(Math.min(20, keys.size()))), held);
      }
      Await.pass(PAUSE);
    }
  }

  void end() {
    ended = true;
  }

  private @Nullable Accepted submit(int number) {
    String key = "k" + number;
    JobKind kind = MIX.get(random.nextInt(MIX.size()));
    String type = List.copyOf(new TreeMap<>(TYPES).keySet()).get(random.nextInt(TYPES.size()));
    String label = List.copyOf(new TreeMap<>(LABELS).keySet()).get(random.nextInt(LABELS.size()));
    String body = body(key, kind, type, label);
    String[] id = {""};
    boolean known =
        Await.holds(
            SUBMITTED_WITHIN,
            () -> {
              HttpResponse<String> answer = anyone().post(JOBS, key, body);
              if (answer.statusCode() / 100 == 2) {
                id[0] = json(answer).path("id").asText();
              } else if (answer.statusCode() < 500 && answer.statusCode() != 429) {
                throw new IllegalStateException(answer.body());
              }
              return !id[0].isEmpty();
            });
    if (!known) {
      history.note("job unknown", "key", key);
      return null;
    }
    Accepted job = new Accepted(key, id[0], kind);
    accepted.put(key, job);
    history.note("job", "key", key, "id", id[0], "kind", kind, "type", type, "label", label);
    return job;
  }

  private String body(String key, JobKind kind, String type, String label) {
    Map<String, Object> job = new LinkedHashMap<>(kind.job());
    job.put("type", type);
    job.put("priority", random.nextInt(10));
    job.put("labels", Map.of("partner", label.substring(label.indexOf('=') + 1)));
    Map<String, String> env = new TreeMap<>();
    env.put("DIR", directory.toString());
    env.put("KEY", key);
    env.put("TYPE", type);
    env.put("TYPE_LIMIT", String.valueOf(TYPES.get(type)));
    env.put("LABEL", label);
    env.put("LABEL_LIMIT", String.valueOf(LABELS.get(label)));
    env.put("HOST_LIMIT", String.valueOf(Member.SLOTS));
    env.put("SHARE", String.valueOf(share(type)));
    env.put("LASTS", "0." + (1 + random.nextInt(5)));
    job.put("env", env);
    return new String(Json.bytes(job), StandardCharsets.UTF_8);
  }

  private static JsonNode json(HttpResponse<String> answer) {
    return Json.parse("job", answer.body().getBytes(StandardCharsets.UTF_8));
  }

  /** Holds, releases or cancels a job now and then; an operator who gets no answer goes on. */
  private void operate(String key, List<String> held) {
    int what = random.nextInt(10);
    try {
      if (what < 2) {
        cancel(accepted.get(key));
      } else if (what < 4 && post(key, "hold").statusCode() / 100 == 2) {
        held.add(key);
      } else if (what >= 6 && !held.isEmpty()) {
        String first = held.get(0);
        int status = post(first, "release").statusCode();
        if (status / 100 == 2 || status == 409) {
          held.remove(first);
        }
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (Exception e) {
      history.note("no answer", "of", key, "why", e.toString());
    }
  }

  private void cancel(@Nullable Accepted job) throws Exception {
    if (job != null) {
      job.cancelled = true;
      HttpResponse<String> answer = post(job.key, "cancel");
      job.confirmed |=
          answer.statusCode() / 100 == 2 && json(answer).path("state").asText().equals("CANCELLED");
      history.note("cancel", "key", job.key, "status", answer.statusCode());
    }
  }

  private HttpResponse<String> post(String key, String what) throws Exception {
    Accepted job = accepted.get(key);
    if (job == null) {
      throw new IllegalArgumentException("there is no job " + key);
    }
    return anyone().send("POST", "%s/%s/%s".formatted(JOBS, job.id, what), "");
  }

  /** Releases every job that is held. */
  void release(Member at) throws Exception {
    for (Accepted job : accepted.values()) {
      if (state(job, at).equals("HELD")) {
        var unused = Operators.bytes(at.send("POST", "%s/%s/release".formatted(JOBS, job.id), ""));
      }
    }
  }

  private static String state(Accepted job, Member at) throws Exception {
    HttpResponse<String> answer = at.get(JOBS + "/" + job.id);
    return answer.statusCode() == 404
        ? ""
        : Json.parse("job", Operators.bytes(answer)).path("state").asText();
  }

  /** Returns the accepted jobs that have not ended, each with its state. */
  List<String> open(Member at) throws Exception {
    List<String> open = new ArrayList<>();
    for (JobOutcome job : outcomes(at)) {
      if (!List.of("SUCCEEDED", "DEAD", "CANCELLED", "EXPIRED").contains("" + job.state())) {
        open.add(job.key() + "=" + job.state());
      }
    }
    return open;
  }

  /** Returns the accepted jobs as a node reports them. */
  List<JobOutcome> outcomes(Member at) throws Exception {
    Map<String, String> states = states(at);
    List<JobOutcome> outcomes = new ArrayList<>();
    for (Accepted job : new TreeMap<>(accepted).values()) {
      String state = states.get(job.id);
      if (state == null) {
        state = state(job, at);
      }
      outcomes.add(
          new JobOutcome(
              job.key, job.kind, job.cancelled, job.confirmed, state.isEmpty() ? null : state));
    }
    return outcomes;
  }

  /** Returns the states of all jobs, by id, page by page. */
  private static Map<String, String> states(Member at) throws Exception {
    Map<String, String> states = new TreeMap<>();
    String cursor = "";
    do {
      String query = "?limit=200" + (cursor.isEmpty() ? "" : "&cursor=" + cursor);
      JsonNode page = Json.parse("jobs", Operators.bytes(at.get(JOBS + query)));
      page.path("items")
          .forEach(job -> states.put(job.path("id").asText(), job.path("state").asText()));
      cursor = page.path("next").asText("");
    } while (!cursor.isEmpty() && !cursor.equals("null"));
    return states;
  }

  long accepted() {
    return accepted.size();
  }
}
