package io.callboard.servers;

import io.callboard.testkit.Eventually;
import io.callboard.testkit.FreePorts;
import java.io.File;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * Server of Redis on a free port of the loopback interface, with Debian's {@code redis-server}. It
 * ends with this process at the latest.
 */
public final class RedisServer implements AutoCloseable {
  private static final Duration LIMIT = Duration.ofSeconds(20);
  private static final String LOOPBACK = "127.0.0.1";

  private final Path directory;
  private final int port;
  private final List<String> command;
  private final Thread hook = new Thread(this::destroy, "end-redis");
  private volatile Process process;

  private RedisServer(Path directory, int port, List<String> command) throws IOException {
    this.directory = directory;
    this.port = port;
    this.command = command;
    this.process = launch();
    Runtime.getRuntime().addShutdownHook(hook);
  }

  /** Returns whether there is a server on the path. */
  public static boolean isInstalled() {
    return program().isPresent();
  }

  /**
   * Starts a server that keeps nothing on disk; returns when it accepts connections.
   *
   * @param directory gets its log
   * @throws IllegalStateException if there is none on the path
   */
  public static RedisServer start(Path directory) throws IOException {
    int port = FreePorts.one();
    return start(directory, port, List.of("--port", Integer.toString(port)));
  }

  /**
   * Starts a server that has each command on disk before it answers.
   *
   * @param address another address of this host at which it listens, too, open to all
   */
  public static RedisServer startDurable(Path directory, String address) throws IOException {
    int port = FreePorts.one();
    List<String> arguments = new ArrayList<>(List.of("--port", Integer.toString(port)));
    if (!address.equals(LOOPBACK)) {
      arguments.addAll(List.of("--bind", LOOPBACK, address, "--protected-mode", "no"));
    }
    arguments.addAll(List.of("--appendonly", "yes", "--appendfsync", "always"));
    return start(directory, port, arguments);
  }

  /** Starts a server that takes nothing but TLS, with these PEM files. */
  public static RedisServer startWithTls(Path directory, Path key, Path certificate)
      throws IOException {
    int port = FreePorts.one();
    List<String> arguments = new ArrayList<>(List.of("--port", "0", "--tls-auth-clients", "no"));
    arguments.addAll(List.of("--tls-port", Integer.toString(port)));
    arguments.addAll(List.of("--tls-key-file", key.toAbsolutePath().toString()));
    arguments.addAll(List.of("--tls-cert-file", certificate.toAbsolutePath().toString()));
    arguments.addAll(List.of("--tls-ca-cert-file", certificate.toAbsolutePath().toString()));
    return start(directory, port, arguments);
  }

  private static Optional<Path> program() {
    return Stream.of(System.getenv("PATH").split(File.pathSeparator))
        .map(folder -> Path.of(folder, "redis-server"))
        .filter(Files::isExecutable)
        .findFirst();
  }

  private static RedisServer start(Path directory, int port, List<String> arguments)
      throws IOException {
    String program =
        program()
            .orElseThrow(() -> new IllegalStateException("there is no redis-server on the path"))
            .toString();
    List<String> command = new ArrayList<>(List.of(program, "--bind", LOOPBACK));
    command.addAll(List.of("--dir", directory.toString(), "--save", "", "--daemonize", "no"));
    command.addAll(arguments);
    RedisServer server = new RedisServer(directory, port, command);
    try {
      Eventually.assertThat(LIMIT, server::accepts);
    } catch (RuntimeException | AssertionError e) {
      server.destroy();
      throw e;
    }
    return server;
  }

  private Process launch() throws IOException {
    return new ProcessBuilder(command)
        .redirectErrorStream(true)
        .redirectOutput(ProcessBuilder.Redirect.appendTo(directory.resolve("server.log").toFile()))
        .start();
  }

  private void destroy() {
    var unused = process.destroyForcibly();
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

  /** Returns its port. */
  public int port() {
    return port;
  }

  /** SIGKILL. */
  public void kill() throws InterruptedException {
    int unused = process.destroyForcibly().waitFor();
  }

  /** Starts it again with what it has on disk; returns when it accepts connections. */
  public void restart() throws IOException {
    process = launch();
    Eventually.assertThat(LIMIT, this::accepts);
  }

  @Override
  public void close() throws InterruptedException {
    Runtime.getRuntime().removeShutdownHook(hook);
    process.destroy();
    if (!process.waitFor(5, TimeUnit.SECONDS)) {
      kill();
    }
  }
}
