package io.callboard.zookeeper.faults;

import io.callboard.testkit.FreePorts;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;
import java.util.stream.IntStream;

/** Three servers that agree. */
final class Ensemble implements Servers {
  private static final int MEMBERS = 3;

  private final Path directory;
  private final List<Integer> ports = new ArrayList<>();
  private final List<ChildProcess> processes = new ArrayList<>();

  Ensemble(String name) throws IOException {
    directory = Servers.directory(name);
    StringBuilder members = new StringBuilder();
    int[] free = FreePorts.several(3 * MEMBERS);
    for (int i = 0; i < MEMBERS; i++) {
      ports.add(free[i]);
      members.append(
          "server.%d=127.0.0.1:%d:%d%n".formatted(i, free[MEMBERS + i], free[2 * MEMBERS + i]));
    }
    for (int i = 0; i < MEMBERS; i++) {
      configure(i, members.toString());
      processes.add(start(i));
    }
  }

  private void configure(int member, String members) throws IOException {
    Path data = Files.createDirectories(data(member));
    Files.writeString(data.resolve("myid"), String.valueOf(member));
    Files.writeString(
        directory.resolve("zoo%d.cfg".formatted(member)),
        """
        tickTime=500
        initLimit=20
        syncLimit=6
        minSessionTimeout=1000
        maxClientCnxns=0
        clientPortAddress=127.0.0.1
        4lw.commands.whitelist=srvr
        snapCount=1000000
        clientPort=%d
        dataDir=%s
        %s
        """
            .formatted(ports.get(member), data, members));
  }

  private Path data(int member) {
    return directory.resolve("data" + member).toAbsolutePath();
  }

  /** A member that comes back is sent what it missed, and seldom a snapshot. */
  private ChildProcess start(int member) throws IOException {
    return ChildProcess.start(
        directory.resolve("server%d.log".formatted(member)),
        List.of(
            "-Dzookeeper.preAllocSize=4096",
            "-Dzookeeper.admin.enableServer=false",
            "-Dzookeeper.jmx.log4j.disable=true",
            "-Dzookeeper.snapshotSizeFactor=100000"),
        MemberMain.class.getName(),
        directory.resolve("zoo%d.cfg".formatted(member)).toString());
  }

  /** The member that leads now. */
  OptionalInt leader() {
    return IntStream.range(0, MEMBERS).filter(i -> mode(i).contains("leader")).findFirst();
  }

  boolean isWhole() {
    return IntStream.range(0, MEMBERS).allMatch(i -> mode(i).matches("leader|follower"));
  }

  private String mode(int member) {
    try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), ports.get(member))) {
      socket.setSoTimeout(2_000);
      socket.getOutputStream().write("srvr".getBytes(StandardCharsets.US_ASCII));
      String answer = new String(socket.getInputStream().readAllBytes(), StandardCharsets.US_ASCII);
      return answer
          .lines()
          .filter(l -> l.startsWith("Mode: "))
          .findFirst()
          .orElse("")
          .replace("Mode: ", "");
    } catch (IOException down) {
      return "down";
    }
  }

  @Override
  public List<Integer> ports() {
    return ports;
  }

  @Override
  public void kill(int server) throws Exception {
    processes.get(server).kill();
  }

  @Override
  public void restart(int server) throws Exception {
    processes.set(server, start(server));
  }

  @Override
  public List<Path> logs() {
    return IntStream.range(0, MEMBERS).mapToObj(i -> data(i).resolve("version-2")).toList();
  }

  @Override
  public Path directory() {
    return directory;
  }

  @Override
  public void close() throws Exception {
    for (ChildProcess process : processes) {
      process.close();
    }
  }
}
