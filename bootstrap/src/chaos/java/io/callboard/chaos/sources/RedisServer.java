package io.callboard.chaos.sources;

import io.callboard.testkit.Eventually;
import io.callboard.testkit.FreePorts;
import java.io.File;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Server of Redis that has each command on disk before it answers; it ends with this process at the
 * latest.
 */
public final class RedisServer implements AutoCloseable {
  private static final Duration LIMIT = Duration.ofSeconds(20);

  private final Path program;
  private final Path directory;
  private final int port;
  private volatile Process process;

  private RedisServer(Path program, Path directory) throws IOException {
    this.program = program;
    this.directory = Files.createDirectories(directory);
    this.port = FreePorts.one();
    this.process = launch();
    Runtime.getRuntime().addShutdownHook(new Thread(() -> process.destroyForcibly(), "end-redis"));
    Eventually.isTrue(LIMIT, "Redis accepts connections", this::accepts);
  }

  /** Starts a server; empty if none is installed. */
  static Optional<RedisServer> start(Path directory) throws IOException {
    Optional<Path> program =
        Stream.of(System.getenv("PATH").split(File.pathSeparator))
            .map(folder -> Path.of(folder, "redis-server"))
            .filter(Files::isExecutable)
            .findFirst();
    return program.isEmpty()
        ? Optional.empty()
        : Optional.of(new RedisServer(program.get(), directory));
  }

  private Process launch() throws IOException {
    return new ProcessBuilder(
            program.toString(),
            "--bind",
            "127.0.0.1",
            "--port",
            String.valueOf(port),
            "--dir",
            directory.toString(),
            "--save",
            "",
            "--appendonly",
            "yes",
            "--appendfsync",
            "always")
        .redirectErrorStream(true)
        .redirectOutput(ProcessBuilder.Redirect.appendTo(directory.resolve("redis.log").toFile()))
        .start();
  }

  private boolean accepts() {
    try (Socket unused = new Socket(InetAddress.getLoopbackAddress(), port)) {
      return true;
    } catch (IOException notYet) {
      return false;
    }
  }

  String url() {
    return "redis://127.0.0.1:" + port;
  }

  /** SIGKILL. */
  public void kill() throws InterruptedException {
    int unused = process.destroyForcibly().waitFor();
  }

  /** Starts it again with what it has on disk, and waits until it accepts connections. */
  public void restart() throws IOException {
    process = launch();
    Eventually.isTrue(LIMIT, "Redis accepts connections", this::accepts);
  }

  @Override
  public void close() throws InterruptedException {
    kill();
  }
}
