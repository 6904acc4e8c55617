package io.callboard.servers;

import io.callboard.testkit.Eventually;
import io.callboard.testkit.FreePorts;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * RabbitMQ on the loopback interface, from Debian's package, with an Erlang port mapper of its own,
 * which ends with it.
 */
public final class RabbitmqServer implements AutoCloseable {
  private static final Path PROGRAMS = Path.of("/usr/lib/rabbitmq/lib");
  private static final Duration LIMIT = Duration.ofMinutes(2);

  private static final byte[] AMQP_0_9_1 = {'A', 'M', 'Q', 'P', 0, 0, 9, 1};
  private static final int METHOD = 1;
  private static final int ANSWER_MILLIS = 5_000;

  private final Process process;
  private final Path home;
  private final int port;
  private final int mapper;
  private final Thread hook = new Thread(this::kill);

  private RabbitmqServer(Process process, Path home, int port, int mapper) {
    this.process = process;
    this.home = home;
    this.port = port;
    this.mapper = mapper;
    Runtime.getRuntime().addShutdownHook(hook);
  }

  /** Returns whether RabbitMQ is installed on this machine. */
  public static boolean isInstalled() {
    return program().isPresent();
  }

  /**
   * Starts one; returns when it answers.
   *
   * @param parent gets a directory with its data and its log
   * @throws IllegalStateException if it is not installed
   */
  public static RabbitmqServer start(Path parent) throws Exception {
    Optional<Path> program = program();
    int[] ports = FreePorts.several(3);
    Path home =
        Files.createTempDirectory(Files.createDirectories(parent.toAbsolutePath()), "rabbitmq-");
    Files.writeString(
        home.resolve("rabbitmq.conf"),
        "disk_free_limit.absolute = 1MB\nlog.console = true\nlog.console.level = warning\n");
    ProcessBuilder builder =
        new ProcessBuilder(
                program
                    .orElseThrow(() -> new IllegalStateException("no RabbitMQ in " + PROGRAMS))
                    .toString())
            .directory(home.toFile())
            .redirectErrorStream(true)
            .redirectOutput(home.resolve("server.log").toFile());
    builder.environment().putAll(environment(home, ports));
    RabbitmqServer server = new RabbitmqServer(builder.start(), home, ports[0], ports[2]);
    try {
      Eventually.assertThat(LIMIT, server::answers);
    } catch (RuntimeException | Error e) {
      server.close();
      throw e;
    }
    return server;
  }

  private static Optional<Path> program() {
    if (!Files.isDirectory(PROGRAMS)) {
      return Optional.empty();
    }
    try (Stream<Path> versions = Files.list(PROGRAMS)) {
      return versions
          .map(version -> version.resolve("sbin/rabbitmq-server"))
          .filter(Files::isExecutable)
          .max(Path::compareTo);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static Map<String, String> environment(Path home, int[] ports) {
    return Map.ofEntries(
        Map.entry("HOME", home.toString()),
        Map.entry("LC_ALL", "C.UTF-8"),
        Map.entry("ERL_EPMD_ADDRESS", "127.0.0.1"),
        Map.entry("ERL_EPMD_PORT", String.valueOf(ports[2])),
        Map.entry("RABBITMQ_NODENAME", "callboard-%d@localhost".formatted(ports[0])),
        Map.entry("RABBITMQ_NODE_IP_ADDRESS", "127.0.0.1"),
        Map.entry("RABBITMQ_NODE_PORT", String.valueOf(ports[0])),
        Map.entry("RABBITMQ_DIST_PORT", String.valueOf(ports[1])),
        Map.entry("RABBITMQ_CONF_ENV_FILE", home.resolve("no-env.conf").toString()),
        Map.entry("RABBITMQ_CONFIG_FILE", home.resolve("rabbitmq.conf").toString()),
        Map.entry("RABBITMQ_ADVANCED_CONFIG_FILE", home.resolve("no-advanced.config").toString()),
        Map.entry("RABBITMQ_GENERATED_CONFIG_DIR", home.resolve("config").toString()),
        Map.entry("RABBITMQ_ENABLED_PLUGINS_FILE", home.resolve("no-plugins").toString()),
        Map.entry("RABBITMQ_MNESIA_BASE", home.resolve("mnesia").toString()),
        Map.entry("RABBITMQ_LOG_BASE", home.resolve("log").toString()),
        Map.entry("RABBITMQ_LOGS", "-"),
        Map.entry("RABBITMQ_PID_FILE", home.resolve("pid").toString()),
        Map.entry(
            "RABBITMQ_SERVER_ADDITIONAL_ERL_ARGS",
            "-kernel inet_dist_use_interface {127,0,0,1} +S 2:2"));
  }

  /** Checks that the server answers the header of AMQP with a frame of a method. */
  private void answers() {
    if (!process.isAlive()) {
      throw new IllegalStateException("RabbitMQ has ended, see " + home.resolve("server.log"));
    }
    try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
      socket.setSoTimeout(ANSWER_MILLIS);
      socket.getOutputStream().write(AMQP_0_9_1);
      int frame = socket.getInputStream().read();
      if (frame != METHOD) {
        throw new AssertionError("RabbitMQ answers with %d".formatted(frame));
      }
    } catch (IOException e) {
      throw new AssertionError("RabbitMQ does not answer yet", e);
    }
  }

  /** Returns its port. */
  public int port() {
    return port;
  }

  /** SIGSTOP. */
  public void freeze() throws IOException, InterruptedException {
    signal("-STOP");
  }

  /** SIGCONT. */
  public void thaw() throws IOException, InterruptedException {
    signal("-CONT");
  }

  private void signal(String name) throws IOException, InterruptedException {
    List<String> command = new ArrayList<>(List.of("kill", name));
    all().map(each -> String.valueOf(each.pid())).forEach(command::add);
    int code = new ProcessBuilder(command).start().waitFor();
    if (code != 0) {
      throw new IOException("%s ended with %d".formatted(command, code));
    }
  }

  /** A script, Erlang, and what Erlang has started. */
  private Stream<ProcessHandle> all() {
    return Stream.concat(Stream.of(process.toHandle()), process.descendants());
  }

  private void kill() {
    List<ProcessHandle> all = all().toList();
    all.forEach(ProcessHandle::destroyForcibly);
    Eventually.isTrue(
        "the processes of RabbitMQ end", () -> all.stream().noneMatch(ProcessHandle::isAlive));
    Eventually.assertThat(LIMIT, this::endMapper);
  }

  /** Ends the port mapper, which refuses while it knows a node. */
  private void endMapper() {
    ProcessBuilder builder =
        new ProcessBuilder("epmd", "-port", String.valueOf(mapper), "-kill")
            .redirectErrorStream(true);
    builder.environment().put("ERL_EPMD_ADDRESS", "127.0.0.1");
    try {
      Process ending = builder.start();
      String said = new String(ending.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      int code = ending.waitFor();
      if (code != 0 && !said.contains("Cannot connect")) {
        throw new AssertionError("epmd -kill ended with %d: %s".formatted(code, said));
      }
    } catch (IOException | InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  @Override
  public void close() {
    Runtime.getRuntime().removeShutdownHook(hook);
    kill();
  }
}
