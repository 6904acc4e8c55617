package io.callboard.dashboard.internal.attention;

import com.fasterxml.jackson.databind.JsonNode;
import io.callboard.dashboard.internal.attention.Subject.Kind;
import io.callboard.grid.GridStatus;
import io.callboard.grid.MissingNode;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import java.util.stream.StreamSupport;

/**
 * Rules about troubles on other nodes, by the nodes' roll-ups. Of what a node of another version
 * does not tell, they say nothing. Pure.
 */
final class NodeTroubles {
  private static final String FAILED = "FAILED";
  private static final String WAITS = "WAITS";

  private final NodeReport report;
  private final boolean storeAnswers;
  private final Consumer<Trouble> found;

  /** Actors and failure zones that are listed as failed, failing or interrupted. */
  private final Set<Subject> listed = new HashSet<>();

  private NodeTroubles(NodeReport report, boolean storeAnswers, Consumer<Trouble> found) {
    this.report = report;
    this.storeAnswers = storeAnswers;
    this.found = found;
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
        said(other.member().name(), rollUp, facts.members().isFresh(), now, found);
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

  private static void said(
      String name, JsonNode rollUp, boolean storeAnswers, Instant now, Consumer<Trouble> found) {
    try {
      new NodeTroubles(new NodeReport(name, rollUp, now), storeAnswers, found).check();
    } catch (IllegalArgumentException e) {
      found.accept(
          UnlistedTroubles.partly(
              name,
              "its answer cannot be read: " + e.getMessage(),
              "see whether it is of the same version",
              "answer"));
    }
  }

  private void check() {
    report.rows("failedZones").forEach(this::failureZone);
    report.rows("worst").forEach(this::actor);
    report.rows("failing").forEach(this::failing);
    interrupted();
    report.rows("circuits").forEach(this::circuit);
    report.rows("threads").forEach(this::threads);
    report.rows("oldest").forEach(this::mailbox);
    UnlistedTroubles.check(report, found);
  }

  private void failureZone(JsonNode row) {
    Subject subject = report.subject(row);
    String state = row.path("state").asText();
    if (state.equals(FAILED)) {
      listed.add(subject);
      found.accept(
          Trouble.of(
              Rule.FAILURE_ZONE_FAILED,
              Severity.CRITICAL,
              subject,
              NodeReport.instant(row, "lastFailureAt"),
              ActorTroubles.cause(NodeReport.text(row, "lastFailure")) + "; what is in it rests",
              Action.resume(subject)));
    } else if (state.equals(WAITS)) {
      longWait(subject, row);
    }
  }

  private void actor(JsonNode row) {
    Subject subject = report.subject(row);
    String state = row.path("state").asText();
    if (state.equals(FAILED)) {
      listed.add(subject);
      found.accept(
          Trouble.of(
              Rule.ACTOR_FAILED,
              Severity.CRITICAL,
              subject,
              NodeReport.instant(row, "lastFailureAt"),
              ActorTroubles.failed(NodeReport.text(row, "lastFailure"), NodeReport.waiting(row)),
              Action.resume(subject)));
    } else if (state.equals(WAITS)) {
      longWait(subject, row);
    }
  }

  /**
   * Adds the trouble of an actor that keeps failing: it may do anything just now, and is listed for
   * that only.
   */
  private void failing(JsonNode row) {
    Subject subject = report.subject(row);
    if (listed.contains(subject)) {
      return;
    }
    FailingTroubles.of(subject, row, report.at())
        .ifPresent(
            trouble -> {
              listed.add(subject);
              found.accept(trouble);
            });
  }

  private void interrupted() {
    long count = report.number("interruptedActors");
    if (storeAnswers && InterruptedTroubles.areFew(count)) {
      report.rows("interrupted").forEach(this::interrupted);
    } else if (storeAnswers && report.listed("interrupted") > 0) {
      JsonNode longest = report.rows("interrupted").iterator().next();
      found.accept(InterruptedTroubles.ofMany(report, count, longest));
    }
  }

  private void interrupted(JsonNode row) {
    Subject subject = report.subject(row);
    if (listed.add(subject)) {
      found.accept(InterruptedTroubles.of(subject, row));
    }
  }

  private void longWait(Subject subject, JsonNode row) {
    failing(row);
    if (listed.contains(subject)) {
      return;
    }
    ActorTroubles.longWait(
        subject,
        NodeReport.text(row, "lastFailure"),
        NodeReport.instant(row, "lastFailureAt"),
        NodeReport.instant(row, "nextAttempt"),
        report.at(),
        found);
  }

  private void circuit(JsonNode row) {
    found.accept(
        ActorTroubles.circuit(
            report.subject(row),
            NodeReport.instant(row, "openedAt"),
            row.path("halfOpen").asBoolean(),
            row.path("failures").asLong(),
            row.path("held").asLong()));
  }

  private void threads(JsonNode row) {
    Subject subject = Subject.of(Kind.ZONE, row.path("name").asText()).on(report.node());
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
              report.blockedSince(row),
              blocked,
              holders.isEmpty() ? "actors that its version does not tell" : holders,
              row.path("starved").asBoolean(),
              queued));
    }
    if (row.path("full").asBoolean()) {
      found.accept(ActorTroubles.full(subject, queued, row.path("maxSize").asLong()));
    }
  }

  private void mailbox(JsonNode row) {
    JsonNode mailbox = row.path("mailbox");
    Instant since = NodeReport.instant(mailbox, "oldestAt");
    Subject subject = report.subject(row);
    if (since != null && ActorTroubles.isLong(since, report.at()) && !listed.contains(subject)) {
      found.accept(
          ActorTroubles.oldMail(
              subject,
              since,
              mailbox.path("depth").asLong(),
              ActorTroubles.handled(mailbox.path("perSecond").asDouble()),
              mailbox.path("attempts").asLong()));
    }
  }
}
