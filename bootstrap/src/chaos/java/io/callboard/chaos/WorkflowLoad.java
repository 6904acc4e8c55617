package io.callboard.chaos;

import com.fasterxml.jackson.databind.JsonNode;
import io.callboard.chaos.evidence.StepFiles;
import io.callboard.chaos.evidence.StepNotes;
import io.callboard.chaos.hosts.Await;
import io.callboard.chaos.hosts.Progress;
import io.callboard.chaos.runs.ListedInstances;
import io.callboard.chaos.runs.LoadedSteps;
import io.callboard.chaos.runs.StepLine;
import io.callboard.codecs.Json;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Load of workflows: so many instances of ten steps, three in a row, a fork of three, and from
 * their join four in a row, started at any node. A start without an answer is repeated under its
 * key at another node until there is one.
 */
final class WorkflowLoad {
  private static final String LAST = "s9";

  private static final String NAME = "chaos";
  private static final String API = "/api/v1";
  private static final String INSTANCES = API + "/workflows";
  private static final int THREADS = 8;

  /** Instances that have not ended at a time, at most. */
  private static final int MOST_OPEN = 2_000;

  /** Instances asked for alone though a list names them, at least if there are as many. */
  private static final int SAMPLE = 1_000;

  private static final Duration LIMIT = Duration.ofSeconds(90);
  private static final Duration LISTED = Duration.ofSeconds(30);
  private static final Duration PAUSE = Duration.ofMillis(100);

  private final Cluster cluster;
  private final History history;
  private final int count;
  private final int millis;
  private final StepFiles files;
  private final AtomicInteger next = new AtomicInteger();
  private final Map<String, String> accepted = new ConcurrentHashMap<>();
  private final AtomicInteger unknown = new AtomicInteger();
  private final List<Thread> threads = new ArrayList<>();
  private volatile boolean ended;

  /**
   * Creates the load.
   *
   * @param count number of instances
   * @param millis longest time that a step takes
   */
  WorkflowLoad(Cluster cluster, History history, int count, int millis) {
    this.cluster = cluster;
    this.history = history;
    this.count = count;
    this.millis = millis;
    this.files = new StepFiles(cluster.steps(), LAST);
  }

  private static byte[] definition() {
    Map<String, Object> steps = new LinkedHashMap<>();
    LoadedSteps.sources()
        .forEach(
            (id, sources) -> {
              Map<String, String> after = new LinkedHashMap<>();
              sources.forEach(source -> after.put(source, "success"));
              steps.put(id, Map.of("run", "handler:" + StepNotes.NAME, "after", after));
            });
    return Json.bytes(Map.of("name", NAME, "steps", steps));
  }

  /** Stores the definition, and starts to start instances. */
  void begin() throws Exception {
    String body = new String(definition(), StandardCharsets.UTF_8);
    Await.until(
        "the definition is stored",
        LIMIT,
        () ->
            Operators.bytes(anyone(0).send("PUT", API + "/workflow-definitions/" + NAME, body))
                    .length
                > 0);
    for (int i = 0; i < THREADS; i++) {
      Thread thread = new Thread(this::run, "workflows-" + i);
      thread.setDaemon(true);
      thread.start();
      threads.add(thread);
    }
  }

  private Member anyone(int number) {
    return cluster.members().get(number % cluster.members().size());
  }

  private void run() {
    for (int number = next.getAndIncrement(); number < count && !ended; ) {
      if (hasRoomFor(number)) {
        start(number);
        number = next.getAndIncrement();
      } else {
        Await.pass(PAUSE);
      }
    }
  }

  private boolean hasRoomFor(int number) {
    try {
      return number < MOST_OPEN || number - reachedEnd() < MOST_OPEN;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private void start(int number) {
    String key = "w" + number;
    Map<String, Object> request =
        Map.of("definition", NAME, "uniqueKey", key, "input", Map.of("millis", millis));
    String body = new String(Json.bytes(request), StandardCharsets.UTF_8);
    int[] at = {number};
    boolean known =
        Await.holds(
            LIMIT,
            () -> {
              HttpResponse<String> answer = anyone(at[0]++).post(INSTANCES, key, body);
              if (answer.statusCode() / 100 == 2) {
                accepted.put(key, Json.parse("instance", bytes(answer)).path("id").asText());
                return true;
              } else if (answer.statusCode() < 500 && answer.statusCode() != 429) {
                throw new IllegalStateException(answer.body());
              }
              return false;
            });
    if (!known) {
      unknown.incrementAndGet();
      history.note("instance unknown", "key", key);
    }
  }

  private static byte[] bytes(HttpResponse<String> answer) {
    return answer.body().getBytes(StandardCharsets.UTF_8);
  }

  /** Ends the load; what was accepted goes on. */
  void end() throws InterruptedException {
    ended = true;
    for (Thread thread : threads) {
      thread.join();
    }
  }

  int accepted() {
    return accepted.size();
  }

  /** Returns how many instances have come to the end of their last step. */
  int reachedEnd() throws IOException {
    return files.reachedEnd();
  }

  /** Returns whether all instances were started and have come to the end of their last step. */
  boolean isOver() throws IOException {
    return accepted.size() + unknown.get() >= count && reachedEnd() >= accepted.size();
  }

  /** Returns what the steps have written. */
  List<StepLine> lines() throws IOException {
    return files.lines();
  }

  /**
   * Returns the states of instances by id: of those that were accepted, and of those that have
   * written; empty for one that no node knows. Those that no list names as succeeded are asked for
   * alone, and of the others a sample, as even a list that is whole is a node's memory.
   */
  Map<String, String> states(Set<String> written) throws Exception {
    Set<String> ids = new LinkedHashSet<>(accepted.values());
    ids.addAll(written);
    ListedInstances listed = listed();
    int every = Math.max(1, ids.size() / SAMPLE);
    int named = 0;
    Map<String, String> states = new LinkedHashMap<>();
    Map<String, Future<String>> asked = new LinkedHashMap<>();
    ExecutorService readers = Executors.newFixedThreadPool(THREADS);
    try {
      for (String id : ids) {
        if (listed.hasSucceeded(id) && ++named % every != 0) {
          states.put(id, ListedInstances.SUCCEEDED);
        } else {
          asked.put(id, readers.submit(() -> state(id)));
        }
      }
      for (Map.Entry<String, Future<String>> each : asked.entrySet()) {
        states.put(each.getKey(), each.getValue().get());
      }
      return states;
    } finally {
      var unused = readers.shutdownNow();
    }
  }

  /** Returns the list of all instances, each page from another node; its end may be missing. */
  private ListedInstances listed() {
    ListedInstances listed = new ListedInstances();
    int[] at = {0};
    while (!listed.isWhole()) {
      if (!Await.holds(LISTED, () -> listed.add(page(anyone(at[0]++), listed.query())))) {
        Progress.say("the list of instances is not whole: the others are asked for alone");
        break;
      }
    }
    return listed;
  }

  private static JsonNode page(Member at, String query) throws Exception {
    return Json.parse("workflows", Operators.bytes(at.get(INSTANCES + "?" + query)));
  }

  private String state(String id) throws Exception {
    String[] state = {""};
    int[] at = {Math.floorMod(id.hashCode(), cluster.members().size())};
    Await.until(
        "the state of " + id,
        LIMIT,
        () -> {
          HttpResponse<String> answer = anyone(at[0]++).get(INSTANCES + "/" + id);
          if (answer.statusCode() != 404) {
            state[0] = Json.parse("instance", Operators.bytes(answer)).path("state").asText();
          }
          return true;
        });
    return state[0];
  }

  /** Returns whether the list of all instances is whole at a node. */
  boolean isListWhole(Member at) throws Exception {
    return !page(at, "limit=1").path("partial").asBoolean();
  }
}
