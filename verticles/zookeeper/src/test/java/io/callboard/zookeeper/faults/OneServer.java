package io.callboard.zookeeper.faults;

import io.callboard.testkit.FreePorts;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;

/** The embedded server in a process of its own. */
final class OneServer implements Servers {
  private static final String MAIN = EmbeddedMain.class.getName();

  private final Path directory;
  private final Path data;
  private final int port = FreePorts.one();
  private ChildProcess process;

  OneServer(String name) throws IOException {
    this(name, Path.of("data"));
  }

  /**
   * @param data where the data is to be, if absolute
   */
  OneServer(String name, Path data) throws IOException {
    directory = Servers.directory(name);
    this.data = directory.resolve(data).toAbsolutePath();
    process = start();
  }

  private ChildProcess start() throws IOException {
    List<String> jvm = List.of("-Dzookeeper.preAllocSize=4096");
    return ChildProcess.start(
        directory.resolve("server.log"), jvm, MAIN, data.toString(), String.valueOf(port));
  }

  /** Returns whether the server serves requests. */
  boolean answers() {
    try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
      socket.setSoTimeout(2_000);
      socket.getOutputStream().write("srvr".getBytes(StandardCharsets.US_ASCII));
      byte[] answer = socket.getInputStream().readAllBytes();
      return new String(answer, StandardCharsets.US_ASCII).contains("Mode: ");
    } catch (IOException e) {
      return false;
    }
  }

  @Override
  public List<Integer> ports() {
    return List.of(port);
  }

  @Override
  public void kill(int server) throws Exception {
    process.kill();
  }

  @Override
  public void restart(int server) throws Exception {
    Servers.keep(data, data.resolveSibling("logs"));
    process = start();
  }

  @Override
  public List<Path> logs() throws IOException {
    Servers.keep(data, data.resolveSibling("logs"));
    return List.of(data.resolveSibling("logs"));
  }

  @Override
  public Path directory() {
    return directory;
  }

  @Override
  public void close() throws Exception {
    process.close();
  }
}
