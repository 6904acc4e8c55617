package io.callboard.grid;

import io.callboard.ActorRef;
import io.callboard.Callboard;
import io.callboard.DurableStateActor;
import io.callboard.Protocol;
import io.callboard.codecs.ActorPath;
import io.callboard.codecs.Json;
import io.callboard.codecs.Partition;
import io.callboard.placement.Ranking;
import io.callboard.store.Lease;
import io.callboard.store.Member;
import io.callboard.store.StoreException;
import io.callboard.store.StoreException.Kind;
import io.vertx.core.Future;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Actor of the grid monitor's role, whose holder scans the grid at random intervals. It reads the
 * store and sends messages only to the nodes that could mend what it finds, so that they look.
 */
final class GridMonitor extends DurableStateActor<GridMonitor.Command, GridMonitor.Found> {
  static final String ROLE = "grid-monitor";

  /** Fact by which the holder publishes its findings. */
  static final String FACT = "grid.findings";

  private static final Logger log = LoggerFactory.getLogger(GridMonitor.class);

  private final Callboard callboard;
  private final Function<String, ActorRef<NodeRequest>> node;
  private final MonitorFindings own;
  private final GridOptions options;
  private final Scan scan = new Scan();

  private final EventKeeper events;

  /** {@code true} if the current findings are published. */
  private boolean published;

  /** Messages of the monitor to itself. */
  sealed interface Command {
    /** Starts the next scan. */
    record Wake() implements Command {}
  }

  /**
   * Findings at their last change.
   *
   * @param findings those of kinds that every version knows
   * @param later those of later kinds, which older nodes skip; null if there are none
   * @param lost since when nodes are lost, by their boot ids; null if none is
   * @param log events of the cell, where an older version kept them; null otherwise
   */
  record Found(
      List<Finding> findings,
      @Nullable List<Finding> later,
      @Nullable Map<String, Instant> lost,
      @Nullable EventLog log) {
    static Found of(List<Finding> all, Map<String, Instant> lost, @Nullable EventLog log) {
      List<Finding> later = all.stream().filter(found -> found.kind().isLater()).toList();
      List<Finding> findings = all.stream().filter(found -> !found.kind().isLater()).toList();
      return new Found(
          findings, later.isEmpty() ? null : later, lost.isEmpty() ? null : Map.copyOf(lost), log);
    }

    List<Finding> all() {
      return joined(findings, later);
    }

    Map<String, Instant> lostSince() {
      return lost == null ? Map.of() : lost;
    }
  }

  /** Stored form of the fact; see {@link Found}. */
  record PublishedFindings(
      int f,
      List<Finding> findings,
      @Nullable List<Finding> later,
      @Nullable Map<String, Instant> lost) {
    static final int FORMAT = 1;

    List<Finding> all() {
      return joined(findings, later);
    }
  }

  private static List<Finding> joined(List<Finding> some, @Nullable List<Finding> later) {
    return later == null ? some : Stream.concat(some.stream(), later.stream()).toList();
  }

  /**
   * Creates the actor of one node.
   *
   * @param node returns the actor of the node of that name
   * @param own this node's copy of the findings
   */
  GridMonitor(
      Callboard callboard,
      Function<String, ActorRef<NodeRequest>> node,
      MonitorFindings own,
      GridOptions options) {
    this.callboard = callboard;
    this.node = node;
    this.own = own;
    this.options = options;
    this.events =
        new EventKeeper(
            callboard.bootId(),
            () -> callboard.leases().document(ROLE),
            callboard.leases()::keepDocument);
  }

  @Override
  protected Found initial() {
    return Found.of(List.of(), Map.of(), null);
  }

  @Override
  protected Future<?> started() {
    sleep();
    return publish(state());
  }

  @Override
  protected void protocol(Protocol<Command> on) {
    on.async(Command.Wake.class, wake -> wake());
  }

  private void sleep() {
    startTimer("wake", options.untilNextScan(random()), new Command.Wake());
  }

  private Future<Void> wake() {
    sleep(); // before anything can fail: a failed scan must not be the last
    Future<Map<Partition, Lease>> leases = callboard.leases().stored();
    Future<List<Member>> members = callboard.members();
    Future<Set<Partition>> stored = callboard.leases().partitions();
    return Future.all(leases, members, stored)
        .compose(
            read -> {
              Ranking ranking = Ranking.of(members.result());
              ReportedProblems reports = ReportedProblems.of(members.result());
              Map<String, Instant> lost =
                  MissingNodes.since(
                      leases.result().values(),
                      members.result(),
                      state().lostSince(),
                      time().clock().instant());
              return events
                  .look(
                      leases.result(),
                      state().log(),
                      log ->
                          log.after(
                              leases.result(),
                              members.result(),
                              ranking.roles(),
                              notes(members.result()),
                              time().clock().instant()))
                  .compose(
                      kept -> withMail(Scan.ownerless(stored.result(), leases.result(), ranking)))
                  .compose(mail -> found(scan.look(leases.result(), ranking, mail, reports), lost));
            })
        .recover(
            cause -> {
              log.info("the scan of the grid failed; the next scan follows: {}", cause.toString());
              return Future.succeededFuture();
            });
  }

  /**
   * Returns the ownerless partitions that hold mail, each with one addressee; mail for a node's own
   * role is left out, as it rightly waits until the node is back.
   */
  private Future<Map<Partition, ActorPath>> withMail(Set<Partition> ownerless) {
    Map<Partition, ActorPath> found = new TreeMap<>();
    Future<Void> looks = Future.succeededFuture();
    for (Partition partition : ownerless) { // one at a time: each reads all its mailboxes
      looks =
          looks.compose(
              before ->
                  callboard
                      .leases()
                      .withMail(partition)
                      .<Void>map(
                          actors -> {
                            actors.stream()
                                .filter(actor -> !actor.name().startsWith(NodeActor.PREFIX))
                                .findFirst()
                                .ifPresent(actor -> found.put(partition, actor));
                            return null;
                          })
                      .recover(cause -> unreadable(partition, cause)));
    }
    return looks.map(found);
  }

  /** Skips a partition whose mail is damaged or denied, so that it does not hide other findings. */
  private static Future<Void> unreadable(Partition partition, Throwable cause) {
    if (cause instanceof StoreException known && known.kind() != Kind.UNAVAILABLE) {
      log.warn("the mail of partition {} cannot be read: {}", partition, cause.getMessage());
      return Future.succeededFuture();
    }
    return Future.failedFuture(cause);
  }

  private static Map<String, List<NodeEvents.Note>> notes(List<Member> members) {
    Map<String, List<NodeEvents.Note>> notes = new TreeMap<>();
    members.forEach(member -> notes.put(member.bootId(), NodeEvents.of(member)));
    return notes;
  }

  private Future<Void> found(Scan.Result result, Map<String, Instant> lost) {
    result.lookers().forEach(name -> tell(node.apply(name), new NodeRequest.Look()));
    Found now = Found.of(result.findings(), lost, events.hasKept() ? null : state().log());
    if (now.equals(state())) {
      return published ? Future.succeededFuture() : publish(now);
    }
    result.findings().stream()
        .filter(finding -> !state().all().contains(finding))
        .forEach(found -> log.warn("{}: {}: {}", found.kind(), found.what(), found.detail()));
    if (result.findings().isEmpty() && !state().all().isEmpty()) {
      log.info("the scan of the grid finds nothing wrong any more");
    }
    update(now);
    return publish(now);
  }

  private Future<Void> publish(Found found) {
    own.tell(found.all());
    published = false;
    byte[] fact =
        Json.bytes(
            new PublishedFindings(
                PublishedFindings.FORMAT, found.findings(), found.later(), found.lost()));
    return callboard
        .publish(FACT, new String(fact, StandardCharsets.UTF_8))
        .map(
            known -> {
              published = true;
              return null;
            });
  }

  /**
   * Returns the findings that the holder of the monitor's role has published; those stored with the
   * role at first.
   */
  static Findings published(Member holder) {
    return fact(holder)
        .map(stored -> new Findings(Optional.of(holder.name()), stored.all()))
        .orElse(Findings.NONE);
  }

  /** Returns since when nodes are lost, by their boot ids, as the holder has published it. */
  static Map<String, Instant> lostSince(Member holder) {
    return fact(holder).map(PublishedFindings::lost).orElse(Map.of());
  }

  private static Optional<PublishedFindings> fact(Member holder) {
    return Optional.ofNullable(holder.facts().get(FACT))
        .map(
            fact ->
                Json.read(
                    "the findings of node " + holder.name(),
                    fact.getBytes(StandardCharsets.UTF_8),
                    PublishedFindings.class));
  }
}
