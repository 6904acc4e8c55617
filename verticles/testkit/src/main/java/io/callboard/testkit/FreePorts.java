package io.callboard.testkit;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/**
 * Finder of free ports of the loopback interface, for processes whose port is configured. The ports
 * lie below those that systems assign to outgoing connections (from 32768 on Linux, from 49152
 * elsewhere), which could take one before its process has started.
 */
public final class FreePorts {
  private static final int FIRST = 15_000;
  private static final int END = 32_000;
  private static final int MOST_TRIES = 1_000;

  private FreePorts() {}

  /** Returns a port that was free a moment ago. */
  public static int one() throws IOException {
    return several(1)[0];
  }

  /** Returns several different ports that were free a moment ago. */
  public static int[] several(int count) throws IOException {
    SplittableRandom random = new SplittableRandom();
    List<ServerSocket> held = new ArrayList<>();
    try {
      for (int tried = 0; held.size() < count; tried++) {
        ServerSocket socket = new ServerSocket();
        held.add(socket);
        try {
          int port = random.nextInt(FIRST, END);
          socket.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), 1);
        } catch (IOException taken) {
          held.remove(socket);
          socket.close();
          if (tried == MOST_TRIES) {
            throw taken;
          }
        }
      }
      return held.stream().mapToInt(ServerSocket::getLocalPort).toArray();
    } finally {
      for (ServerSocket socket : held) {
        socket.close();
      }
    }
  }
}
