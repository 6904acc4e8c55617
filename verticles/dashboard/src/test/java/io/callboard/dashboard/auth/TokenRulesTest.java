package io.callboard.dashboard.auth;

import static org.assertj.core.api.Assertions.assertThat;

import io.callboard.dashboard.contract.Role;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class TokenRulesTest {
  private static TokenRules rules(String claim) {
    return new TokenRules(null, "i", "a", "sub", claim, Map.of("ops", Role.OPERATOR));
  }

  @Test
  void theHighestOfTheRolesCounts() {
    assertThat(rules("roles").role(Map.of("roles", List.of("viewer", "ops", "other"))))
        .contains(Role.OPERATOR);
    assertThat(rules("roles").role(Map.of("roles", "admin"))).contains(Role.ADMIN);
  }

  @Test
  void dotsLeadIntoObjectsUnlessAClaimHasThem() {
    Map<String, Object> nested = Map.of("realm", Map.of("roles", List.of("viewer")));
    assertThat(rules("realm.roles").role(nested)).contains(Role.VIEWER);
    assertThat(rules("http://x.y/roles").role(Map.of("http://x.y/roles", "viewer")))
        .contains(Role.VIEWER);
  }

  @Test
  void whatStandsForNoRoleGivesNone() {
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
}
