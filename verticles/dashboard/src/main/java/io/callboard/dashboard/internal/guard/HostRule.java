package io.callboard.dashboard.internal.guard;

import io.vertx.core.net.HostAndPort;
import java.net.URI;
import java.net.URISyntaxException;
import java.util.Collection;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Rule for the names under which the node may be addressed, and for the pages that may send
 * requests. Pure.
 *
 * <p>A hostile page can make its own name resolve to 127.0.0.1 (DNS rebinding); the browser then
 * takes node and page for one origin, but the Host header still holds the page's name.
 */
public final class HostRule {
  private static final Set<String> LOOPBACK = Set.of("localhost", "127.0.0.1", "::1");
  private static final Set<String> ANY_ADDRESS = Set.of("0.0.0.0", "::");
  private static final Pattern ADDRESS =
      Pattern.compile("\\d{1,3}(\\.\\d{1,3}){3}|[0-9a-f]*:[0-9a-f:.]+");

  private final Set<String> names = new TreeSet<>(LOOPBACK);
  private final Set<String> added = new TreeSet<>();
  private final boolean anyAddress;

  /**
   * Creates the rule.
   *
   * @param bound address on which the server listens; if it stands for all addresses, every literal
   *     address is allowed, since no name is resolved for one
   * @param more additional names
   */
  public HostRule(String bound, Collection<String> more) {
    names.add(bare(bound));
    more.forEach(name -> added.add(bare(name)));
    names.addAll(added);
    anyAddress = ANY_ADDRESS.contains(bare(bound));
  }

  /** Returns whether only processes of this machine can reach {@code address}. */
  public static boolean isLoopback(String address) {
    String bare = bare(address);
    return LOOPBACK.contains(bare) || bare.matches("127(\\.\\d{1,3}){3}");
  }

  /** Returns whether a request may be addressed to {@code authority}; null if it names none. */
  public boolean allowsHost(@Nullable HostAndPort authority) {
    if (authority == null) {
      return false;
    }
    String host = bare(authority.host());
    return names.contains(host) || (anyAddress && ADDRESS.matcher(host).matches());
  }

  /**
   * Returns whether a page of {@code origin} was loaded from the authority to which the request
   * goes. Under a name that was added, such as a proxy's, the scheme may differ, since TLS may end
   * at the proxy; under the node's own names it must be the request's.
   *
   * @param origin value of the header; null, as sent by programs, is allowed
   * @param secure whether the request came over TLS
   */
  public boolean allowsOrigin(
      @Nullable String origin, @Nullable HostAndPort authority, boolean secure) {
    if (origin == null) {
      return true;
    }
    try {
      URI page = new URI(origin);
      if (authority == null || page.getHost() == null || page.getScheme() == null) {
        return false;
      }
      boolean ours = page.getScheme().equals(secure ? "https" : "http");
      boolean proxied = page.getScheme().matches("https?") && added.contains(bare(page.getHost()));
      if (!ours && !proxied) {
        return false;
      }
      int usual = page.getScheme().equals("https") ? 443 : 80;
      int pagePort = page.getPort() < 0 ? usual : page.getPort();
      int port = authority.port() < 0 ? usual : authority.port();
      return bare(page.getHost()).equals(bare(authority.host())) && pagePort == port;
    } catch (URISyntaxException e) {
      return false;
    }
  }

  private static String bare(String host) {
    String lower = host.toLowerCase(Locale.ROOT);
    return lower.startsWith("[") && lower.endsWith("]")
        ? lower.substring(1, lower.length() - 1)
        : lower;
  }
}
