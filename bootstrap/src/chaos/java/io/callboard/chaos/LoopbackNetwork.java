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
 * Network over the loopback interface: each connection leads through a {@link Line} of its pair of
 * hosts, which sees the other under an address of its own: {@code 127.1.<from>.<to>}. Data sent
 * over a cut line is held and delivered when it heals, as TCP repeats what was not acknowledged.
 */
final class LoopbackNetwork implements Network {
  private static final Duration CONNECTED_WITHIN = Duration.ofSeconds(30);

  private final Set<Way> cut = ConcurrentHashMap.newKeySet();
  private final Map<Way, Line> lines = new HashMap<>();

  @Override
  public void add(int host) {} // all are this one

  @Override
  public List<String> on(int host) {
    return List.of();
  }

  @Override
  public String address(int from, int to) {
    return lines.containsKey(new Way(from, to)) ? "127.1.%d.%d".formatted(from, to) : own(to);
  }

  @Override
  public String own(int host) {
    return "127.0.0.1";
  }

  @Override
  public void connect(int from, int to, int port) throws IOException {
    Way way = new Way(from, to);
    String address = "127.1.%d.%d".formatted(from, to);
    lines.put(way, new Line(this, way, address, port));
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
  @Override
  public void cut(List<Way> ways) throws IOException {
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

  @Override
  public void heal() {
    synchronized (cut) {
      cut.clear();
      cut.notifyAll();
    }
  }

  /** Ends every connection to and from a host; new ones are accepted. */
  void reset(int host) {
    of(host).forEach(Line::reset);
  }

  @Override
  public void down(int host) {
    to(host).forEach(Line::close);
  }

  @Override
  public void up(int host) throws Exception {
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
