package io.callboard.chaos.hosts;

import java.io.IOException;
import java.util.List;

/**
 * Network between the hosts, each of which is a number: each direction between two of them can be
 * cut alone. What a host sends over a cut direction is held or dropped, and neither end is told.
 */
public interface Network extends AutoCloseable {
  /** A direction. */
  record Way(int from, int to) {
    /** Returns the opposite direction. */
    public Way back() {
      return new Way(to, from);
    }
  }

  /** Adds a host; the driver, which runs in this process, is none of them. */
  void add(int host) throws IOException;

  /**
   * Leads what {@code from} connects to that port of {@code to} there.
   *
   * @param to a host that was added
   */
  void connect(int from, int to, int port) throws IOException;

  /** Returns the address under which {@code from} sees {@code to}. */
  String address(int from, int to);

  /** Returns the address on which a host listens, at which the driver reaches it uncut. */
  String own(int host);

  /** Returns what a command begins with that is to run on a host. */
  List<String> on(int host);

  /** Cuts directions, beside those that are cut. */
  void cut(List<Way> ways) throws IOException;

  /** Mends all that is cut. */
  void heal() throws IOException;

  /** Connects a host to the others again, before its process starts. */
  void up(int host) throws Exception;

  /** Refuses connections to a host, whose process has ended. */
  void down(int host);

  @Override
  void close() throws IOException;
}
