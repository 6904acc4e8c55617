package io.callboard.dashboard.internal.attention;

import com.fasterxml.jackson.databind.JsonNode;
import io.callboard.dashboard.internal.attention.Subject.Kind;
import java.time.Instant;
import java.util.function.Consumer;

/** Rules about what another node counts or does not read, and so does not list. Pure. */
final class UnlistedTroubles {
  private static final String FAILED = "FAILED";
  private static final String WAITS = "WAITS";

  private final NodeReport report;
  private final Consumer<Trouble> found;

  private UnlistedTroubles(NodeReport report, Consumer<Trouble> found) {
    this.report = report;
    this.found = found;
  }

  static void check(NodeReport report, Consumer<Trouble> found) {
    UnlistedTroubles rules = new UnlistedTroubles(report, found);
    rules.failed();
    rules.openCircuits();
    rules.waiting();
    rules.failing();
    rules.circuitsNotLookedAt();
  }

  /** Trouble of a node of which only a part could be read. */
  static Trouble partly(String node, String what, String todo, String which) {
    return Trouble.of(
            Rule.NOT_READ,
            Severity.WARNING,
            Subject.of(Kind.NODE, node),
            null,
            what,
            Action.advice(todo))
        .of(which);
  }

  private void failed() {
    further(
        Rule.FAILURE_ZONE_FAILED,
        Severity.CRITICAL,
        report.unlisted("failedZones", FAILED, report.zonesIn(FAILED)),
        "further failure zone of it has failed",
        "further failure zones of it have failed");
    further(
        Rule.ACTOR_FAILED,
        Severity.CRITICAL,
        report.unlisted("worst", FAILED, report.actorsIn(FAILED)),
        "further actor of it has failed",
        "further actors of it have failed");
  }

  private void openCircuits() {
    further(
        Rule.CIRCUIT_OPEN,
        Severity.WARNING,
        report.number("openCircuits") - report.listed("circuits"),
        "further circuit of it is open",
        "further circuits of it are open");
  }

  /** Of each kind the node reports some, and counts all. */
  private void further(Rule rule, Severity severity, long number, String one, String more) {
    if (number > 0) {
      found.accept(
          Trouble.of(
              rule,
              severity,
              Subject.of(Kind.NODE, report.node()),
              null,
              ActorTroubles.counted(number, one, more),
              Action.advice("see its own page")));
    }
  }

  private void waiting() {
    long waiting =
        report.unlisted("worst", WAITS, report.actorsIn(WAITS))
            + report.unlisted("failedZones", WAITS, report.zonesIn(WAITS));
    if (waiting > 0) {
      found.accept(
          partly(
              report.node(),
              "it tells of some of its actors and failure zones: of %d further ones that wait for their restart it is not known for how long"
                  .formatted(waiting),
              "see its own page",
              "waits"));
    }
  }

  /**
   * Adds those that keep failing and are not listed: there are some if the last listed one fails
   * for long.
   */
  private void failing() {
    JsonNode last = report.last("failing");
    Instant since = last == null ? null : NodeReport.instant(last, "failingSince");
    if (report.has("failingFurther") && since != null && ActorTroubles.isLong(since, report.at())) {
      found.accept(
          partly(
              report.node(),
              "it tells of those actors and failure zones that fail for longest: of further ones that have failed it is not known for how long",
              "see its own page",
              "failing"));
    }
  }

  private void circuitsNotLookedAt() {
    if (report.has("circuitsOf")) {
      found.accept(
          partly(
              report.node(),
              "it looks at the circuits of %,d of its actors only"
                  .formatted(report.number("circuitsOf")),
              "see its own page",
              "circuits"));
    }
  }
}
