package io.callboard.chaos;

import io.callboard.chaos.evidence.StepNotes;
import io.callboard.chaos.sources.SourceStage;
import io.callboard.testkit.FreePorts;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** A node under test: a process that is started again under its name when it was ended. */
final class Member implements AutoCloseable {
  /** Slots of each node. */
  static final int SLOTS = 4;

  private static final String MAIN = "io.callboard.bootstrap.ChaosNode";
  private static final Duration REQUEST_LIMIT = Duration.ofSeconds(5);

  private final int number;
  private final Cluster cluster;
  private final int busPort;
  private final int httpPort;
  private final HttpClient http = HttpClient.newBuilder().connectTimeout(REQUEST_LIMIT).build();
  private @Nullable Jvm process;

  Member(int number, Cluster cluster) throws IOException {
    this.number = number;
    this.cluster = cluster;
    int[] ports = FreePorts.several(2);
    busPort = ports[0];
    httpPort = ports[1];
  }

  static String name(int number) {
    return "node-" + number;
  }

  int number() {
    return number;
  }

  String name() {
    return name(number);
  }

  private String address() {
    return cluster.network().own(number);
  }

  int busPort() {
    return busPort;
  }

  /** Begins; it is ready some seconds later. */
  void start() throws Exception {
    cluster.network().up(number);
    boolean unused = Files.deleteIfExists(marker());
    Path directory = cluster.directory();
    Optional<SourceStage> sources = cluster.sources();
    process =
        Jvm.start(
            cluster.network().on(number),
            name(),
            directory,
            flags(sources),
            cluster.classPath() + (sources.isEmpty() ? "" : sources.get().clients()),
            MAIN,
            arguments(sources));
  }

  private List<String> flags(Optional<SourceStage> sources) {
    List<String> flags =
        new ArrayList<>(
            List.of(
                "-Xmx384m",
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "-Dvertx.disableDnsResolver=true",
                "-Dchaos.ready=" + marker(),
                "-D" + StepNotes.PROPERTY + "=" + cluster.steps(),
                "-D" + SeededBug.PROPERTY + "=" + cluster.bug(),
                "-Djdk.net.hosts.file=" + cluster.hosts(number)));
    flags.add("-D%s=%d".formatted(ShiftedTime.PROPERTY, cluster.clockOf(number).toMillis()));
    sources.ifPresent(stage -> flags.add("-D" + SourceStage.PROPERTY + "=" + stage.notes()));
    return flags;
  }

  private List<String> arguments(Optional<SourceStage> sources) {
    List<String> arguments =
        new ArrayList<>(
            List.of(
                "--name=" + name(),
                "--data=" + cluster.directory().resolve(name()),
                "--http-host=" + address(),
                "--http-port=" + httpPort,
                "--cell=" + Cluster.CELL,
                "--zookeeper=" + cluster.zookeeperOf(number),
                "--session-timeout=PT%dS".formatted(Cluster.SESSION.toSeconds()),
                "--cluster-host=" + name(),
                "--cluster-port=" + busPort,
                "--slots=" + SLOTS));
    cluster.instancesKept().ifPresent(kept -> arguments.add("--instances-kept=" + kept));
    sources.ifPresent(stage -> arguments.add("--conf=" + stage.configuration()));
    if (!cluster.isLoopback()) {
      arguments.add("--insecure"); // only this process reaches the hosts
    }
    return arguments;
  }

  Jvm process() {
    if (process == null) {
      throw new IllegalStateException(name() + " was not started");
    }
    return process;
  }

  /** Kills the process (SIGKILL); connections to it are refused. */
  void kill() throws Exception {
    process().kill();
    cluster.network().down(number);
  }

  /** SIGTERM. */
  void terminate() throws Exception {
    try {
      process().terminate();
    } finally {
      cluster.network().down(number);
    }
  }

  boolean isReady() throws Exception {
    return Files.exists(marker()) && get("/readyz").statusCode() == 200;
  }

  /** Returns the file that exists once the workload has begun. */
  private Path marker() {
    return cluster.directory().resolve(name() + ".ready");
  }

  HttpResponse<String> get(String path) throws Exception {
    return http.send(request(path).GET().build(), HttpResponse.BodyHandlers.ofString());
  }

  HttpResponse<String> send(String method, String path, String body) throws Exception {
    HttpRequest request =
        request(path)
            .header("Content-Type", "application/json")
            .method(method, HttpRequest.BodyPublishers.ofString(body))
            .build();
    return http.send(request, HttpResponse.BodyHandlers.ofString());
  }

  /** Sends a POST that may be repeated: with the same key it is the same request. */
  HttpResponse<String> post(String path, String key, String body) throws Exception {
    HttpRequest request =
        request(path)
            .header("Content-Type", "application/json")
            .header("Idempotency-Key", key)
            .POST(HttpRequest.BodyPublishers.ofString(body))
            .build();
    return http.send(request, HttpResponse.BodyHandlers.ofString());
  }

  private HttpRequest.Builder request(String path) {
    return HttpRequest.newBuilder(URI.create("http://%s:%d%s".formatted(address(), httpPort, path)))
        .timeout(REQUEST_LIMIT);
  }

  /** Returns the files with its output and log. */
  List<Path> logs() throws IOException {
    List<Path> logs = new ArrayList<>(List.of(cluster.directory().resolve(name() + ".log")));
    try (var files = Files.list(cluster.directory().resolve(name()).resolve("logs"))) {
      files.forEach(logs::add);
    }
    return logs;
  }

  @Override
  public void close() throws Exception {
    if (process != null) {
      process.close();
    }
  }
}
