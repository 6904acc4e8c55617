package io.callboard.pollers.redis;

import io.callboard.testkit.Eventually;
import io.callboard.testkit.FreePorts;
import java.io.File;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assumptions;

/** Server of Redis on a free port of the loopback interface, for the tests of one class. */
final class RedisProcess implements AutoCloseable {
  private final Path directory;
  private final int port;
  private Process process;

  private RedisProcess(Path directory, int port) {
    this.directory = directory;
    this.port = port;
  }

  /** Starts a server; skips the tests if there is none, unless the environment requires it. */
  static RedisProcess start(Class<?> test) throws IOException {
    Optional<Path> program = program();
    if (program.isEmpty()) {
      String missing = "there is no redis-server on the path: install Debian's redis-server";
      if ("true".equals(System.getenv("CALLBOARD_REQUIRE_REDIS"))) {
        throw new AssertionError(missing);
      }
      Assumptions.abort(missing);
    }
    Path directory = Files.createDirectories(Path.of("target", "redis", test.getSimpleName()));
    Files.deleteIfExists(directory.resolve("dump.rdb"));
    RedisProcess started = new RedisProcess(directory, FreePorts.one());
    started.run(program.orElseThrow());
    return started;
  }

  private static Optional<Path> program() {
    return Stream.of(System.getenv("PATH").split(File.pathSeparator))
        .map(folder -> Path.of(folder, "redis-server"))
        .filter(Files::isExecutable)
        .findFirst();
  }

  private void run(Path program) throws IOException {
    List<String> command =
        List.of(
            program.toString(),
            "--port",
            Integer.toString(port),
            "--bind",
            "127.0.0.1",
            "--dir",
            directory.toString(),
            "--save",
            "",
            "--daemonize",
            "no");
    process =
        new ProcessBuilder(command)
            .redirectErrorStream(true)
            .redirectOutput(directory.resolve("server.log").toFile())
            .start();
    Eventually.assertThat(this::accepts);
  }

  private void accepts() {
    if (!process.isAlive()) {
      throw new IllegalStateException("the server has ended: see " + directory);
    }
    try (Socket unused = new Socket(InetAddress.getLoopbackAddress(), port)) {
      // it does
    } catch (IOException e) {
      throw new AssertionError("the server does not accept connections yet", e);
    }
  }

  int port() {
    return port;
  }

  @Override
  public void close() throws InterruptedException {
    process.destroy();
    if (!process.waitFor(5, TimeUnit.SECONDS)) {
      process.destroyForcibly().waitFor();
    }
  }
}
