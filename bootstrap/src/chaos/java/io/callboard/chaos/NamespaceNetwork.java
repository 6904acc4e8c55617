package io.callboard.chaos;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.NetworkInterface;
import java.net.SocketException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Network of hosts with addresses of their own, on Linux: each is a network namespace, connected by
 * a pair of virtual interfaces to the namespace of this process, which routes between them, and in
 * which the driver is. A cut direction is a rule of the router that drops what it would forward,
 * silently, as a broken link does: who sends learns it from its own timeouts.
 *
 * <p>This process needs namespaces of its own for network and mounts, so that nothing of the
 * machine's network changes, and all goes with its processes: {@code bin/chaos --network} gives it
 * them.
 */
final class NamespaceNetwork implements Network {
  private static final Path NAMESPACES = Path.of("/run/netns");
  private static final String DRIVER = "10.77.0.1";

  private final Set<Integer> hosts = new LinkedHashSet<>();
  private final Set<Way> cut = new LinkedHashSet<>();

  /**
   * Makes this process the router.
   *
   * @throws IOException if it has the network of the machine, or may not change its own
   */
  NamespaceNetwork() throws IOException {
    ip("link set lo up"); // as it is on every machine
    if (hasNetwork()) {
      throw new IOException(
          "this process has the network of the machine: run bin/chaos --network, which gives it"
              + " one of its own");
    }
    ip("address add %s/32 dev lo".formatted(DRIVER));
    Files.writeString(Path.of("/proc/sys/net/ipv4/ip_forward"), "1");
  }

  private static boolean hasNetwork() throws SocketException {
    return NetworkInterface.networkInterfaces().anyMatch(NamespaceNetwork::isOutward);
  }

  private static boolean isOutward(NetworkInterface each) {
    try {
      return each.isUp() && !each.isLoopback();
    } catch (SocketException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static String name(int host) {
    return "host-" + host;
  }

  @Override
  public void add(int host) throws IOException {
    String name = name(host);
    String gateway = "10.77.%d.1".formatted(host);
    hosts.add(host);
    ip(
        "netns add " + name,
        "link add v%d type veth peer name eth0 netns %s".formatted(host, name),
        "address add %s/24 dev v%d".formatted(gateway, host),
        "link set v%d up".formatted(host));
    inside(
        name,
        "link set lo up",
        "address add %s/24 dev eth0".formatted(own(host)),
        "link set eth0 up",
        "route add default via " + gateway);
  }

  @Override
  public void connect(int from, int to, int port) {} // every host has a route to every other

  @Override
  public List<String> on(int host) {
    return List.of("nsenter", "--net=" + NAMESPACES.resolve(name(host)), "--");
  }

  @Override
  public String address(int from, int to) {
    return own(to);
  }

  @Override
  public String own(int host) {
    return hosts.contains(host) ? "10.77.%d.2".formatted(host) : DRIVER;
  }

  @Override
  public void cut(List<Way> ways) throws IOException {
    List<Way> news = ways.stream().filter(cut::add).toList();
    rules("add", news);
  }

  @Override
  public void heal() throws IOException {
    rules("del", List.copyOf(cut));
    cut.clear();
  }

  private void rules(String verb, List<Way> ways) throws IOException {
    if (!ways.isEmpty()) {
      ip(
          ways.stream()
              .map(
                  way ->
                      "rule %s from %s to %s blackhole"
                          .formatted(verb, own(way.from()), own(way.to())))
              .toArray(String[]::new));
    }
  }

  @Override
  public void up(int host) {} // its interface is always up

  @Override
  public void down(int host) {} // its kernel refuses what no process listens for

  private static void ip(String... lines) throws IOException {
    run(List.of("ip", "-batch", "-"), lines);
  }

  private static void inside(String namespace, String... lines) throws IOException {
    run(List.of("ip", "-netns", namespace, "-batch", "-"), lines);
  }

  private static void run(List<String> command, String... lines) throws IOException {
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    String input = List.of(lines).stream().map(line -> line + "\n").collect(Collectors.joining());
    try (var in = process.getOutputStream()) {
      in.write(input.getBytes(StandardCharsets.US_ASCII));
    }
    String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    try {
      int code = process.waitFor();
      if (code != 0) {
        List<String> all = new ArrayList<>(List.of(lines));
        throw new IOException("%s of %s: %s".formatted(command, all, said.strip()));
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted: " + command, e);
    }
  }

  @Override
  public void close() throws IOException {
    heal(); // the namespaces go with the processes
  }
}
