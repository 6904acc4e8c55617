package io.callboard.bootstrap;

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
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The built jar as a user runs it: a process of its own, killed at the end of the test. */
public final class LaunchedNode implements AutoCloseable {
  private static final Pattern READY =
      Pattern.compile(
          "Callboard (\\S+) is ready: (http://\\S+)/ \\(cell (\\S+), ZooKeeper (\\S+)\\)");

  /** Within which a node is ready, and answers, on a machine that does much else. */
  private static final Duration START = Duration.ofSeconds(180);

  /** Line of the log of a node, of level WARN. */
  private static final Pattern WARNING = Pattern.compile("^[0-9:.]+ WARN +");

  private static final Duration ANSWER = Duration.ofSeconds(30);
  private static final HttpClient HTTP = HttpClient.newHttpClient();

  private final Process process;
  private final Path output;
  private final Path errors;
  private String url = "";
  private String zookeeper = "";

  private LaunchedNode(Process process, Path output, Path errors) {
    this.process = process;
    this.output = output;
    this.errors = errors;
  }

  /** Creates an empty directory below {@code target}. */
  public static Path directory(String name) throws IOException {
    Path parent = Files.createDirectories(Path.of("target", "it"));
    return Files.createTempDirectory(parent, name + "-").toAbsolutePath();
  }

  static Path jar() {
    return Path.of(System.getProperty("callboard.jar", "target/callboard.jar")).toAbsolutePath();
  }

  /** Starts a command of the jar, without waiting. */
  static LaunchedNode launch(Map<String, String> environment, String... arguments)
      throws IOException {
    List<String> all = new ArrayList<>(List.of("-Xmx512m", "-jar", jar().toString()));
    all.addAll(List.of(arguments));
    return launch(environment, QuickStart.java(all));
  }

  static LaunchedNode launch(Map<String, String> environment, List<String> command)
      throws IOException {
    Path directory = directory("run");
    ProcessBuilder builder = new ProcessBuilder(command);
    builder.environment().keySet().removeIf(name -> name.startsWith("CALLBOARD_"));
    builder.environment().putAll(environment);
    builder.directory(directory.toFile());
    Path output = directory.resolve("stdout");
    Path errors = directory.resolve("stderr");
    builder.redirectOutput(output.toFile()).redirectError(errors.toFile());
    return new LaunchedNode(builder.start(), output, errors);
  }

  /** Starts a node with its own free ports and waits until it is ready. */
  static LaunchedNode start(Path data, String... more) throws IOException {
    List<String> arguments =
        new ArrayList<>(List.of("--data", data.toString(), "--http-port", "0"));
    arguments.addAll(List.of(more));
    if (!arguments.contains("--zookeeper") && !Files.exists(data.resolve("zookeeper-port"))) {
      arguments.addAll(List.of("--zookeeper-port", "0"));
    }
    LaunchedNode node = launch(Map.of(), arguments.toArray(String[]::new));
    try {
      node.awaitReady(START);
      return node;
    } catch (AssertionError | IOException e) {
      node.close(); // or it would run until the machine stops
      throw e;
    }
  }

  void awaitReady(Duration limit) throws IOException {
    long deadline = System.nanoTime() + limit.toNanos();
    while (true) {
      Matcher ready = READY.matcher(Files.readString(output));
      if (ready.find()) {
        url = ready.group(2);
        zookeeper = ready.group(4);
        return;
      }
      if (!process.isAlive() || System.nanoTime() > deadline) {
        throw new AssertionError(
            "the node is not ready; it printed: %s%s"
                .formatted(Files.readString(output), Files.readString(errors)));
      }
      pause();
    }
  }

  static void pause() {
    LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(20));
  }

  long pid() {
    return process.pid();
  }

  String url() {
    return url;
  }

  String zookeeper() {
    return zookeeper;
  }

  String output() throws IOException {
    return Files.readString(output);
  }

  String errors() throws IOException {
    return Files.readString(errors);
  }

  /**
   * Returns the lines on stderr, but for the warnings of the log with their stack traces: a busy
   * machine adds some to any node, of threads that did not run, or of mail that waits for a role.
   */
  List<String> errorLines() throws IOException {
    List<String> lines = new ArrayList<>();
    boolean warns = false;
    for (String line : errors().lines().toList()) {
      warns = WARNING.matcher(line).find() || (warns && line.startsWith("\t"));
      if (!warns) {
        lines.add(line);
      }
    }
    return lines;
  }

  /** Waits for the end; the exit code. */
  int exitCode(Duration limit) throws InterruptedException, IOException {
    if (!process.waitFor(limit.toMillis(), TimeUnit.MILLISECONDS)) {
      throw new AssertionError("still running after %s: %s%s".formatted(limit, output(), errors()));
    }
    return process.exitValue();
  }

  /** SIGKILL. */
  void kill() throws InterruptedException {
    process.destroyForcibly().waitFor();
  }

  /** SIGTERM. */
  void terminate() {
    process.destroy();
  }

  /** Lets the process write no file that is longer than this, as if its disk were full. */
  void limitFiles(String bytes) throws IOException, InterruptedException {
    Process limit =
        new ProcessBuilder("prlimit", "--pid", String.valueOf(pid()), "--fsize=" + bytes + ":")
            .inheritIO()
            .start();
    if (limit.waitFor() != 0) {
      throw new IOException("prlimit failed");
    }
  }

  HttpResponse<String> get(String path) throws IOException, InterruptedException {
    return HTTP.send(
        HttpRequest.newBuilder(URI.create(url + path)).timeout(ANSWER).build(),
        HttpResponse.BodyHandlers.ofString());
  }

  HttpResponse<String> send(String method, String path, String body, String... headers)
      throws IOException, InterruptedException {
    HttpRequest.BodyPublisher publisher =
        body.isEmpty()
            ? HttpRequest.BodyPublishers.noBody()
            : HttpRequest.BodyPublishers.ofString(body);
    HttpRequest.Builder request =
        HttpRequest.newBuilder(URI.create(url + path)).timeout(ANSWER).method(method, publisher);
    if (!method.equals("GET") && !List.of(headers).contains("Content-Type")) {
      request.header("Content-Type", "application/json");
    }
    if (headers.length > 0) {
      request.headers(headers);
    }
    return HTTP.send(request.build(), HttpResponse.BodyHandlers.ofString());
  }

  @Override
  public void close() {
    process.destroyForcibly();
  }
}
