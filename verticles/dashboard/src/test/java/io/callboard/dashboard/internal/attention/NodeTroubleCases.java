package io.callboard.dashboard.internal.attention;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.callboard.admin.RemoteAdmin;
import io.callboard.dashboard.internal.attention.Subject.Kind;
import io.callboard.dashboard.internal.attention.TroubleCases.Case;
import java.util.List;
import java.util.function.Consumer;

/** What can be wrong on another node, a case for each rule at least. */
final class NodeTroubleCases {
  private static final String NODE = "node-b";

  private NodeTroubleCases() {}

  /** Makes the other node list an actor or failure zone whose last failure was so long ago. */
  static void row(World world, String list, String path, String state, int seconds) {
    world
        .there()
        .withArray(list)
        .addObject()
        .put("path", path)
        .put("state", state)
        .put("queued", 4)
        .put("lastFailure", "it slipped")
        .put("lastFailureAt", World.ago(seconds).toString());
  }

  /** Makes the other node list one that stays interrupted, of so many. */
  static void interrupted(World world, int count) {
    row(world, "interrupted", "/alone", "WAITS", 7 + 3);
    ((ObjectNode) world.there().put("interruptedActors", count).at("/interrupted/0"))
        .put("interruptedSince", World.ago(7 + 90).toString())
        .put("interruptedAt", World.ago(7 + 3).toString())
        .put("interruptionsInARow", 17);
  }

  /** Makes the other node list one that has failed seven times since so long ago. */
  static void failing(World world, String list, String state, int seconds) {
    row(world, list, "/alone", state, 7 + 9);
    ((ObjectNode) world.there().path(list).path(0))
        .put("failingSince", World.ago(seconds).toString())
        .put("failuresInARow", 7);
  }

  private static void circuit(World world, boolean halfOpen) {
    world
        .there()
        .put("openCircuits", 1)
        .withArray("circuits")
        .addObject()
        .put("path", "/bank")
        .put("openedAt", World.ago(4).toString())
        .put("halfOpen", halfOpen)
        .put("failures", 6)
        .put("held", 2);
  }

  private static ObjectNode threads(World world) {
    return (ObjectNode) world.there().at("/threads/0");
  }

  private static void blocked(World world, boolean starved) {
    threads(world)
        .put("blocked", 1)
        .put("queued", 7)
        .put("starved", starved)
        .put("blockedFor", "PT8S")
        .putArray("holders")
        .add("/shop/van");
  }

  private static void mail(World world, String path, int seconds) {
    world
        .there()
        .withArray("oldest")
        .addObject()
        .put("path", path)
        .putObject("mailbox")
        .put("depth", 3)
        .put("perSecond", 0.5)
        .put("attempts", 2)
        .put("oldestAt", World.ago(seconds).toString());
  }

  /** Fills a list with what is no trouble. */
  private static void fill(World world, String list) {
    for (int i = 0; i < RemoteAdmin.MOST; i++) {
      row(world, list, "/rests/" + i, "RESTS", 5);
    }
  }

  private static void well(World world) {
    world.others.set(0, World.answers(World.wellRollUp()));
  }

  private static Case there(
      Rule rule,
      Severity severity,
      Kind kind,
      String subject,
      String cause,
      Consumer<World> begins,
      Consumer<World> ends) {
    return new Case(
        rule, severity, kind, subject, kind == Kind.NODE ? null : NODE, cause, begins, ends);
  }

  static List<Case> all() {
    Severity bad = Severity.CRITICAL;
    Severity warning = Severity.WARNING;
    return List.of(
        there(
            Rule.NODE_SILENT,
            warning,
            Kind.NODE,
            NODE,
            "does not answer; what is listed of it is as of " + World.ago(12),
            world -> world.others.set(0, World.silent(World.wellRollUp(), 12)),
            world -> world.others.set(0, World.silent(World.wellRollUp(), 11))),
        there(
            Rule.NODE_SILENT,
            warning,
            Kind.NODE,
            NODE,
            "node node-b does not answer; nothing is known of what is on it",
            world -> world.others.set(0, World.silent(null, 12)),
            NodeTroubleCases::well),
        there(
            Rule.FAILURE_ZONE_FAILED,
            bad,
            Kind.ACTOR,
            "/shop",
            "it slipped; what is in it rests",
            world -> row(world, "failedZones", "/shop", "FAILED", 90),
            NodeTroubleCases::well),
        there(
            Rule.FAILURE_ZONE_FAILED,
            bad,
            Kind.NODE,
            NODE,
            "1 further failure zone of it has failed",
            world -> {
              fill(world, "failedZones");
              world.there().withObject("/zones").put("FAILED", 1);
            },
            world -> world.there().withObject("/zones").put("FAILED", 0)),
        there(
            Rule.ACTOR_FAILED,
            bad,
            Kind.ACTOR,
            "/alone",
            "it slipped; 4 messages wait",
            world -> row(world, "worst", "/alone", "FAILED", 90),
            world -> ((ObjectNode) world.there().at("/worst/0")).put("state", "RUNNING")),
        there(
            Rule.ACTOR_FAILED,
            bad,
            Kind.NODE,
            NODE,
            "3 further actors of it have failed",
            world -> {
              fill(world, "worst");
              world.there().withObject("/actors/byState").put("FAILED", 2);
              world.there().withObject("/system/byState").put("FAILED", 1);
            },
            NodeTroubleCases::well),
        there(
            Rule.KEEPS_FAILING,
            warning,
            Kind.ACTOR,
            "/alone",
            "7 failures since it last ran well, the last: it slipped; 4 messages wait",
            world -> failing(world, "failing", "STARTING", 7 + 61),
            world -> {
              well(world);
              failing(world, "failing", "STARTING", 7 + 59);
            }),
        there(
            Rule.KEEPS_FAILING,
            warning,
            Kind.ACTOR,
            "/alone",
            "7 failures since it last ran well, the last: it slipped; 4 messages wait",
            world -> {
              failing(world, "failing", "WAITS", 7 + 61);
              failing(world, "worst", "WAITS", 7 + 61);
              mail(world, "/alone", 7 + 61);
            },
            NodeTroubleCases::well),
        there(
            Rule.KEEPS_FAILING,
            warning,
            Kind.ACTOR,
            "/alone",
            "7 failures since it last ran well, the last: it slipped",
            world -> failing(world, "failedZones", "WAITS", 7 + 61),
            NodeTroubleCases::well),
        there(
            Rule.NOT_READ,
            warning,
            Kind.NODE,
            NODE,
            "of further ones that have failed it is not known for how long",
            world -> {
              world.there().put("failingFurther", true);
              failing(world, "failing", "RUNNING", 7 + 61);
              ((ObjectNode) world.there().at("/failing/0"))
                  .put("queued", 0)
                  .put("lastFailureAt", World.ago(7 + 61).toString());
            },
            world -> {
              well(world);
              world.there().put("failingFurther", true);
              failing(world, "failing", "RUNNING", 7 + 59);
            }),
        there(
            Rule.STAYS_INTERRUPTED,
            warning,
            Kind.ACTOR,
            "/alone",
            "17 interruptions in a row, the last failure: it slipped; 4 messages wait",
            world -> {
              interrupted(world, 1);
              row(world, "worst", "/alone", "WAITS", 7 + 3);
              mail(world, "/alone", 7 + 90);
            },
            NodeTroubleCases::well),
        there(
            Rule.STAYS_INTERRUPTED,
            warning,
            Kind.NODE,
            NODE,
            "90,000 of its actors stay interrupted, /alone for longest: it slipped",
            world -> interrupted(world, 90_000),
            NodeTroubleCases::well),
        there(
            Rule.LONG_WAIT,
            warning,
            Kind.ACTOR,
            "/alone",
            "it waits for its restart after it slipped",
            world -> row(world, "worst", "/alone", "WAITS", 7 + 61),
            world -> {
              well(world);
              row(world, "worst", "/alone", "WAITS", 7 + 59); // by the clock of that node
            }),
        there(
            Rule.LONG_WAIT,
            warning,
            Kind.ACTOR,
            "/shop",
            "it waits for its restart after it slipped",
            world -> row(world, "failedZones", "/shop", "WAITS", 7 + 61),
            NodeTroubleCases::well),
        there(
            Rule.CIRCUIT_OPEN,
            warning,
            Kind.ACTOR,
            "/bank",
            "its circuit is open after 6 failures in a row; 2 messages are held",
            world -> circuit(world, false),
            NodeTroubleCases::well),
        there(
            Rule.CIRCUIT_OPEN,
            warning,
            Kind.ACTOR,
            "/bank",
            "its circuit is half open",
            world -> circuit(world, true),
            NodeTroubleCases::well),
        there(
            Rule.CIRCUIT_OPEN,
            warning,
            Kind.NODE,
            NODE,
            "2 further circuits of it are open",
            world -> world.there().put("openCircuits", 2),
            world -> world.there().put("openCircuits", 0)),
        there(
            Rule.NOT_READ,
            warning,
            Kind.NODE,
            NODE,
            "it looks at the circuits of 1,000 of its actors only",
            world -> world.there().put("circuitsOf", 1_000),
            NodeTroubleCases::well),
        there(
            Rule.THREAD_BLOCKED,
            warning,
            Kind.ZONE,
            "default",
            "1 of its threads are held by /shop/van; 7 slices wait",
            world -> blocked(world, false),
            world -> threads(world).put("blocked", 0)),
        there(
            Rule.THREAD_BLOCKED,
            bad,
            Kind.ZONE,
            "default",
            "held by /shop/van, and none is free",
            world -> blocked(world, true),
            NodeTroubleCases::well),
        there(
            Rule.THREAD_BLOCKED,
            warning,
            Kind.ZONE,
            "default",
            "2 of its threads are held by actors that its version does not tell",
            world -> threads(world).put("blocked", 2),
            NodeTroubleCases::well),
        there(
            Rule.SCHEDULING_ZONE_FULL,
            warning,
            Kind.ZONE,
            "default",
            "7 slices wait for its 2 threads",
            world -> threads(world).put("full", true).put("queued", 7).put("maxSize", 2),
            world -> threads(world).put("full", false)),
        there(
            Rule.OLD_MAIL,
            warning,
            Kind.ACTOR,
            "/slow",
            "at least 3 messages wait, and 0.5 a second are handled; the first has failed 2 times",
            world -> mail(world, "/slow", 7 + 61),
            world -> {
              well(world);
              mail(world, "/slow", 7 + 59);
            }),
        there(
            Rule.NOT_READ,
            warning,
            Kind.NODE,
            NODE,
            "of 5 further ones that wait for their restart it is not known for how long",
            world -> {
              fill(world, "worst");
              world.there().withObject("/actors/byState").put("WAITS", 5);
            },
            NodeTroubleCases::well),
        there(
            Rule.NOT_READ,
            warning,
            Kind.NODE,
            NODE,
            "its answer cannot be read: at is no time: noon",
            world -> world.there().put("at", "noon"),
            NodeTroubleCases::well),
        there(
            Rule.NOT_READ,
            warning,
            Kind.NODE,
            NODE,
            "its answer cannot be read: path is no path: shop",
            world -> row(world, "worst", "shop", "FAILED", 90),
            NodeTroubleCases::well),
        there(
            Rule.NOT_READ,
            warning,
            Kind.NODE,
            NODE,
            "its answer cannot be read: path is no path: shop",
            world -> {
              interrupted(world, 90_000);
              ((ObjectNode) world.there().at("/interrupted/0")).put("path", "shop");
            },
            NodeTroubleCases::well),
        new Case(
            Rule.NOT_READ,
            warning,
            Kind.PART,
            "other nodes",
            null,
            "so others may be wrong too: of 120 nodes 100 are asked",
            world -> world.othersIncomplete = "of 120 nodes 100 are asked",
            world -> world.othersIncomplete = null));
  }
}
