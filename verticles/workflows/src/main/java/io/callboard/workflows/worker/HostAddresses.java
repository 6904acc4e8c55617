package io.callboard.workflows.worker;

import io.callboard.workflows.model.PermanentStepException;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.net.InetAddress;
import java.net.UnknownHostException;
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
  private final Vertx vertx;
  private final HttpStepOptions options;

  /** Creates it with the options of a node. */
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

  /** Returns whether an address leads to this machine or its network segment alone. */
  static boolean isNear(InetAddress address) {
    return address.isLoopbackAddress()
        || address.isLinkLocalAddress()
        || address.isAnyLocalAddress()
        || address.isMulticastAddress()
        || isNearEmbedded(address.getAddress());
  }

  /** Returns whether an IPv6 address stands for a near IPv4 address, or the metadata service. */
  private static boolean isNearEmbedded(byte[] bytes) {
    if (bytes.length == 4) {
      return bytes[0] == 0 || (bytes[0] & 0xf0) == 0xf0; // "this network", reserved, broadcast
    }
    boolean metadata = (bytes[0] & 0xff) == 0xfd && bytes[1] == 0 && (bytes[2] & 0xff) == 0x0e;
    boolean compatible = true;
    for (int i = 0; i < 12; i++) {
      compatible &= bytes[i] == 0;
    }
    boolean translated = bytes[0] == 0 && bytes[1] == 0x64 && (bytes[2] & 0xff) == 0xff;
    if (!compatible && !translated) {
      return metadata;
    }
    try {
      return isNear(InetAddress.getByAddress(Arrays.copyOfRange(bytes, 12, 16)));
    } catch (UnknownHostException e) {
      return true;
    }
  }
}
