package io.callboard.pollers.redis;

import io.callboard.testkit.Eventually;
import io.callboard.testkit.FreePorts;
import java.io.File;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
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
    Path program = program();
    RedisProcess started = new RedisProcess(directory(test), FreePorts.one());
    started.run(program, List.of("--port", Integer.toString(started.port)));
    return started;
  }

  /** Starts a server that takes nothing but TLS, with these PEM files. */
  static RedisProcess startWithTls(Class<?> test, Path key, Path certificate) throws IOException {
    Path program = program();
    RedisProcess started = new RedisProcess(directory(test), FreePorts.one());
    List<String> arguments = new ArrayList<>(List.of("--port", "0", "--tls-auth-clients", "no"));
    arguments.addAll(List.of("--tls-port", Integer.toString(started.port)));
    arguments.addAll(List.of("--tls-key-file", key.toAbsolutePath().toString()));
    arguments.addAll(List.of("--tls-cert-file", certificate.toAbsolutePath().toString()));
    arguments.addAll(List.of("--tls-ca-cert-file", certificate.toAbsolutePath().toString()));
    started.run(program, arguments);
    return started;
  }

  /** Returns the directory of a test's server. */
  static Path directory(Class<?> test) throws IOException {
    return Files.createDirectories(Path.of("target", "redis", test.getSimpleName()));
  }

  private static Path program() {
    Optional<Path> found =
        Stream.of(System.getenv("PATH").split(File.pathSeparator))
            .map(folder -> Path.of(folder, "redis-server"))
            .filter(Files::isExecutable)
            .findFirst();
    if (found.isEmpty()) {
      String missing = "there is no redis-server on the path: install Debian's redis-server";
      if ("true".equals(System.getenv("CALLBOARD_REQUIRE_REDIS"))) {
        throw new AssertionError(missing);
      }
      Assumptions.abort(missing);
    }
    return found.orElseThrow();
  }

  private void run(Path program, List<String> arguments) throws IOException {
    List<String> command = new ArrayList<>(List.of(program.toString(), "--bind", "127.0.0.1"));
    command.addAll(List.of("--dir", directory.toString(), "--save", "", "--daemonize", "no"));
    command.addAll(arguments);
    process =
        new ProcessBuilder(command)
            .redirectErrorStream(true)
            .redirectOutput(directory.resolve("server.log").toFile())
            .start();
    try {
      Eventually.assertThat(this::accepts);
    } catch (RuntimeException | AssertionError e) {
      process.destroyForcibly();
      throw e;
    }
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
