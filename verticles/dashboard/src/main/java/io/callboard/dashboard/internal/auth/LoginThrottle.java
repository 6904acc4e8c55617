package io.callboard.dashboard.internal.auth;

import io.callboard.dashboard.internal.contract.Address;
import io.callboard.supervision.Backoff;
import io.callboard.supervision.ExponentialBackoff;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Brake of failed logins, as a machine without I/O. Each failure of a user from an address beyond a
 * few, and of an address beyond some more, doubles the time until the next attempt; after a while
 * without one all is forgotten. No address can lock a user out elsewhere. The machine's own address
 * has no limit of its own, as it may be that of a proxy; of IPv6 a network of 64 bits is one
 * address. Bounded: of many at once, those that failed longest ago are forgotten first. Not
 * thread-safe.
 */
final class LoginThrottle {
  /** Failures of a user from an address that cost no time. */
  static final int FREE_OF_USER = 5;

  /** Failures of an address, of whichever users, that cost no time. */
  static final int FREE_OF_ADDRESS = 20;

  /** Longest time until the next attempt. */
  static final Duration LONGEST = Duration.ofMinutes(1);

  /** Time after which failures are forgotten. */
  static final Duration FORGOTTEN = Duration.ofMinutes(15);

  /** Maximum number of users and addresses that are remembered. */
  static final int MOST = 10_000;

  private static final ExponentialBackoff DELAYS =
      Backoff.exponential(Duration.ofSeconds(1), LONGEST);

  private final Map<String, Failures> remembered = new LinkedHashMap<>();

  private record Failures(int count, long atMs) {}

  /**
   * Returns the time until the next attempt may be made, in milliseconds; 0 if it may be made now.
   */
  long waitMs(String user, String address, long nowMs) {
    long wait = waitMs(ofUser(user, address), FREE_OF_USER, nowMs);
    return isShared(address)
        ? wait
        : Math.max(wait, waitMs(ofAddress(address), FREE_OF_ADDRESS, nowMs));
  }

  private long waitMs(String key, int free, long nowMs) {
    Failures failures = remembered.get(key);
    if (failures == null || failures.count() < free) {
      return 0;
    }
    long delay = DELAYS.longest(failures.count() - free + 1).toMillis();
    return Math.max(0, failures.atMs() + delay - nowMs);
  }

  /** Records an attempt, which counts as failed until it has {@link #succeeded}. */
  void begun(String user, String address, long nowMs) {
    List<String> keys =
        isShared(address)
            ? List.of(ofUser(user, address))
            : List.of(ofUser(user, address), ofAddress(address));
    for (String key : keys) {
      Failures before = remembered.remove(key);
      int counted =
          before == null || nowMs - before.atMs() >= FORGOTTEN.toMillis() ? 0 : before.count();
      remembered.put(key, new Failures(counted + 1, nowMs));
    }
    while (remembered.size() > MOST) {
      remembered.remove(remembered.keySet().iterator().next());
    }
  }

  /**
   * Forgets the failures of a user from an address, and does not count this attempt for the
   * address.
   */
  void succeeded(String user, String address) {
    remembered.remove(ofUser(user, address));
    remembered.computeIfPresent(
        ofAddress(address),
        (key, failures) ->
            failures.count() == 1 ? null : new Failures(failures.count() - 1, failures.atMs()));
  }

  /** Returns how many users and addresses are remembered. */
  int size() {
    return remembered.size();
  }

  /** Returns whether an address may stand for any number of clients, behind a proxy perhaps. */
  private static boolean isShared(String address) {
    return Address.of(address).filter(Address::loopback).isPresent();
  }

  private static String ofUser(String user, String address) {
    return ofAddress(address) + " " + user;
  }

  private static String ofAddress(String address) {
    return Address.of(address).map(Address::network).orElse(address);
  }
}
