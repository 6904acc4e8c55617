package io.callboard.dashboard.internal.contract;

import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * Address of a client, read without asking for a name. Pure.
 *
 * @param text in the one form that each address has here
 * @param network what one client has: the address itself, of IPv6 the network of 64 bits, in which
 *     a client can take any address
 * @param loopback whether it is that of this machine itself
 */
public record Address(String text, String network, boolean loopback) {
  private static final int NETWORK_BYTES = 8;
  private static final String NUMBER = "(25[0-5]|2[0-4]\\d|1?\\d?\\d)";
  private static final Pattern V4 = Pattern.compile(NUMBER + "(\\." + NUMBER + "){3}");
  private static final Pattern V6 =
      Pattern.compile("[0-9a-fA-F]{0,4}:[0-9a-fA-F:.]{1,50}(%[\\w.-]{1,20})?");

  /** Parses an address; empty if the text is not one. */
  public static Optional<Address> of(String text) {
    String bare = text.startsWith("[") && text.endsWith("]") ? inner(text) : text;
    if (!V4.matcher(bare).matches() && !V6.matcher(bare).matches()) {
      return Optional.empty();
    }
    try {
      return Optional.of(of(InetAddress.getByName(bare.replaceFirst("%.*", ""))));
    } catch (UnknownHostException e) {
      return Optional.empty(); // colons alone make no address
    }
  }

  private static Address of(InetAddress address) {
    String text = address.getHostAddress();
    byte[] bytes = address.getAddress();
    String network =
        address instanceof Inet6Address
            ? HexFormat.of().formatHex(Arrays.copyOf(bytes, NETWORK_BYTES)) + "::/64"
            : text;
    return new Address(text, network, address.isLoopbackAddress());
  }

  private static String inner(String text) {
    return text.substring(1, text.length() - 1);
  }
}
