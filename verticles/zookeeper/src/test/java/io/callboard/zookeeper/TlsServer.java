package io.callboard.zookeeper;

import io.callboard.testkit.FreePorts;
import io.callboard.testkit.Waits;
import io.callboard.zookeeper.access.ZooKeeperTls;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.apache.zookeeper.server.ZooKeeperServerMain;

/**
 * ZooKeeper's own server in a process of its own, with a {@code secureClientPort} and nothing else,
 * that wants a certificate of its clients. Certificates are made by keytool, below target/.
 */
final class TlsServer implements AutoCloseable {
  private static final String PASSWORD = "store-passw0rd";

  private final Path directory;
  private final int port;
  private final Process process;

  private TlsServer(Path directory, int port, Process process) {
    this.directory = directory;
    this.port = port;
    this.process = process;
  }

  static Path keytool() {
    return Path.of(System.getProperty("java.home"), "bin", "keytool");
  }

  static TlsServer start() throws Exception {
    Path directory = TestServers.directory("tls").toAbsolutePath();
    Files.writeString(directory.resolve("password"), PASSWORD + "\n");
    for (String name : List.of("server", "node", "stranger")) {
      makeKey(directory, name);
    }
    trust(directory, "trust-server.p12", "server");
    trust(directory, "trust-node.p12", "node");
    int port = FreePorts.one();
    Path configuration = Files.writeString(directory.resolve("zoo.cfg"), settings(directory, port));
    Process process =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "-XX:+UseSerialGC",
                "-cp",
                System.getProperty("java.class.path"),
                ZooKeeperServerMain.class.getName(),
                configuration.toString())
            .redirectErrorStream(true)
            .redirectOutput(directory.resolve("server.log").toFile())
            .start();
    return new TlsServer(directory, port, process);
  }

  private static String settings(Path directory, int port) {
    return String.join(
        "\n",
        "tickTime=500",
        "dataDir=" + directory.resolve("data"),
        "secureClientPort=" + port,
        "secureClientPortAddress=127.0.0.1",
        "serverCnxnFactory=org.apache.zookeeper.server.NettyServerCnxnFactory",
        "admin.enableServer=false",
        "ssl.clientAuth=need",
        "ssl.keyStore.location=" + directory.resolve("server.p12"),
        "ssl.keyStore.passwordPath=" + directory.resolve("password"),
        "ssl.trustStore.location=" + directory.resolve("trust-node.p12"),
        "ssl.trustStore.passwordPath=" + directory.resolve("password"));
  }

  private static void makeKey(Path directory, String name) throws Exception {
    keytool(
        directory,
        List.of("-genkeypair", "-alias", name, "-keyalg", "EC", "-dname", "CN=" + name),
        List.of("-ext", "SAN=ip:127.0.0.1", "-validity", "2", "-keystore", name + ".p12"));
    keytool(
        directory,
        List.of("-exportcert", "-alias", name, "-file", name + ".cer"),
        List.of("-keystore", name + ".p12"));
  }

  private static void trust(Path directory, String store, String name) throws Exception {
    keytool(
        directory,
        List.of("-importcert", "-noprompt", "-alias", name, "-file", name + ".cer"),
        List.of("-keystore", store));
  }

  private static void keytool(Path directory, List<String> command, List<String> more)
      throws IOException, InterruptedException {
    List<String> all = new ArrayList<>(List.of(keytool().toString()));
    all.addAll(List.of("-J-XX:TieredStopAtLevel=1", "-J-XX:+UseSerialGC")); // it lives for a moment
    all.addAll(command);
    all.addAll(more);
    all.addAll(List.of("-storetype", "PKCS12", "-storepass:file", "password"));
    Process process =
        new ProcessBuilder(all)
            .directory(directory.toFile())
            .redirectErrorStream(true)
            .redirectOutput(ProcessBuilder.Redirect.appendTo(directory.resolve("keytool").toFile()))
            .start();
    if (Waits.ended(process) != 0) {
      throw new IOException(
          "keytool failed: " + command + Files.readString(directory.resolve("keytool")));
    }
  }

  String connectString() {
    return "127.0.0.1:" + port;
  }

  Path file(String name) {
    return directory.resolve(name);
  }

  /** Trusts the server, or not; shows the certificate of {@code node} or {@code stranger}. */
  ZooKeeperTls tls(boolean trusting, String key) {
    return new ZooKeeperTls(
        trusting ? store("trust-server.p12") : store("trust-node.p12"), store(key + ".p12"));
  }

  ZooKeeperTls.StoreFile store(String name) {
    return new ZooKeeperTls.StoreFile(file(name), file("password"));
  }

  @Override
  public void close() throws InterruptedException {
    process.destroyForcibly().waitFor();
  }
}
