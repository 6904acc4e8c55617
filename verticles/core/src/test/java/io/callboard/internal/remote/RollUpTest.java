package io.callboard.internal.remote;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.callboard.admin.ActorCounts;
import io.callboard.admin.ActorStatus;
import io.callboard.admin.ActorStatus.State;
import io.callboard.admin.CircuitDetails;
import io.callboard.admin.Distribution;
import io.callboard.admin.DownActors;
import io.callboard.admin.FailureZoneStatus;
import io.callboard.admin.InterruptedActors;
import io.callboard.admin.MailSurvey;
import io.callboard.admin.MailboxStatus;
import io.callboard.admin.MailboxSurvey;
import io.callboard.admin.RemoteAdmin;
import io.callboard.admin.ZoneStatus;
import io.callboard.codecs.ActorPath;
import io.callboard.supervision.ChildKind;
import io.callboard.supervision.FailureStreak;
import io.callboard.supervision.FailureZone;
import io.callboard.supervision.Intensity;
import io.callboard.supervision.InterruptionStreak;
import io.callboard.supervision.RestartBudget;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** What a roll-up tells of a node in trouble, within its limits. */
class RollUpTest {
  private static final Instant NOW = Instant.parse("2026-11-27T12:00:00Z");
  private static final int MANY = 30;

  private final List<ActorStatus> oldest = new ArrayList<>();
  private final List<ActorStatus> reporting = new ArrayList<>();
  private final List<ZoneStatus> zones = new ArrayList<>();
  private final List<FailureZoneStatus> failureZones = new ArrayList<>();
  private final List<ActorStatus> failing = new ArrayList<>();
  private InterruptedActors interrupted = new InterruptedActors(0, List.of());

  /** Circuit that has been open for so many seconds; closed if they are negative. */
  private record Circuit(int seconds) implements CircuitDetails {
    @Override
    public @Nullable Instant openedAt() {
      return seconds < 0 ? null : NOW.minusSeconds(seconds);
    }

    @Override
    public boolean halfOpen() {
      return seconds == 1;
    }

    @Override
    public long failures() {
      return 6;
    }

    @Override
    public int held() {
      return 2;
    }
  }

  private record Other(int figure) {}

  private ObjectNode rollUp() {
    return RollUp.of(
        new ActorCounts(Map.of(), Map.of()),
        new DownActors(0, List.of(), Map.of()),
        new MailSurvey(
            NOW, 0, 0, 0, null, List.of(), oldest, new MailboxSurvey(0, List.of(), 0, 0, null)),
        failureZones,
        zones,
        reporting,
        failing,
        interrupted,
        NOW);
  }

  private static ActorStatus actor(
      String path, State state, @Nullable MailboxStatus mailbox, @Nullable Record details) {
    return actor(path, state, mailbox, details, null, null);
  }

  private static ActorStatus actor(
      String path,
      State state,
      @Nullable MailboxStatus mailbox,
      @Nullable Record details,
      @Nullable FailureStreak streak,
      @Nullable InterruptionStreak interruptions) {
    return new ActorStatus(
        ActorPath.of(path),
        "node-a",
        "Type",
        mailbox != null,
        "default",
        state,
        0,
        0,
        0,
        0,
        null,
        null,
        null,
        mailbox,
        details,
        null,
        null,
        null,
        ChildKind.PERMANENT,
        null,
        streak,
        interruptions);
  }

  private static FailureStreak streak(int seconds) {
    return new FailureStreak(NOW.minusSeconds(seconds), 7);
  }

  private static MailboxStatus mail(int seconds) {
    return new MailboxStatus(2, 1, NOW.minusSeconds(seconds), 0.5, 3, 0);
  }

  private static ZoneStatus zone(String name, boolean full, ZoneStatus.Blocked... blocked) {
    return new ZoneStatus(
        name,
        "fixed",
        2,
        2,
        10,
        blocked.length,
        7,
        full,
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

  private static ZoneStatus.Blocked blocked(@Nullable String actor, int seconds) {
    return new ZoneStatus.Blocked(
        "worker-1", actor, Duration.ofSeconds(seconds).plusMillis(12), List.of("at X"));
  }

  private static FailureZoneStatus failureZone(String path, FailureZoneStatus.State state) {
    return failureZone(path, state, null);
  }

  private static FailureZoneStatus failureZone(
      String path, FailureZoneStatus.State state, @Nullable FailureStreak streak) {
    return new FailureZoneStatus(
        ActorPath.of(path),
        "node-a",
        new FailureZone(),
        state,
        List.of(),
        0,
        null,
        null,
        null,
        null,
        0,
        0,
        null,
        RestartBudget.unused(Intensity.DEFAULT),
        ChildKind.PERMANENT,
        null,
        streak);
  }

  @Test
  void theCircuitsThatAreOpenForLongestAreToldAndAllCounted() {
    for (int i = 1; i <= MANY; i++) {
      reporting.add(actor("/guard/a" + i, State.RUNNING, null, new Circuit(i)));
    }
    reporting.add(actor("/guard/closed", State.RUNNING, null, new Circuit(-1)));
    reporting.add(actor("/other", State.RUNNING, null, new Other(7)));
    ObjectNode rollUp = rollUp();
    assertThat(rollUp.path("openCircuits").asInt()).isEqualTo(MANY);
    assertThat(rollUp.path("circuits")).hasSize(RemoteAdmin.MOST);
    assertThat(rollUp.at("/circuits/0").toString())
        .isEqualTo(
            "{\"path\":\"/guard/a30\",\"openedAt\":\"2026-11-27T11:59:30Z\",\"halfOpen\":false,\"failures\":6,\"held\":2}");
    assertThat(rollUp.has("circuitsOf")).as("those of all were looked at").isFalse();
    reporting.subList(1, reporting.size()).clear();
    assertThat(rollUp().at("/circuits/0/halfOpen").asBoolean()).isTrue();
    while (reporting.size() <= RollUp.MOST_REPORTING) {
      reporting.add(actor("/guard/b" + reporting.size(), State.RUNNING, null, new Circuit(-1)));
    }
    assertThat(rollUp().path("circuitsOf").asInt()).isEqualTo(RollUp.MOST_REPORTING);
  }

  @Test
  void theOldestMailIsToldOfActorsThatRunOnly() {
    oldest.add(actor("/failed", State.FAILED, mail(900), null));
    for (int i = 0; i < MANY; i++) {
      oldest.add(actor("/slow/a" + i, State.RUNNING, mail(800 - i), null));
    }
    ObjectNode rollUp = rollUp();
    assertThat(rollUp.path("oldest")).hasSize(RemoteAdmin.MOST);
    assertThat(rollUp.at("/oldest/0/path").asText()).isEqualTo("/slow/a0");
    assertThat(rollUp.at("/oldest/0/mailbox/oldestAt").asText()).isEqualTo("2026-11-27T11:46:40Z");
    assertThat(rollUp.at("/oldest/0/mailbox/depth").asInt()).isEqualTo(3);
    assertThat(rollUp.at("/oldest/0/mailbox/attempts").asInt()).isEqualTo(3);
  }

  @Test
  void blockedAndFullZonesComeFirst() {
    for (int i = 0; i < MANY; i++) {
      zones.add(zone("well" + i, false));
    }
    zones.add(zone("full", true));
    zones.add(zone("held", false, blocked("/shop/van", 8), blocked(null, 3)));
    ObjectNode rollUp = rollUp();
    assertThat(rollUp.path("threads")).hasSize(RemoteAdmin.MOST);
    assertThat(rollUp.at("/threads/0").toString())
        .isEqualTo(
            "{\"name\":\"held\",\"size\":2,\"maxSize\":2,\"busy\":2,\"queued\":7,\"full\":false,\"blocked\":2,\"starved\":true,\"blockedFor\":\"PT8.012S\",\"holders\":[\"/shop/van\",\"worker-1\"]}");
    assertThat(rollUp.at("/threads/1/name").asText()).isEqualTo("full");
    assertThat(rollUp.at("/threads/1/full").asBoolean()).isTrue();
    assertThat(rollUp.at("/threads/2/name").asText()).isEqualTo("well0");
  }

  @Test
  void actorsAndZonesThatFailForLongestAreToldWhateverTheyDo() {
    failureZones.add(failureZone("/well", FailureZoneStatus.State.RUNNING));
    failureZones.add(failureZone("/shop", FailureZoneStatus.State.RUNNING, streak(150)));
    for (int i = 0; i < RemoteAdmin.MOST - 1; i++) {
      failing.add(actor("/late/a" + i, State.STARTING, null, null, streak(200 - 10 * i), null));
    }
    ObjectNode rollUp = rollUp();
    assertThat(rollUp.path("failing")).hasSize(RemoteAdmin.MOST);
    assertThat(rollUp.at("/failing/0/path").asText()).isEqualTo("/late/a0");
    assertThat(rollUp.at("/failing/0/state").asText()).isEqualTo("STARTING");
    assertThat(rollUp.at("/failing/0/failingSince").asText()).isEqualTo("2026-11-27T11:56:40Z");
    assertThat(rollUp.at("/failing/0/failuresInARow").asInt()).isEqualTo(7);
    assertThat(rollUp.path("failing").findValuesAsText("path").indexOf("/shop")).isBetween(5, 6);
    assertThat(rollUp.has("failingFurther")).isFalse();
    failing.add(actor("/late/last", State.RUNNING, null, null, streak(1), null));
    rollUp = rollUp();
    assertThat(rollUp.path("failing")).hasSize(RemoteAdmin.MOST);
    assertThat(rollUp.path("failing").findValuesAsText("path")).doesNotContain("/late/last");
    assertThat(rollUp.path("failingFurther").asBoolean()).isTrue();
  }

  @Test
  void actorsThatStayInterruptedAreToldAndAllCounted() {
    assertThat(rollUp().path("interrupted").isArray()).isTrue();
    assertThat(rollUp().path("interruptedActors").asInt(-1)).isZero();
    List<ActorStatus> some = new ArrayList<>();
    for (int i = 0; i < MANY; i++) {
      InterruptionStreak streak =
          new InterruptionStreak(NOW.minusSeconds(900 - i), NOW.minusSeconds(2), 170);
      some.add(actor("/stuck/a" + i, State.WAITS, null, null, null, streak));
    }
    interrupted = new InterruptedActors(90_000, some);
    ObjectNode rollUp = rollUp();
    assertThat(rollUp.path("interruptedActors").asInt()).isEqualTo(90_000);
    assertThat(rollUp.path("interrupted")).hasSize(RemoteAdmin.MOST);
    assertThat(rollUp.path("failing")).as("they do not fail").isEmpty();
    JsonNode row = rollUp.at("/interrupted/0");
    assertThat(row.path("path").asText()).isEqualTo("/stuck/a0");
    assertThat(row.path("interruptedSince").asText()).isEqualTo("2026-11-27T11:45:00Z");
    assertThat(row.path("interruptedAt").asText()).isEqualTo("2026-11-27T11:59:58Z");
    assertThat(row.path("interruptionsInARow").asInt()).isEqualTo(170);
    assertThat(row.has("failingSince")).isFalse();
  }

  @Test
  void failedZonesComeBeforeThoseThatRestWithThem() {
    for (int i = 0; i < MANY; i++) {
      failureZones.add(failureZone("/a" + i, FailureZoneStatus.State.RESTS));
    }
    failureZones.add(failureZone("/waits", FailureZoneStatus.State.WAITS));
    failureZones.add(failureZone("/z", FailureZoneStatus.State.FAILED));
    ObjectNode rollUp = rollUp();
    assertThat(rollUp.path("failedZones")).hasSize(RemoteAdmin.MOST);
    assertThat(rollUp.at("/failedZones/0/path").asText()).isEqualTo("/z");
    assertThat(rollUp.at("/failedZones/1/path").asText()).isEqualTo("/waits");
  }
}
