package io.callboard.dashboard.internal.auth;

import io.callboard.dashboard.internal.contract.Caller;
import io.callboard.dashboard.internal.contract.Role;
import io.callboard.dashboard.internal.guard.HostRule;
import java.net.URI;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Rules for tokens (JWT) of an issuer: which are accepted, and the roles of their bearers. Pure.
 *
 * @param keys file or URL of the issuer's public keys (JWKS); null to ask the issuer (OpenID
 *     Connect discovery)
 * @param issuer value that the claim {@code iss} must have
 * @param audience value that must be among those of the claim {@code aud}
 * @param userClaim claim with the name of the user
 * @param roleClaim claim with the role or the roles; dots lead into objects
 * @param roles roles by value of that claim; if it is empty, the values are the words of roles
 */
public record TokenRules(
    @Nullable String keys,
    String issuer,
    String audience,
    String userClaim,
    String roleClaim,
    Map<String, Role> roles) {
  private static final int MOST_NAME = 200;

  /** Characters that begin a line, command a terminal or reverse text. */
  private static final Pattern UNSEEN = Pattern.compile("[\\p{Cc}\\p{Cf}\\p{Cs}\\p{Zl}\\p{Zp}]");

  /** Copies the map. */
  public TokenRules {
    roles = Map.copyOf(roles);
  }

  /**
   * Returns whether keys may be read at a URL: over http only from this machine, as anybody on the
   * way could supply other keys.
   */
  public static boolean isSafe(String url) {
    if (url.startsWith("https://")) {
      return true;
    }
    try {
      String host = URI.create(url).getHost();
      return url.startsWith("http://") && host != null && HostRule.isLoopback(host);
    } catch (IllegalArgumentException e) {
      return false; // no URL at all
    }
  }

  /** Returns the highest role that the claims of a token give; empty if they give none. */
  Optional<Role> role(Map<String, Object> claims) {
    Object given = claim(claims, roleClaim);
    List<?> values =
        given instanceof List<?> list ? list : given == null ? List.of() : List.of(given);
    return values.stream()
        .flatMap(value -> ofValue(String.valueOf(value)).stream())
        .max(Role::compareTo);
  }

  private Optional<Role> ofValue(String value) {
    return !roles.isEmpty()
        ? Optional.ofNullable(roles.get(value))
        : Role.ofUsers().stream().filter(role -> role.word().equals(value)).findFirst();
  }

  /** Returns the name of the user; empty if the claims have none. */
  Optional<String> user(Map<String, Object> claims) {
    return claim(claims, userClaim) instanceof String name && isName(name)
        ? Optional.of(name)
        : Optional.empty();
  }

  /** Returns whether a name stands for somebody, in one line, and for nobody of this node. */
  private static boolean isName(String name) {
    return !name.isBlank()
        && name.length() <= MOST_NAME
        && !UNSEEN.matcher(name).find()
        && !name.strip().equals(Caller.LOCAL.name())
        && !name.strip().equals(Caller.NOBODY.name());
  }

  private static @Nullable Object claim(Map<?, ?> claims, String path) {
    Object whole = claims.get(path);
    int dot = path.indexOf('.');
    if (whole != null || dot < 0) {
      return whole;
    }
    return claims.get(path.substring(0, dot)) instanceof Map<?, ?> inner
        ? claim(inner, path.substring(dot + 1))
        : null;
  }
}
