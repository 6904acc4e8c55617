package io.callboard.dashboard.internal.attention;

import io.callboard.dashboard.internal.attention.Subject.Kind;
import io.callboard.grid.Finding;
import io.callboard.grid.Findings;
import io.callboard.grid.GridStatus;
import io.callboard.grid.HostFaults;
import io.callboard.grid.MissingNode;
import io.callboard.store.Member;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.Collectors;

/** Rules about the store, the nodes and the roles of the cell. Pure. */
final class CellTroubles {
  /** Time after which a lost node is believed to have been given up on purpose. */
  static final Duration NEWS = Duration.ofHours(24);

  /** Time after which a lost node is no trouble any more. */
  static final Duration FORGOTTEN = Duration.ofDays(30);

  private CellTroubles() {}

  static void check(Facts facts, Instant now, Consumer<Trouble> found) {
    Reading<List<Member>> members = facts.members();
    Subject cell = Subject.of(Kind.CELL, facts.cell());
    if (members.error() != null) {
      found.accept(
          Trouble.of(
              Rule.STORE_UNREACHABLE,
              Severity.CRITICAL,
              cell,
              members.failedSince(),
              "the store does not answer node %s: %s".formatted(facts.node(), members.error()),
              Action.advice(
                  "check the ZooKeeper servers and the network to them; the node goes on when they answer")));
    } else {
      membership(facts, members.orElse(List.of()), found);
    }
    facts
        .denied()
        .ifPresent(
            what ->
                found.accept(
                    Trouble.of(
                            Rule.STORE_UNREACHABLE,
                            Severity.CRITICAL,
                            cell,
                            null,
                            "the store denies node %s what it needs: %s"
                                .formatted(facts.node(), what),
                            Action.advice("grant the permission, then restart the node"))
                        .of("denied")));
    facts
        .unreadableLeases()
        .forEach(
            (partition, why) ->
                found.accept(
                    Trouble.of(
                        Rule.LEASE_UNREADABLE,
                        Severity.CRITICAL,
                        Subject.of(Kind.PART, "partition " + partition),
                        null,
                        "no node can own it, and its actors do not run: " + why,
                        Action.advice(
                            "see what is damaged: callboard fsck --zookeeper ADDRESS --cell "
                                + facts.cell()))));
    GridStatus grid = facts.grid().value();
    if (grid != null) {
      grid.missing().stream()
          .filter(node -> !isOlder(node, FORGOTTEN, now))
          .forEach(node -> found.accept(missing(node, now)));
      findings(facts, grid, found);
    }
    archives(facts.archives(), found);
  }

  private static void membership(Facts facts, List<Member> members, Consumer<Trouble> found) {
    boolean member =
        members.stream()
            .anyMatch(
                each -> each.name().equals(facts.node()) && each.bootId().equals(facts.bootId()));
    if (!member) {
      found.accept(
          Trouble.of(
              Rule.NOT_A_MEMBER,
              Severity.CRITICAL,
              Subject.of(Kind.NODE, facts.node()),
              null,
              "this node is not a member of its cell: its session with the store has ended, and it runs no durable actor before it has a new one",
              Action.advice("wait for the new session; if none comes, restart the node")));
    }
    for (Member each : members) {
      String fault = each.facts().get(HostFaults.FACT);
      if (fault != null && !fault.isEmpty()) {
        found.accept(
            Trouble.of(
                Rule.HOST_FAULT,
                Severity.CRITICAL,
                Subject.of(Kind.HOST, each.name()),
                null,
                "it cannot start job runs: " + fault,
                Action.advice("mend that on the host, which probes itself; others take its runs")));
      }
    }
  }

  private static boolean isOlder(MissingNode node, Duration than, Instant now) {
    return node.since() != null && node.since().plus(than).isBefore(now);
  }

  private static Trouble missing(MissingNode node, Instant now) {
    Subject subject = Subject.of(Kind.NODE, node.name());
    if (node.member()) {
      return Trouble.of(
          Rule.NODE_SUSPECT,
          Severity.WARNING,
          subject,
          null,
          "it is silent; others take over what it held, and it leaves the cell when its session ends",
          Action.advice("look at its process and its network"));
    }
    return Trouble.of(
        Rule.NODE_LOST,
        isOlder(node, NEWS, now) ? Severity.NOTICE : Severity.CRITICAL,
        subject,
        node.since(),
        "its session has ended, and it did not leave the cell by itself",
        Action.advice(
            "look at its machine, and start the node again under its name; if another node has replaced it, there is nothing to do: this becomes a notice after a day, and goes after 30 days"));
  }

  private static void findings(Facts facts, GridStatus grid, Consumer<Trouble> found) {
    Findings findings = grid.findings();
    if (findings.by().isEmpty() && facts.grid().isFresh()) {
      found.accept(
          Trouble.of(
              Rule.GRID_UNWATCHED,
              Severity.WARNING,
              Subject.of(Kind.ROLE, "grid-monitor"),
              null,
              "no node runs the grid monitor: what is wrong with roles and partitions is not noticed",
              Action.look("see who could hold the role", "callboard roles")));
    }
    findings.items().forEach(finding -> finding(finding, facts.node(), found));
    outOfPlace(grid, found);
  }

  /** One trouble for all: none for a node that is missing, whose partitions have moved since. */
  private static void outOfPlace(GridStatus grid, Consumer<Trouble> found) {
    Set<String> missing =
        grid.missing().stream().map(MissingNode::name).collect(Collectors.toSet());
    List<Finding> all =
        grid.findings().items().stream()
            .filter(finding -> finding.kind() == Finding.Kind.OUT_OF_PLACE)
            .filter(finding -> finding.node() == null || !missing.contains(finding.node()))
            .toList();
    if (!all.isEmpty()) {
      Finding first = all.get(0);
      found.accept(
          Trouble.of(
                  Rule.GRID_FINDING,
                  Severity.NOTICE,
                  Subject.of(Kind.PART, "partitions"),
                  null,
                  "%s not where the ranking places them; %s: %s"
                      .formatted(
                          ActorTroubles.counted(all.size(), "partition is", "partitions are"),
                          first.what(),
                          first.detail()),
                  Action.advice("wait: they are handed over; if they are not, see the log"))
              .of(first.kind().name()));
    }
  }

  private static void finding(Finding finding, String here, Consumer<Trouble> found) {
    switch (finding.kind()) {
      case HOST_FAULT -> {} // members publish it themselves
      case OUT_OF_PLACE -> {} // all together
      case ROLE_WITHOUT_HOLDER ->
          found.accept(
              Trouble.of(
                  Rule.ROLE_WITHOUT_HOLDER,
                  Severity.CRITICAL,
                  Subject.of(Kind.ROLE, finding.what()),
                  null,
                  finding.detail(),
                  Action.look("see who could hold it", "callboard roles")));
      case ROLE_WITHOUT_STANDBY ->
          found.accept(
              Trouble.of(
                  Rule.ROLE_WITHOUT_STANDBY,
                  Severity.WARNING,
                  Subject.of(Kind.ROLE, finding.what()),
                  null,
                  finding.detail(),
                  Action.advice("start another node that offers it")));
      case TOOLKIT_ACTOR_DOWN, HOSTED_ACTOR_FAILED -> found.accept(down(finding, here));
      default ->
          found.accept(
              Trouble.of(
                      Rule.GRID_FINDING,
                      Severity.WARNING,
                      Subject.of(Kind.PART, finding.what()),
                      null,
                      finding.detail(),
                      advice(finding.kind()))
                  .of(finding.kind().name()));
    }
  }

  private static Action advice(Finding.Kind kind) {
    return switch (kind) {
      case CLOCKS_DIFFER -> Action.advice("synchronise both clocks by NTP");
      case MAIL_FOR_NOBODY -> Action.advice("start a node that hosts these actors");
      default -> Action.advice("see the log of the node that runs the grid monitor");
    };
  }

  private static Trouble down(Finding finding, String here) {
    Subject actor =
        Subject.of(Kind.ACTOR, "/" + finding.what())
            .on(here.equals(finding.node()) ? null : finding.node());
    Action action =
        finding.node() == null
            ? Action.advice("resume it on the node on which it is: its page says which")
            : Action.resume(actor);
    return Trouble.of(Rule.ACTOR_FAILED, Severity.CRITICAL, actor, null, finding.detail(), action);
  }

  private static void archives(List<StalledArchive> archives, Consumer<Trouble> found) {
    for (StalledArchive archive : archives) {
      Instant since = archive.since();
      found.accept(
          Trouble.of(
              Rule.ARCHIVE_AWAY,
              Severity.WARNING,
              Subject.of(Kind.PART, "archive of " + archive.what()),
              since,
              "%d %s that have ended wait for it in ZooKeeper: %s"
                  .formatted(archive.waiting(), archive.what(), archive.cause()),
              Action.advice("start its database; they are moved when it answers")));
    }
  }
}
