package io.callboard.dashboard.attention;

import com.fasterxml.jackson.databind.JsonNode;
import io.callboard.admin.RemoteAdmin;
import io.callboard.dashboard.attention.Subject.Kind;
import io.callboard.grid.GridStatus;
import io.callboard.grid.MissingNode;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import java.util.stream.StreamSupport;
import org.jspecify.annotations.Nullable;

/**
 * Rules about what is on the other nodes, by their roll-ups. Of what a node of another version does
 * not tell, they say nothing. Pure.
 */
final class NodeTroubles {
  private static final String FAILED = "FAILED";
  private static final String WAITS = "WAITS";

  private final String node;
  private final JsonNode rollUp;

  /** Time of the node, by whose clock its other times are. */
  private final Instant at;

  private final Consumer<Trouble> found;

  private NodeTroubles(String node, JsonNode rollUp, Instant now, Consumer<Trouble> found) {
    this.node = node;
    this.rollUp = rollUp;
    this.found = found;
    Instant told = instant(rollUp, "at");
    this.at = told == null ? now : told;
  }

  static void check(Facts facts, Instant now, Consumer<Trouble> found) {
    GridStatus grid = facts.grid().value();
    Set<String> suspects =
        (grid == null ? List.<MissingNode>of() : grid.missing())
            .stream()
                .filter(MissingNode::member)
                .map(MissingNode::bootId)
                .collect(Collectors.toSet());
    for (OtherNode other : facts.others().items()) {
      // while the store is away, that is the trouble; of a suspect the grid says so
      if (facts.members().isFresh() && !suspects.contains(other.member().bootId())) {
        silent(other, now, found);
      }
      JsonNode rollUp = other.rollUp().value();
      if (rollUp != null) {
        said(other.member().name(), rollUp, now, found);
      }
    }
  }

  private static void silent(OtherNode other, Instant now, Consumer<Trouble> found) {
    if (!other.isSilent(now)) {
      return;
    }
    String name = other.member().name();
    Instant asOf = other.rollUp().asOf();
    found.accept(
        Trouble.of(
            Rule.NODE_SILENT,
            Severity.WARNING,
            Subject.of(Kind.NODE, name),
            other.rollUp().failedSince(),
            "%s; %s"
                .formatted(
                    other.rollUp().error(),
                    asOf == null
                        ? "nothing is known of what is on it"
                        : "what is listed of it is as of " + asOf.truncatedTo(ChronoUnit.SECONDS)),
            Action.advice(
                "look at its process and its network, and whether its version is older")));
  }

  private static void said(String name, JsonNode rollUp, Instant now, Consumer<Trouble> found) {
    try {
      new NodeTroubles(name, rollUp, now, found).check();
    } catch (IllegalArgumentException e) {
      found.accept(
          partly(
              name,
              "its answer cannot be read: " + e.getMessage(),
              "see whether it is of the same version",
              "answer"));
    }
  }

  private static Trouble partly(String name, String what, String todo, String which) {
    return Trouble.of(
            Rule.NOT_READ,
            Severity.WARNING,
            Subject.of(Kind.NODE, name),
            null,
            what,
            Action.advice(todo))
        .of(which);
  }

  private void check() {
    rows("failedZones").forEach(this::failureZone);
    rows("worst").forEach(this::actor);
    rows("circuits").forEach(this::circuit);
    rows("threads").forEach(this::threads);
    rows("oldest").forEach(this::mailbox);
    further(
        Rule.FAILURE_ZONE_FAILED,
        Severity.CRITICAL,
        unlisted("failedZones", FAILED, rollUp.at("/zones/FAILED").asLong()),
        "further failure zone of it has failed",
        "further failure zones of it have failed");
    further(
        Rule.ACTOR_FAILED,
        Severity.CRITICAL,
        unlisted("worst", FAILED, inState(FAILED)),
        "further actor of it has failed",
        "further actors of it have failed");
    further(
        Rule.CIRCUIT_OPEN,
        Severity.WARNING,
        rollUp.path("openCircuits").asLong() - rollUp.path("circuits").size(),
        "further circuit of it is open",
        "further circuits of it are open");
    long waiting =
        unlisted("worst", WAITS, inState(WAITS))
            + unlisted("failedZones", WAITS, rollUp.at("/zones/WAITS").asLong());
    if (waiting > 0) {
      found.accept(
          partly(
              node,
              "it tells of some of its actors and failure zones: of %d further ones that wait for their restart it is not known for how long"
                  .formatted(waiting),
              "see its own page",
              "waits"));
    }
    if (rollUp.has("circuitsOf")) {
      found.accept(
          partly(
              node,
              "it looks at the circuits of %,d of its actors only"
                  .formatted(rollUp.path("circuitsOf").asLong()),
              "see its own page",
              "circuits"));
    }
  }

  private void failureZone(JsonNode row) {
    Subject subject = subject(row);
    String state = row.path("state").asText();
    if (state.equals(FAILED)) {
      found.accept(
          Trouble.of(
              Rule.FAILURE_ZONE_FAILED,
              Severity.CRITICAL,
              subject,
              instant(row, "lastFailureAt"),
              ActorTroubles.cause(text(row, "lastFailure")) + "; what is in it rests",
              Action.resume(subject)));
    } else if (state.equals(WAITS)) {
      longWait(subject, row);
    }
  }

  private void actor(JsonNode row) {
    Subject subject = subject(row);
    String state = row.path("state").asText();
    if (state.equals(FAILED)) {
      JsonNode mailbox = row.path("mailbox");
      found.accept(
          Trouble.of(
              Rule.ACTOR_FAILED,
              Severity.CRITICAL,
              subject,
              instant(row, "lastFailureAt"),
              ActorTroubles.failed(
                  text(row, "lastFailure"),
                  (mailbox.isMissingNode() ? row.path("queued") : mailbox.path("depth")).asLong()),
              Action.resume(subject)));
    } else if (state.equals(WAITS)) {
      longWait(subject, row);
    }
  }

  private void longWait(Subject subject, JsonNode row) {
    ActorTroubles.longWait(
        subject,
        text(row, "lastFailure"),
        instant(row, "lastFailureAt"),
        instant(row, "nextAttempt"),
        at,
        found);
  }

  private void circuit(JsonNode row) {
    found.accept(
        ActorTroubles.circuit(
            subject(row),
            instant(row, "openedAt"),
            row.path("halfOpen").asBoolean(),
            row.path("failures").asLong(),
            row.path("held").asLong()));
  }

  private void threads(JsonNode row) {
    Subject subject = Subject.of(Kind.ZONE, row.path("name").asText()).on(node);
    long blocked = row.path("blocked").asLong();
    long queued = row.path("queued").asLong();
    if (blocked > 0) {
      String holders =
          StreamSupport.stream(row.path("holders").spliterator(), false)
              .map(JsonNode::asText)
              .collect(Collectors.joining(", "));
      found.accept(
          ActorTroubles.blocked(
              subject,
              blockedSince(row),
              blocked,
              holders.isEmpty() ? "actors that its version does not tell" : holders,
              row.path("starved").asBoolean(),
              queued));
    }
    if (row.path("full").asBoolean()) {
      found.accept(ActorTroubles.full(subject, queued, row.path("maxSize").asLong()));
    }
  }

  private @Nullable Instant blockedSince(JsonNode row) {
    String span = text(row, "blockedFor");
    try {
      return span == null ? null : at.minus(Duration.parse(span)).truncatedTo(ChronoUnit.SECONDS);
    } catch (DateTimeException e) {
      throw new IllegalArgumentException("blockedFor is no span of time: " + span, e);
    }
  }

  private void mailbox(JsonNode row) {
    JsonNode mailbox = row.path("mailbox");
    Instant since = instant(mailbox, "oldestAt");
    if (since != null && ActorTroubles.isLong(since, at)) {
      found.accept(
          ActorTroubles.oldMail(
              subject(row),
              since,
              mailbox.path("depth").asLong(),
              mailbox.path("perSecond").asDouble(),
              mailbox.path("attempts").asLong()));
    }
  }

  /** Of each kind the node tells some, and counts all. */
  private void further(Rule rule, Severity severity, long number, String one, String more) {
    if (number > 0) {
      found.accept(
          Trouble.of(
              rule,
              severity,
              Subject.of(Kind.NODE, node),
              null,
              ActorTroubles.counted(number, one, more),
              Action.advice("see its own page")));
    }
  }

  private long inState(String state) {
    return rollUp.at("/actors/byState/" + state).asLong()
        + rollUp.at("/system/byState/" + state).asLong();
  }

  /**
   * Returns how many more are in a state than a list tells of, which tells of all if it is short.
   */
  private long unlisted(String field, String state, long all) {
    JsonNode rows = rollUp.path(field);
    if (rows.size() < RemoteAdmin.MOST) {
      return 0;
    }
    return all
        - StreamSupport.stream(rows.spliterator(), false)
            .filter(row -> row.path("state").asText().equals(state))
            .count();
  }

  private Iterable<JsonNode> rows(String field) {
    return rollUp.path(field);
  }

  private Subject subject(JsonNode row) {
    String path = row.path("path").asText();
    if (!path.startsWith("/")) {
      throw new IllegalArgumentException("path is no path: %.80s".formatted(path));
    }
    return Subject.of(Kind.ACTOR, path).on(node);
  }

  private static @Nullable String text(JsonNode row, String field) {
    return row.path(field).isTextual() ? row.path(field).asText() : null;
  }

  private static @Nullable Instant instant(JsonNode row, String field) {
    String time = text(row, field);
    try {
      return time == null ? null : Instant.parse(time);
    } catch (DateTimeException e) {
      throw new IllegalArgumentException("%s is no time: %.80s".formatted(field, time), e);
    }
  }
}
