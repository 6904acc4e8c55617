package io.callboard.testkit;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assumptions;

/**
 * Temporary PostgreSQL server on a free port of the loopback interface, for tests of code that uses
 * a database. It needs the server's programs where Debian's packages have them. It refuses to run
 * as root, so root starts it as the user that its package makes; its data is in a directory for
 * temporary files, where that user can reach it, and removed at the end.
 *
 * <pre>{@code
 * try (PostgresServer server = PostgresServer.start(false)) {
 *   Archive.open(vertx, server.schema("test"));
 * }
 * }</pre>
 */
public final class PostgresServer implements AutoCloseable {
  private static final Path PROGRAMS = Path.of("/usr/lib/postgresql");
  private static final String USER = "postgres";
  private static final long LIMIT_SECONDS = 60;

  private final Path data;
  private final Process process;
  private final int port;

  private PostgresServer(Path data, Process process, int port) {
    this.data = data;
    this.process = process;
    this.port = port;
  }

  /** Returns whether PostgreSQL is installed on this machine. */
  public static boolean isInstalled() {
    return programs().isPresent();
  }

  /**
   * Skips the test that calls it where PostgreSQL is not installed; it goes on, and fails, if the
   * variable {@code CALLBOARD_REQUIRE_POSTGRES} of the environment is {@code true}.
   */
  public static void assumeInstalled() {
    boolean required = Boolean.parseBoolean(System.getenv("CALLBOARD_REQUIRE_POSTGRES"));
    Assumptions.assumeTrue(
        required || isInstalled(),
        "there is no PostgreSQL server on this machine: install Debian's package postgresql");
  }

  /**
   * Starts a server; returns when it answers.
   *
   * @param durable whether a commit is on disk when it returns, which is slower
   * @throws IllegalStateException if PostgreSQL is not installed, or does not start
   */
  public static PostgresServer start(boolean durable) throws IOException, InterruptedException {
    Path programs =
        programs()
            .orElseThrow(
                () -> new IllegalStateException("there is no PostgreSQL server in " + PROGRAMS));
    Path data = Files.createTempDirectory("callboard-postgres-");
    try {
      own(data);
      run(
          programs.resolve("initdb"),
          "--no-sync",
          "-D",
          data.toString(),
          "-A",
          "trust",
          "-U",
          USER);
      int port = FreePorts.one();
      Process process =
          process(
                  programs.resolve("postgres"),
                  "-D",
                  data.toString(),
                  "-p",
                  Integer.toString(port),
                  "-c",
                  "listen_addresses=127.0.0.1",
                  "-c",
                  "unix_socket_directories=",
                  "-c",
                  "fsync=" + (durable ? "on" : "off"))
              .start();
      PostgresServer server = new PostgresServer(data, process, port);
      Eventually.assertThat(Duration.ofSeconds(LIMIT_SECONDS), server::answers);
      return server;
    } catch (IOException | RuntimeException | AssertionError e) {
      delete(data);
      throw e;
    }
  }

  private void answers() {
    if (!process.isAlive()) {
      throw new IllegalStateException("the PostgreSQL server has ended");
    }
    try (Connection unused = DriverManager.getConnection(url(""))) {
      // it answers
    } catch (SQLException e) {
      throw new AssertionError("the PostgreSQL server does not answer yet", e);
    }
  }

  private static Optional<Path> programs() {
    if (!Files.isDirectory(PROGRAMS)) {
      return Optional.empty();
    }
    try (Stream<Path> versions = Files.list(PROGRAMS)) {
      return versions
          .map(version -> version.resolve("bin"))
          .filter(bin -> Files.isExecutable(bin.resolve("postgres")))
          .max(Path::compareTo);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static boolean isRoot() {
    return System.getProperty("user.name").equals("root");
  }

  private static void own(Path data) throws IOException {
    if (isRoot()) {
      var unused =
          Files.setOwner(
              data,
              data.getFileSystem().getUserPrincipalLookupService().lookupPrincipalByName(USER));
    }
  }

  private static ProcessBuilder process(Path program, String... arguments) {
    List<String> command = new ArrayList<>();
    if (isRoot()) {
      command.addAll(List.of("setpriv", "--reuid", USER, "--regid", USER, "--clear-groups"));
    }
    command.add(program.toString());
    command.addAll(List.of(arguments));
    ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
    builder.environment().put("LC_ALL", "C");
    return builder.directory(Path.of("/").toFile()).redirectOutput(ProcessBuilder.Redirect.DISCARD);
  }

  private static void run(Path program, String... arguments)
      throws IOException, InterruptedException {
    Process process = process(program, arguments).start();
    if (!process.waitFor(LIMIT_SECONDS, TimeUnit.SECONDS)) {
      process.destroyForcibly();
      throw new IllegalStateException(program + " does not end");
    } else if (process.exitValue() != 0) {
      throw new IllegalStateException(program + " ended with " + process.exitValue());
    }
  }

  /** Returns host and port. */
  public String address() {
    return "127.0.0.1:" + port;
  }

  private String url(String more) {
    return "jdbc:postgresql://%s/postgres?user=%s%s".formatted(address(), USER, more);
  }

  /** Creates a schema of that name and returns its JDBC URL. */
  public String schema(String name) throws SQLException {
    try (Connection connection = DriverManager.getConnection(url(""));
        Statement statement = connection.createStatement()) {
      boolean unused = statement.execute("create schema " + name);
    }
    return url("&currentSchema=" + name);
  }

  /**
   * Returns the processor time that its processes have used which are alive, those of open
   * connections included.
   */
  public Duration processorTime() {
    return Stream.concat(Stream.of(process.toHandle()), process.descendants())
        .map(each -> each.info().totalCpuDuration().orElse(Duration.ZERO))
        .reduce(Duration.ZERO, Duration::plus);
  }

  @Override
  public void close() throws IOException, InterruptedException {
    process.destroy();
    if (!process.waitFor(10, TimeUnit.SECONDS)) {
      process.destroyForcibly().waitFor();
    }
    delete(data);
  }

  private static void delete(Path directory) throws IOException {
    var unused =
        Files.walkFileTree(
            directory,
            new SimpleFileVisitor<>() {
              @Override
              public FileVisitResult visitFile(Path file, BasicFileAttributes attributes)
                  throws IOException {
                Files.delete(file);
                return FileVisitResult.CONTINUE;
              }

              @Override
              public FileVisitResult postVisitDirectory(Path each, IOException failure)
                  throws IOException {
                Files.delete(each);
                return FileVisitResult.CONTINUE;
              }
            });
  }
}
