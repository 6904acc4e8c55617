package io.callboard.chaos;

import com.fasterxml.jackson.databind.JsonNode;
import io.callboard.chaos.hosts.Await;
import io.callboard.codecs.Json;
import java.io.IOException;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;

/** Faults of the hosts of jobs: a broken disk, a drain, an operator who stops the scheduler. */
final class HostFaults {
  private static final Duration LIMIT = Duration.ofSeconds(180);

  /** Time in which runs granted before a drain was known may still begin. */
  private static final Duration GRACE = Duration.ofSeconds(3);

  /** Long enough for several runs, if the node took any. */
  private static final Duration WATCHED = Duration.ofSeconds(6);

  private static final int ATTEMPTS = 100;
  private static final int CONFLICT = 409;
  private static final int ACCEPTED = 202;

  /** Paths of toolkit actors, without a leading slash; each host has a monitor, too. */
  private static final List<String> TOOLKIT = List.of("jobs/gate", "roles/grid-monitor");

  private final Cluster cluster;
  private final Operators operators;

  HostFaults(Cluster cluster, Operators operators) {
    this.cluster = cluster;
    this.operators = operators;
  }

  List<Fault> all() {
    List<Fault> all = new ArrayList<>();
    all.add(new Fault("no-room", this::noRoom));
    all.add(new Fault("runs-unusable", this::runsUnusable));
    all.add(new Fault("runs-removed", this::runsRemoved));
    all.add(new Fault("drain-takes-no-run", this::drainTakesNoRun));
    all.add(new Fault("stop-toolkit-actor", this::stopToolkitActor));
    all.add(new Fault("restart-toolkit-actor", this::restartToolkitActor));
    if (cluster.servers().count() > 1) {
      all.add(new Fault("lose-quorum-and-freeze", this::loseQuorumAndFreeze));
    }
    return all;
  }

  private Member any(Random random) {
    return cluster.members().get(random.nextInt(cluster.members().size()));
  }

  /** Keeps the node from writing files, as if its disk were full. */
  private String noRoom(Random random) throws Exception {
    Member member = any(random);
    member.process().limitFiles(1);
    return unable(member, random, () -> member.process().liftLimit());
  }

  private String runsUnusable(Random random) throws Exception {
    Member member = any(random);
    Path runs = runs(member);
    putFileInPlaceOf(runs);
    return unable(member, random, () -> Files.delete(runs));
  }

  private interface Mend {
    void mend() throws Exception;
  }

  /**
   * Breaks a host so that no run can begin there: it must report that, jobs go on elsewhere, and it
   * takes runs again afterwards.
   */
  private String unable(Member member, Random random, Mend end) throws Exception {
    long begun = System.nanoTime();
    try {
      Await.until(
          member.name() + " says that it can start no runs", LIMIT, () -> says(member, "host"));
      Await.pass(NodeFaults.between(random, 1_000, 6_000));
    } finally {
      end.mend();
    }
    long millis = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - begun);
    Await.until(member.name() + " can start runs again", LIMIT, () -> !says(member, "host"));
    awaitRunOn(member);
    return "%s for %d ms".formatted(member.name(), millis);
  }

  /** Removes the directory of runs, which the host must create again. */
  private String runsRemoved(Random random) throws Exception {
    Member member = any(random);
    moveAway(runs(member));
    awaitRunOn(member);
    return member.name();
  }

  private void awaitRunOn(Member member) throws Exception {
    int before = startedOn(member).size();
    Await.until("a run on " + member.name(), LIMIT, () -> startedOn(member).size() > before);
  }

  private Path runs(Member member) {
    return cluster.directory().resolve(member.name()).resolve("runs");
  }

  /** Moves the directory of runs away; runs go on, as a process keeps its working directory. */
  private void moveAway(Path runs) throws Exception {
    Await.until(runs + " is there", LIMIT, () -> Files.isDirectory(runs));
    Path away =
        Files.createTempDirectory(cluster.directory(), runs.getParent().getFileName() + "-");
    Files.move(runs, away.resolve("runs"));
  }

  private void putFileInPlaceOf(Path runs) throws Exception {
    for (int i = 0; i < ATTEMPTS; i++) {
      moveAway(runs);
      try {
        Files.createFile(runs);
        return;
      } catch (FileAlreadyExistsException sooner) {
        // the node has made it again for a run
      }
    }
    throw new IOException("the node makes %s again each time".formatted(runs));
  }

  /**
   * Returns whether that node reports that it is degraded because of a {@code host} or an {@code
   * actor}.
   */
  private static boolean says(Member member, String kind) throws Exception {
    JsonNode ready = Json.parse("readyz", Operators.bytes(member.get("/readyz")));
    for (JsonNode each : ready.path("degraded")) {
      if (each.has(kind)) {
        return true;
      }
    }
    return false;
  }

  private String drainTakesNoRun(Random random) throws Exception {
    Member drained = any(random);
    operators.drain(drained, true);
    try {
      Await.pass(GRACE);
      List<String> before = startedOn(drained);
      Await.pass(WATCHED);
      List<String> since = new ArrayList<>(startedOn(drained));
      since.removeAll(before);
      if (!since.isEmpty()) {
        throw new IOException(
            "%d runs began on %s while it drained: %s"
                .formatted(since.size(), drained.name(), since));
      }
    } finally {
      operators.drain(drained, false);
    }
    return drained.name();
  }

  /** Returns the stamps of runs that began in the data directory of that node. */
  private List<String> startedOn(Member member) throws IOException {
    String below = " " + cluster.directory().resolve(member.name()) + "/";
    return JobLoad.said(cluster.directory(), "at").stream()
        .filter(line -> line.contains(below))
        .toList();
  }

  private String toolkitActor(Random random) {
    List<String> all = new ArrayList<>(TOOLKIT);
    all.add("jobs/monitor/" + any(random).name());
    return all.get(random.nextInt(all.size()));
  }

  /**
   * Tries to stop a toolkit actor, which must be refused and leave it running; whether jobs go on
   * is checked by the judge.
   */
  private String stopToolkitActor(Random random) throws Exception {
    String actor = toolkitActor(random);
    long end = System.nanoTime() + LIMIT.toNanos();
    while (System.nanoTime() - end < 0) {
      if (refusesStop(actor)) {
        awaitToolkit();
        return actor;
      }
      Await.pass(Duration.ofMillis(200)); // away for the moment
    }
    throw new IOException("nobody says whether /%s can be stopped".formatted(actor));
  }

  /**
   * Returns whether the node that runs it refuses; the others refuse it, too, and name that node.
   */
  private boolean refusesStop(String actor) throws Exception {
    for (Member member : cluster.members()) {
      HttpResponse<String> answer =
          member.send("POST", "/api/v1/actors/%s/stop".formatted(actor), "");
      if (answer.statusCode() / 100 == 2) {
        throw new IOException("an operator could stop /" + actor);
      } else if (answer.statusCode() == CONFLICT && code(answer).equals("NEEDED")) {
        return true;
      }
    }
    return false;
  }

  private static String code(HttpResponse<String> problem) {
    return Json.parse("problem", problem.body().getBytes(StandardCharsets.UTF_8))
        .path("code")
        .asText();
  }

  private String restartToolkitActor(Random random) throws Exception {
    String actor = toolkitActor(random);
    Await.until("a node restarts /" + actor, LIMIT, () -> restarts(actor));
    awaitToolkit();
    int before = JobLoad.said(cluster.directory(), "done").size();
    Await.until(
        "a job is done", LIMIT, () -> JobLoad.said(cluster.directory(), "done").size() > before);
    return actor;
  }

  private boolean restarts(String actor) throws Exception {
    for (Member member : cluster.members()) {
      String path = "/api/v1/actors/%s/restart".formatted(actor);
      if (member.send("POST", path, "").statusCode() == ACCEPTED) {
        return true;
      }
    }
    return false;
  }

  private void awaitToolkit() throws Exception {
    for (Member member : cluster.members()) {
      Await.until(
          member.name() + " has all actors of the toolkit", LIMIT, () -> !says(member, "actor"));
    }
  }

  /**
   * Freezes a node for most of a session while there is no quorum, so that the others cannot grant.
   */
  private String loseQuorumAndFreeze(Random random) throws Exception {
    Member member = any(random);
    Duration frozen = NodeFaults.between(random, 1_600, 3_500);
    String lost =
        new ServerFaults(cluster.servers())
            .withoutQuorum(
                () -> {
                  Await.pass(NodeFaults.between(random, 200, 1_000));
                  var unused = NodeFaults.freeze(member, frozen);
                });
    return "%s; %s frozen for %d ms".formatted(lost, member.name(), frozen.toMillis());
  }
}
