package io.callboard.dashboard.auth;

import io.callboard.dashboard.contract.Role;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Rules for tokens (JWT) of an issuer: which are taken, and what their bearer may do. Pure.
 *
 * @param keys file or URL of the issuer's public keys (JWKS); null to ask the issuer (OpenID
 *     Connect discovery)
 * @param issuer value that the claim {@code iss} must have
 * @param audience value that must be among those of the claim {@code aud}
 * @param userClaim claim with the name of the user
 * @param roleClaim claim with the role or the roles; dots lead into objects
 * @param roles roles by value of that claim; values that are the word of a role need no entry
 */
public record TokenRules(
    @Nullable String keys,
    String issuer,
    String audience,
    String userClaim,
    String roleClaim,
    Map<String, Role> roles) {
  /** Copies the map. */
  public TokenRules {
    roles = Map.copyOf(roles);
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
    Role mapped = roles.get(value);
    return mapped != null
        ? Optional.of(mapped)
        : Role.ofUsers().stream().filter(role -> role.word().equals(value)).findFirst();
  }

  /** Returns the name of the user; empty if the claims have none. */
  Optional<String> user(Map<String, Object> claims) {
    return claim(claims, userClaim) instanceof String name && !name.isBlank()
        ? Optional.of(name)
        : Optional.empty();
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
