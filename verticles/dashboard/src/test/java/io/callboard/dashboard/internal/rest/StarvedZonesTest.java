package io.callboard.dashboard.internal.rest;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.callboard.admin.Distribution;
import io.callboard.admin.ZoneStatus;
import io.callboard.admin.ZoneStatus.Blocked;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

class StarvedZonesTest {
  private static Blocked blocked(String actor, int seconds) {
    return new Blocked("thread of " + actor, actor, Duration.ofSeconds(seconds), List.of());
  }

  private static ZoneStatus zone(int size, Blocked... blocked) {
    return new ZoneStatus(
        "default",
        "fork-join",
        size,
        size,
        10,
        blocked.length,
        7,
        false,
        Duration.ZERO,
        Duration.ZERO,
        null,
        0,
        0,
        0,
        blocked.length,
        List.of(blocked),
        new Distribution(new long[0], new long[1], 0),
        Duration.ZERO);
  }

  private static ObjectNode told(ZoneStatus zone) {
    ObjectNode body = JsonNodeFactory.instance.objectNode();
    StarvedZones.report(List.of(zone), body);
    return body;
  }

  @Test
  void aZoneWithoutAFreeThreadForAMinuteIsNamedWithTheHolders() {
    ObjectNode body = told(zone(2, blocked("/tt/spin0", 90), blocked("/tt/spin1", 60)));
    assertThat(body.at("/degraded/0/zone").asText()).isEqualTo("default");
    assertThat(body.at("/degraded/0/detail").asText())
        .isEqualTo(
            "none of its 2 threads has been free for 60 s and 7 slices wait; the threads are held by /tt/spin0,"
                + " /tt/spin1");
  }

  @Test
  void aZoneWithAFreeThreadOrNotForLongIsNotNamed() {
    assertThat(told(zone(2, blocked("/tt/spin0", 90), blocked("/tt/spin1", 59)))).isEmpty();
    assertThat(told(zone(2, blocked("/tt/spin0", 90)))).isEmpty();
    assertThat(told(zone(0, blocked("/tt/spin0", 90)))).isEmpty();
  }
}
