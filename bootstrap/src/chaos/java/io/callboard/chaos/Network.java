package io.callboard.chaos;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Network between the hosts: each connection leads through a {@link Line} of its pair of hosts, so
 * each direction of each pair can be cut alone. A host is a number; each sees the others under
 * loopback addresses of its own: {@code 127.1.<from>.<to>}. Data sent over a cut line is held and
 * delivered when it heals, as TCP repeats what was not acknowledged.
 */
final class Network implements AutoCloseable {
  private static final Duration CONNECTED_WITHIN = Duration.ofSeconds(30);

  private final Set<Way> cut = ConcurrentHashMap.newKeySet();
  private final Map<Way, Line> lines = new HashMap<>();

  /** A direction. */
  record Way(int from, int to) {
    Way back() {
      return new Way(to, from);
    }
  }

  /** Returns the address under which {@code from} sees {@code to}. */
  static String address(int from, int to) {
    return "127.1.%d.%d".formatted(from, to);
  }

  /**
   * Leads what connects to {@code to} there.
   *
   * @param port of both ends
   */
  void line(int from, int to, int port) throws IOException {
    Way way = new Way(from, to);
    lines.put(way, new Line(this, way, address(from, to), port));
  }

  /** Returns whether data sent that way is held now. */
  boolean isCut(Way way) {
    return cut.contains(way);
  }

  /** Returns when that way is not cut. */
  void awaitOpen(Way way) throws InterruptedException {
    synchronized (cut) {
      while (cut.contains(way)) {
        cut.wait();
      }
    }
  }

  /**
   * Waits for a connection, for a cut where nothing is sent would be none.
   *
   * @throws IOException if there is none within half a minute, although nothing is in its way
   */
  void cut(List<Way> ways) throws IOException {
    if (!Await.holds(
        CONNECTED_WITHIN, () -> ways.stream().anyMatch(way -> isUsed(way) || isUsed(way.back())))) {
      throw new IOException("there is no connection to cut: " + ways);
    }
    synchronized (cut) {
      cut.addAll(ways);
    }
  }

  private boolean isUsed(Way way) {
    Line line = lines.get(way);
    return line != null && line.isUsed();
  }

  void heal() {
    synchronized (cut) {
      cut.clear();
      cut.notifyAll();
    }
  }

  /** Ends every connection to and from a host; new ones are accepted. */
  void reset(int host) {
    of(host).forEach(Line::reset);
  }

  /** Removes the host: connections to it are refused. */
  void down(int host) {
    to(host).forEach(Line::close);
  }

  void up(int host) throws Exception {
    for (Line line : to(host)) {
      line.open();
    }
  }

  private List<Line> to(int host) {
    List<Line> all = new ArrayList<>();
    lines.forEach(
        (way, line) -> {
          if (way.to() == host) {
            all.add(line);
          }
        });
    return all;
  }

  private List<Line> of(int host) {
    List<Line> all = new ArrayList<>();
    lines.forEach(
        (way, line) -> {
          if (way.to() == host || way.from() == host) {
            all.add(line);
          }
        });
    return all;
  }

  @Override
  public void close() {
    heal();
    lines.values().forEach(Line::close);
  }
}
