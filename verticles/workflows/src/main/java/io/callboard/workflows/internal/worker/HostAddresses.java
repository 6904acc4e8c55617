package io.callboard.workflows.internal.worker;

import io.callboard.workflows.model.PermanentStepException;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/**
 * Addresses that {@code http} steps may call: any but those that lead to this machine or to its
 * network segment alone (loopback, link-local with the metadata services of clouds, unspecified,
 * multicast), unless their host is allowed. Addresses of private networks are called: the services
 * that a workflow uses are there.
 *
 * <p>The name is resolved once, and the request goes to the address that was checked, so that a
 * name that leads elsewhere the next time is no way around it.
 */
final class HostAddresses {
  /** Metadata services of clouds whose addresses are not link-local. */
  private static final List<byte[]> METADATA =
      List.of(
          new byte[] {100, 100, 100, (byte) 200}, // Alibaba
          new byte[] {(byte) 192, 0, 0, (byte) 192}, // Oracle
          new byte[] {(byte) 168, 63, (byte) 129, 16}, // Azure
          v6(0xfd00, 0x00c1, 0xa9fe, 0xa9fe), // Oracle
          v6(0xfd00, 0x0042, 0, 0x42), // Scaleway
          v6(0xfd20, 0x00ce, 0, 0x254)); // Google

  private final Vertx vertx;
  private final HttpStepOptions options;

  /** Creates the check with the options of a node. */
  HostAddresses(Vertx vertx, HttpStepOptions options) {
    this.vertx = vertx;
    this.options = options;
  }

  /** Completes with an address of a host that may be called. */
  Future<InetAddress> of(String host) {
    String name = host.startsWith("[") ? host.substring(1, host.length() - 1) : host;
    return vertx
        .executeBlocking(() -> resolve(name), false)
        .map(all -> choose(name.toLowerCase(Locale.ROOT), all));
  }

  private static List<InetAddress> resolve(String host) {
    try {
      return Arrays.asList(InetAddress.getAllByName(host));
    } catch (UnknownHostException e) {
      throw new HttpStepException("there is no address for the host %.200s".formatted(host));
    }
  }

  private InetAddress choose(String host, List<InetAddress> all) {
    for (InetAddress address : all) {
      if (!isNear(address) || options.allows(host)) {
        return address;
      }
    }
    throw new PermanentStepException(
        "host %s is refused: its address %s leads to this machine or its network segment alone; an operator can allow the host"
            .formatted(host, all.get(0).getHostAddress()));
  }

  private static byte[] v6(int first, int second, int seventh, int eighth) {
    return ByteBuffer.allocate(16)
        .putShort((short) first)
        .putShort((short) second)
        .putShort(12, (short) seventh)
        .putShort(14, (short) eighth)
        .array();
  }

  /** Returns whether an address leads to this machine or its network segment alone. */
  static boolean isNear(InetAddress address) {
    return address.isLoopbackAddress()
        || address.isLinkLocalAddress()
        || address.isAnyLocalAddress()
        || address.isMulticastAddress()
        || isNear(address.getAddress());
  }

  /** Returns whether the bytes of an address are near, or stand for an IPv4 address that is. */
  private static boolean isNear(byte[] bytes) {
    if (METADATA.stream().anyMatch(each -> Arrays.equals(each, bytes))) {
      return true;
    } else if (bytes.length == 4) {
      return bytes[0] == 0 || (bytes[0] & 0xf0) == 0xf0; // "this network", reserved, broadcast
    }
    boolean compatible = begins(bytes, new int[12]);
    boolean translated = begins(bytes, 0x00, 0x64, 0xff, 0x9b);
    boolean sixToFour = begins(bytes, 0x20, 0x02);
    boolean teredo = begins(bytes, 0x20, 0x01, 0x00, 0x00);
    return begins(bytes, 0xfd, 0x00, 0x0e, 0xc2) // Amazon
        || ((compatible || translated) && isNearV4(bytes, 12, 0))
        || (sixToFour && isNearV4(bytes, 2, 0))
        || (teredo && (isNearV4(bytes, 4, 0) || isNearV4(bytes, 12, 0xff)));
  }

  private static boolean begins(byte[] bytes, int... with) {
    for (int i = 0; i < with.length; i++) {
      if ((bytes[i] & 0xff) != with[i]) {
        return false;
      }
    }
    return true;
  }

  /** Returns whether four bytes are a near IPv4 address once they are xored. */
  private static boolean isNearV4(byte[] bytes, int from, int mask) {
    byte[] v4 = Arrays.copyOfRange(bytes, from, from + 4);
    for (int i = 0; i < v4.length; i++) {
      v4[i] ^= (byte) mask;
    }
    return isNear(address(v4));
  }

  private static InetAddress address(byte[] bytes) {
    try {
      return InetAddress.getByAddress(bytes);
    } catch (UnknownHostException e) {
      throw new IllegalArgumentException("an address has 4 or 16 bytes", e);
    }
  }
}
