package io.callboard.servers;

import io.callboard.testkit.Eventually;
import io.callboard.testkit.FreePorts;
import java.io.ByteArrayOutputStream;
import java.io.File;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.kafka.clients.admin.Admin;

/**
 * Broker of Kafka on the loopback interface, in a JVM of its own. It needs {@code
 * org.apache.kafka:kafka_2.13} on the class path.
 */
public final class KafkaServer implements AutoCloseable {
  private static final Duration LIMIT = Duration.ofMinutes(2);

  private final Process process;
  private final int port;
  private final Path log;

  private KafkaServer(Process process, int port, Path log) {
    this.process = process;
    this.port = port;
    this.log = log;
  }

  /**
   * Starts one; returns when it answers.
   *
   * @param parent gets a directory with its data and its log
   */
  public static KafkaServer start(Path parent) throws Exception {
    int[] ports = FreePorts.several(2);
    Path home =
        Files.createTempDirectory(Files.createDirectories(parent.toAbsolutePath()), "kafka-");
    Path settings = home.resolve("server.properties");
    Files.writeString(settings, settings(home, ports[0], ports[1]));
    format(settings);
    Path log = home.resolve("server.log");
    List<String> command =
        List.of(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "-XX:TieredStopAtLevel=1",
            "-XX:+UseSerialGC",
            "-Xmx256m",
            "-cp",
            System.getProperty("java.class.path"),
            KafkaServerProcess.class.getName(),
            settings.toString());
    File output = log.toFile();
    Process process =
        new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(output).start();
    KafkaServer server = new KafkaServer(process, ports[0], log);
    try (Admin admin = Admin.create(Map.of("bootstrap.servers", server.address()))) {
      Eventually.assertThat(LIMIT, () -> server.answers(admin));
    } catch (Exception | Error e) {
      server.close();
      throw e;
    }
    return server;
  }

  private static String settings(Path home, int port, int controller) {
    return """
        process.roles=broker,controller
        node.id=1
        controller.quorum.voters=1@127.0.0.1:%2$d
        listeners=PLAINTEXT://127.0.0.1:%1$d,CONTROLLER://127.0.0.1:%2$d
        advertised.listeners=PLAINTEXT://127.0.0.1:%1$d
        controller.listener.names=CONTROLLER
        inter.broker.listener.name=PLAINTEXT
        log.dirs=%3$s
        auto.create.topics.enable=false
        default.replication.factor=1
        offsets.topic.num.partitions=1
        offsets.topic.replication.factor=1
        transaction.state.log.num.partitions=1
        transaction.state.log.replication.factor=1
        transaction.state.log.min.isr=1
        group.initial.rebalance.delay.ms=0
        group.min.session.timeout.ms=500
        num.network.threads=2
        num.io.threads=2
        """
        .formatted(port, controller, home.resolve("data").toString().replace("\\", "/"));
  }

  private static void format(Path settings) {
    ByteArrayOutputStream output = new ByteArrayOutputStream();
    PrintStream printed = new PrintStream(output, true, StandardCharsets.UTF_8);
    String[] arguments = {"format", "-t", "Y2FsbGJvYXJkLXRlc3RzLQ", "-c", settings.toString()};
    if (kafka.tools.StorageTool.execute(arguments, printed) != 0) {
      throw new IllegalStateException("no storage: " + output.toString(StandardCharsets.UTF_8));
    }
  }

  private void answers(Admin admin) {
    if (!process.isAlive()) {
      throw new IllegalStateException("the broker has ended, see " + log);
    }
    try {
      var unused = admin.describeCluster().nodes().get(5, TimeUnit.SECONDS);
    } catch (ExecutionException | TimeoutException e) {
      throw new AssertionError("the broker does not answer yet", e);
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  /** Returns host and port. */
  public String address() {
    return "127.0.0.1:" + port;
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
    int code = new ProcessBuilder("kill", name, String.valueOf(process.pid())).start().waitFor();
    if (code != 0) {
      throw new IOException("kill %s ended with %d".formatted(name, code));
    }
  }

  @Override
  public void close() throws InterruptedException {
    process.destroyForcibly();
    if (!process.waitFor(20, TimeUnit.SECONDS)) {
      throw new IllegalStateException("the broker %d does not end".formatted(process.pid()));
    }
  }
}
