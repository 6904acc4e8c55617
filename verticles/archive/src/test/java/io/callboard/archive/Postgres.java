package io.callboard.archive;

import static org.assertj.core.api.Assertions.assertThat;

import io.callboard.testkit.Eventually;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assumptions;

/**
 * A PostgreSQL server of its own on a free port of the loopback interface. It refuses to run as
 * root, so root starts it as the user that its package makes, with its data outside of {@code
 * target}, where that user can reach them; they are removed at the end.
 */
final class Postgres implements AutoCloseable {
  private static final String USER = "postgres";

  private final Path data;
  private final Process process;
  private final int port;

  private Postgres(Path data, Process process, int port) {
    this.data = data;
    this.process = process;
    this.port = port;
  }

  static Postgres start() throws Exception {
    Optional<Path> programs = programs();
    if (programs.isEmpty()) {
      String why = "there is no PostgreSQL server below /usr/lib/postgresql";
      if (Boolean.parseBoolean(System.getenv("CALLBOARD_REQUIRE_POSTGRES"))) {
        throw new AssertionError(why);
      }
      Assumptions.abort(why);
    }
    Path data = Files.createTempDirectory("callboard-postgres-");
    try {
      own(data);
      run(programs.get().resolve("initdb"), "-D", data.toString(), "-A", "trust", "-U", USER);
      int port = freePort();
      Process process =
          process(
                  programs.get().resolve("postgres"),
                  "-D",
                  data.toString(),
                  "-p",
                  Integer.toString(port),
                  "-c",
                  "listen_addresses=127.0.0.1",
                  "-c",
                  "unix_socket_directories=",
                  "-c",
                  "fsync=off")
              .start();
      Postgres server = new Postgres(data, process, port);
      Eventually.assertThat(server::answers);
      return server;
    } catch (Exception | AssertionError e) {
      delete(data);
      throw e;
    }
  }

  private void answers() {
    assertThat(process.isAlive()).isTrue();
    try (Connection unused = DriverManager.getConnection(url(""))) {
      // it is up
    } catch (SQLException e) {
      throw new AssertionError("the server does not answer yet", e);
    }
  }

  private static Optional<Path> programs() throws IOException {
    Path all = Path.of("/usr/lib/postgresql");
    if (!Files.isDirectory(all)) {
      return Optional.empty();
    }
    try (Stream<Path> versions = Files.list(all)) {
      return versions
          .map(version -> version.resolve("bin"))
          .filter(bin -> Files.isExecutable(bin.resolve("postgres")))
          .max(Path::compareTo);
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

  private static void run(Path program, String... arguments) throws Exception {
    Process process = process(program, arguments).start();
    assertThat(process.waitFor(60, TimeUnit.SECONDS)).as(program.toString()).isTrue();
    assertThat(process.exitValue()).as(program.toString()).isZero();
  }

  private static int freePort() throws IOException {
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return socket.getLocalPort();
    }
  }

  private String url(String more) {
    return "jdbc:postgresql://127.0.0.1:%d/postgres?user=%s%s".formatted(port, USER, more);
  }

  /** The address of a new schema of that name. */
  String schema(String name) throws SQLException {
    try (Connection connection = DriverManager.getConnection(url(""));
        Statement statement = connection.createStatement()) {
      boolean unused = statement.execute("create schema " + name);
    }
    return url("&currentSchema=" + name);
  }

  @Override
  public void close() throws Exception {
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
