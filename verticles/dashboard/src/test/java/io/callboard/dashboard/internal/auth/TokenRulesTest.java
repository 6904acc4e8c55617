package io.callboard.dashboard.internal.auth;

import static org.assertj.core.api.Assertions.assertThat;

import io.callboard.dashboard.internal.contract.Role;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class TokenRulesTest {
  private static TokenRules rules(String claim) {
    return rules(claim, Map.of());
  }

  private static TokenRules rules(String claim, Map<String, Role> roles) {
    return new TokenRules(null, "i", "a", "sub", claim, roles);
  }

  @Test
  void theHighestOfTheRolesCounts() {
    assertThat(rules("roles").role(Map.of("roles", List.of("viewer", "operator", "other"))))
        .contains(Role.OPERATOR);
    assertThat(rules("roles").role(Map.of("roles", "admin"))).contains(Role.ADMIN);
  }

  @Test
  void withAMapOnlyItsEntriesCount() {
    TokenRules mapped = rules("roles", Map.of("ops", Role.OPERATOR));
    assertThat(mapped.role(Map.of("roles", List.of("ops", "admin")))).contains(Role.OPERATOR);
    assertThat(mapped.role(Map.of("roles", "admin"))).isEmpty();
  }

  @Test
  void dotsLeadIntoObjectsUnlessAClaimHasThem() {
    Map<String, Object> nested = Map.of("realm", Map.of("roles", List.of("viewer")));
    assertThat(rules("realm.roles").role(nested)).contains(Role.VIEWER);
    assertThat(rules("http://x.y/roles").role(Map.of("http://x.y/roles", "viewer")))
        .contains(Role.VIEWER);
  }

  @Test
  void aClaimWithoutARoleGivesNone() {
    assertThat(rules("roles").role(Map.of())).isEmpty();
    assertThat(rules("roles").role(Map.of("roles", List.of("ADMIN", "anyone", 7)))).isEmpty();
    assertThat(rules("roles").role(Map.of("roles", Map.of("admin", true)))).isEmpty();
    assertThat(rules("a.b").role(Map.of("a", "admin"))).isEmpty();
  }

  @Test
  void theUserIsAText() {
    assertThat(rules("roles").user(Map.of("sub", "ann"))).contains("ann");
    assertThat(rules("roles").user(Map.of("sub", 7))).isEmpty();
    assertThat(rules("roles").user(Map.of("sub", " "))).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "a\nb",
        "a\u001b[31mb",
        "a\u0085b",
        "a\u202eb",
        "a\u2028b",
        "local",
        "-",
        " local "
      })
  void aNameThatCouldForgeALineIsIgnored(String name) {
    assertThat(rules("roles").user(Map.of("sub", name))).isEmpty();
  }

  @Test
  void aNameHasALimit() {
    assertThat(rules("roles").user(Map.of("sub", "x".repeat(200)))).isPresent();
    assertThat(rules("roles").user(Map.of("sub", "x".repeat(201)))).isEmpty();
  }

  @Test
  void keysComeOverHttpsOrFromTheMachineItself() {
    assertThat(TokenRules.isSafe("https://login.example.org/keys")).isTrue();
    assertThat(TokenRules.isSafe("http://127.0.0.1:8080/keys")).isTrue();
    assertThat(TokenRules.isSafe("http://[::1]/keys")).isTrue();
    assertThat(TokenRules.isSafe("http://login.example.org/keys")).isFalse();
    assertThat(TokenRules.isSafe("http://127.0.0.1@login.example.org/")).isFalse();
    assertThat(TokenRules.isSafe("http://127.0.0.1.example.org/")).isFalse();
    assertThat(TokenRules.isSafe("file:///keys")).isFalse();
  }
}
