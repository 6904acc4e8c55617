package io.callboard.zookeeper.faults;

import static org.assertj.core.api.Assertions.assertThat;

import io.callboard.testkit.Eventually;
import io.callboard.testkit.FreePorts;
import io.callboard.testkit.Waits;
import io.callboard.zookeeper.EnsembleServer;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The main class of ZooKeeper's servers, in a process of its own. */
@Tag("long")
@Tag("real")
class EnsembleServerTest {
  private static final String JAVA =
      Path.of(System.getProperty("java.home"), "bin", "java").toString();

  @TempDir Path directory;

  private Process start(String... arguments) throws IOException {
    List<String> command =
        List.of(
            JAVA,
            "-XX:TieredStopAtLevel=1",
            "-XX:+UseSerialGC",
            "-cp",
            System.getProperty("java.class.path"),
            EnsembleServer.class.getName());
    ProcessBuilder builder = new ProcessBuilder(new ArrayList<>(command));
    builder.command().addAll(List.of(arguments));
    return builder
        .redirectOutput(directory.resolve("out").toFile())
        .redirectError(directory.resolve("err").toFile())
        .start();
  }

  private String configuration(int port, String more) throws IOException {
    Files.writeString(directory.resolve("myid"), "1");
    Path file = directory.resolve("zoo.cfg");
    Files.writeString(
        file,
        """
        tickTime=500
        initLimit=20
        syncLimit=6
        admin.enableServer=false
        clientPortAddress=127.0.0.1
        4lw.commands.whitelist=srvr
        clientPort=%d
        dataDir=%s
        %s
        """
            .formatted(port, directory, more));
    return file.toString();
  }

  private static String says(int port) {
    try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
      socket.setSoTimeout(2_000);
      socket.getOutputStream().write("srvr".getBytes(StandardCharsets.US_ASCII));
      InputStream answer = socket.getInputStream();
      return new String(answer.readAllBytes(), StandardCharsets.US_ASCII);
    } catch (IOException e) {
      return "";
    }
  }

  @Test
  void oneServerServesIfItIsListed() throws Exception {
    int[] ports = FreePorts.several(3);
    String servers =
        "standaloneEnabled=false%nserver.1=127.0.0.1:%d:%d".formatted(ports[1], ports[2]);
    Process process = start(configuration(ports[0], servers));
    try {
      Eventually.assertThat(() -> assertThat(says(ports[0])).contains("Mode: leader"));
    } finally {
      process.destroyForcibly().waitFor();
    }
  }

  @Test
  void aWrongConfigurationIsOneLineThatSaysWhatWouldBeRight() throws Exception {
    Process unlisted = start(configuration(FreePorts.one(), ""));
    ended(unlisted, 2, "server.1=HOST:2888:3888", "standaloneEnabled=false");
    ended(start(), 2, "configuration file");
    ended(start(directory.resolve("none.cfg").toString()), 2, "none.cfg");
  }

  private void ended(Process process, int code, String... says) throws Exception {
    try {
      Waits.ended(process);
      assertThat(process.exitValue()).isEqualTo(code);
      assertThat(Files.readAllLines(directory.resolve("err")))
          .filteredOn(line -> !line.startsWith("SLF4J"))
          .singleElement()
          .asString()
          .contains(says);
    } finally {
      process.destroyForcibly().waitFor();
    }
  }
}
