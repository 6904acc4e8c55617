package io.callboard.zookeeper.faults;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;

import io.callboard.testkit.Waits;
import io.callboard.zookeeper.faults.CrashPoint.Moment;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/** Runs a {@link CrashMain} until it is killed, with a network of its own. */
final class CrashProcess {
  private static final int PATIENCE_S = 60;

  private final CrashPoint point;
  private final FaultProxy network;
  private final Process process;
  private final List<String> told = new ArrayList<>();
  private final List<String> output = new ArrayList<>();

  private CrashProcess(CrashPoint point, FaultProxy network) throws IOException {
    this.point = point;
    this.network = network;
    List<String> command = new ArrayList<>(ChildClasses.java());
    command.addAll(List.of("-Xmx128m", CrashMain.class.getName(), network.connectString()));
    command.addAll(
        List.of(point.step().name(), point.moment().name(), String.valueOf(point.run())));
    this.process = new ProcessBuilder(command).redirectErrorStream(true).start();
  }

  /**
   * Blocks until the process is dead.
   *
   * @param port of the server
   * @param log where what it prints is kept
   * @return what it told of its notes; empty if its fatal note took another way
   */
  static Optional<List<String>> run(CrashPoint point, int port, Path log) throws Exception {
    try (FaultProxy network = new FaultProxy(port)) {
      CrashProcess child = new CrashProcess(point, network);
      Thread orphanage = new Thread(child.process::destroyForcibly);
      Runtime.getRuntime().addShutdownHook(orphanage);
      try {
        return child.toItsEnd(log);
      } finally {
        child.kill();
        boolean unused = Runtime.getRuntime().removeShutdownHook(orphanage);
      }
    }
  }

  private Optional<List<String>> toItsEnd(Path log) throws Exception {
    Thread listener = new Thread(this::listen, "crash-" + point.cell());
    listener.setDaemon(true);
    listener.start();
    boolean ended = process.waitFor(PATIENCE_S, TimeUnit.SECONDS);
    if (!ended) {
      kill();
    }
    listener.join(TimeUnit.SECONDS.toMillis(PATIENCE_S));
    Files.write(log, output);
    if (ended && process.exitValue() == CrashMain.MISSED) {
      return Optional.empty();
    }
    if (!ended || process.exitValue() != CrashingStore.KILLED) {
      throw new AssertionError(
          "%s was never come to: exit %s, see %s"
              .formatted(point, ended ? process.exitValue() : "none", log.toAbsolutePath()));
    }
    return Optional.of(told);
  }

  private void listen() {
    try (BufferedReader in =
        new BufferedReader(new InputStreamReader(process.getInputStream(), UTF_8))) {
      for (String line = in.readLine(); line != null; line = in.readLine()) {
        output.add(line);
        if (line.startsWith(CrashMain.PREFIX + CrashMain.CATCH)) {
          arm(line.substring((CrashMain.PREFIX + CrashMain.CATCH).length()));
        } else if (line.startsWith(CrashMain.PREFIX)) {
          told.add(line.substring(CrashMain.PREFIX.length()));
        }
      }
    } catch (IOException e) {
      output.add("its output ended: " + e);
    }
  }

  private void arm(String marker) throws IOException {
    boolean delivered = point.moment() == Moment.APPLIED;
    network.trap(new FaultProxy.Trap(marker.getBytes(ISO_8859_1), delivered, this::kill));
    OutputStream toChild = process.getOutputStream();
    toChild.write((CrashMain.READY + "\n").getBytes(UTF_8));
    toChild.flush();
  }

  /** SIGKILL; returns when it is dead. */
  private void kill() {
    Waits.ended(process.destroyForcibly());
  }
}
