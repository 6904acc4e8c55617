package io.callboard.bootstrap;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/**
 * Licences of what Callboard is delivered with, by the bills of materials that {@code mvn verify}
 * makes of the launcher, which has all modules but the testkit in it, and of the testkit. Skipped
 * where there are none, see {@link Published}.
 */
class LicencesIT {
  /** Under one of these is enough; several licences of a component are a choice. */
  private static final Set<String> PERMISSIVE =
      Set.of(
          "Apache-2.0",
          "BSD-2-Clause",
          "BSD-3-Clause",
          "MIT",
          "MIT-0",
          "Apache 2",
          "Go License"); // BSD-3-Clause, as RE2/J's POM spells it

  /** Weak copyleft, used as it is: each of them was looked at, and no other comes in unseen. */
  private static final Set<String> ACCEPTED =
      Set.of(
          "ch.qos.logback:logback-classic EPL-2.0 LGPL-2.1-only",
          "ch.qos.logback:logback-core EPL-2.0 LGPL-2.1-only",
          "com.h2database:h2 MPL-2.0 EPL-1.0",
          "org.jdom:jdom2 Similar to Apache License but with the acknowledgment clause removed");

  /** The testkit's users have JUnit anyway. */
  private static final String JUNIT = "org.junit.";

  @Test
  void theLicencesOfTheLauncherArePermissive() throws IOException {
    List<String> others = notPermissive(Path.of("target"), 60);
    assertThat(others).containsExactlyInAnyOrderElementsOf(ACCEPTED);
  }

  @Test
  void theLicencesOfTheTestkitArePermissiveOrThatOfJunit() throws IOException {
    assertThat(notPermissive(Path.of("..", "verticles", "testkit", "target"), 20))
        .isNotEmpty()
        .allMatch(
            each ->
                ACCEPTED.contains(each) || (each.startsWith(JUNIT) && each.endsWith(" EPL-2.0")));
  }

  private static List<String> notPermissive(Path target, int atLeast) throws IOException {
    Path bom = Published.required(target.resolve("bom.json"));
    JsonNode components = new ObjectMapper().readTree(bom.toFile()).path("components");
    assertThat(components).as("components of " + bom).hasSizeGreaterThan(atLeast);
    List<String> others = new ArrayList<>();
    for (JsonNode component : components) {
      List<String> licences = licences(component);
      boolean ours = component.path("group").asText().equals("io.callboard");
      if (!ours && licences.stream().noneMatch(PERMISSIVE::contains)) {
        others.add(
            "%s:%s %s"
                .formatted(
                    component.path("group").asText(),
                    component.path("name").asText(),
                    String.join(" ", licences)));
      }
    }
    return others;
  }

  private static List<String> licences(JsonNode component) {
    List<String> all = new ArrayList<>();
    for (JsonNode each : component.path("licenses")) {
      JsonNode licence = each.path("license");
      String name = licence.path("name").asText(each.path("expression").asText());
      String id = licence.path("id").asText(name);
      all.add(id.replace("EPL 1.0", "EPL-1.0")); // as H2's own POM spells it
    }
    return all;
  }
}
