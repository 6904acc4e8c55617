package io.callboard.dashboard;

import io.callboard.dashboard.internal.auth.TokenRules;
import io.callboard.dashboard.internal.contract.Address;
import io.callboard.dashboard.internal.contract.Role;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Login to the dashboard: by a file of users, by tokens of an issuer, or both.
 *
 * @param users file with a line for each user, as {@code callboard passwd} makes them; read again
 *     when it has changed
 * @param tokens tokens that are taken
 * @param idle time after its last use at which a browser's session ends
 * @param most time after its begin at which a browser's session ends in any case
 * @param proxies addresses of proxies, of which the client's address is taken (X-Forwarded-For)
 */
public record AuthOptions(
    Optional<Path> users,
    Optional<Tokens> tokens,
    Duration idle,
    Duration most,
    List<String> proxies) {
  /** Time after its last use at which a session ends, by default. */
  public static final Duration DEFAULT_IDLE = Duration.ofHours(1);

  /** Time after its begin at which a session ends, by default. */
  public static final Duration DEFAULT_MOST = Duration.ofHours(12);

  private static final Duration SHORTEST = Duration.ofMinutes(1);
  private static final Duration LONGEST = Duration.ofDays(30);

  /**
   * Tokens (JWT) of an issuer.
   *
   * @param keys file or URL with the issuer's public keys (JWKS); null to ask the issuer, by OpenID
   *     Connect discovery
   * @param issuer value of the claim {@code iss}
   * @param audience value that must be among those of the claim {@code aud}
   * @param userClaim claim with the name of the user, such as {@code sub}
   * @param roleClaim claim with the role or the roles; dots lead into objects, as in {@code
   *     realm_access.roles}
   * @param roles words viewer, operator and admin by the value of that claim that stands for each;
   *     if it is empty, the values are these words
   */
  public record Tokens(
      @Nullable String keys,
      String issuer,
      String audience,
      String userClaim,
      String roleClaim,
      Map<String, String> roles) {
    /**
     * Copies the map.
     *
     * @throws IllegalArgumentException if one of its values is no role
     */
    public Tokens {
      roles = Map.copyOf(roles);
      roles.values().forEach(word -> checkRole(word));
      if (issuer.isBlank() || audience.isBlank() || userClaim.isBlank() || roleClaim.isBlank()) {
        throw new IllegalArgumentException("issuer, audience and claims must not be empty");
      }
      if (keys == null && !issuer.matches("https?://.+")) {
        throw new IllegalArgumentException(
            "without keys the issuer must be a URL, at which they are asked for");
      }
      String where = keys == null ? issuer : keys;
      if (where.matches("http://.*") && !TokenRules.isSafe(where)) {
        throw new IllegalArgumentException(
            "the keys of tokens are read over https, or over http from this machine only, not from "
                + where);
      }
    }

    private static void checkRole(String word) {
      Role unused = Role.ofUser(word);
    }

    TokenRules rules() {
      Map<String, Role> byValue = new TreeMap<>();
      roles.forEach((value, word) -> byValue.put(value, Role.ofUser(word)));
      return new TokenRules(keys, issuer, audience, userClaim, roleClaim, byValue);
    }
  }

  /**
   * Checks the options.
   *
   * @throws IllegalArgumentException if there are neither users nor tokens, a time is too short or
   *     too long, or a proxy is no address
   */
  public AuthOptions {
    if (users.isEmpty() && tokens.isEmpty()) {
      throw new IllegalArgumentException("a login needs users or tokens");
    }
    checkTime("idle", idle);
    checkTime("most", most);
    proxies = proxies.stream().map(AuthOptions::address).toList();
  }

  private static String address(String text) {
    return Address.of(text)
        .map(Address::text)
        .orElseThrow(
            () -> new IllegalArgumentException("proxies are addresses, not names: " + text));
  }

  private static void checkTime(String name, Duration time) {
    if (time.compareTo(SHORTEST) < 0 || time.compareTo(LONGEST) > 0) {
      throw new IllegalArgumentException(
          "%s is %s to %s, not %s".formatted(name, SHORTEST, LONGEST, time));
    }
  }

  /** Returns options with the users of a file. */
  public static AuthOptions users(Path file) {
    return new AuthOptions(
        Optional.of(file), Optional.empty(), DEFAULT_IDLE, DEFAULT_MOST, List.of());
  }
}
