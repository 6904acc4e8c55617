package io.callboard.workflows.internal.worker;

import java.util.Set;

/**
 * Options of {@code http} steps on a node.
 *
 * @param allowedHosts host names and addresses, in lower case, that are called although they lead
 *     to this machine or this network segment alone; {@code *} allows all
 * @param mostBytes maximum number of bytes of a response body
 */
public record HttpStepOptions(Set<String> allowedHosts, int mostBytes) {
  /** Maximum number of bytes of a response body by default. */
  public static final int MOST_BYTES = 1 << 20;

  /** The defaults: no such hosts. */
  public static final HttpStepOptions DEFAULT = new HttpStepOptions(Set.of(), MOST_BYTES);

  /** Copies the hosts. */
  public HttpStepOptions {
    allowedHosts = Set.copyOf(allowedHosts);
  }

  /** Returns whether a near host is called all the same. */
  boolean allows(String host) {
    return allowedHosts.contains("*") || allowedHosts.contains(host);
  }
}
