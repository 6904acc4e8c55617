package io.callboard.grid;

import io.callboard.DurableStateActor;
import io.callboard.Protocol;
import io.callboard.admin.ActorStatus;
import io.callboard.admin.ActorStatus.State;
import io.callboard.cell.Leases;
import io.callboard.codecs.ActorPath;
import io.callboard.codecs.Partition;
import io.callboard.store.Lease;
import io.callboard.store.Member;
import io.callboard.zone.ZoneDefaults;
import io.vertx.core.Future;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Durable record of one node in the grid: a role that only this node offers, so that requests of
 * operators to a node that is away are carried out when it is back.
 */
final class NodeActor extends DurableStateActor<NodeRequest, NodeActor.NodeState> {
  /** Prefix of the names of nodes' roles. */
  static final String PREFIX = "node@";

  /** Fact of a node that lists actors with mail which it does not run. */
  private static final String UNHANDLED = "grid.unhandled";

  /** Fact of a node that lists the toolkit's own actors that were stopped or given up. */
  private static final String DOWN = "grid.down";

  /** Fact of a node that lists hosted actors that were given up, each with its last failure. */
  private static final String FAILED = "grid.failed";

  /** Maximum number of actors that are looked at; the toolkit's own and roles come first. */
  private static final int MOST_DOWN = 1_000;

  private static final Logger log = LoggerFactory.getLogger(NodeActor.class);

  private final Leases leases;
  private final NodeEvents notes;
  private final GridOptions options;

  /** Fact of the notes that was published last. */
  private String told = "";

  private final PathsFact unhandled = new PathsFact(UNHANDLED);
  private final PathsFact down = new PathsFact(DOWN);
  private final PathsFact failed = new PathsFact(FAILED);

  /**
   * Roles that were given away in this life of the actor: each only once, so that a role that fails
   * everywhere does not circulate for ever.
   */
  private final Set<String> givenAway = new HashSet<>();

  record NodeState(boolean draining) {}

  NodeActor(Leases leases, NodeEvents notes, GridOptions options) {
    this.leases = leases;
    this.notes = notes;
    this.options = options;
  }

  /** Returns the role of the node of that name. */
  static String role(String node) {
    return PREFIX + node.replace(':', '='); // a path may hold no colon
  }

  @Override
  protected NodeState initial() {
    return new NodeState(false);
  }

  @Override
  protected Future<?> started() {
    sleep();
    return leases.drain(state().draining());
  }

  @Override
  protected void protocol(Protocol<NodeRequest> on) {
    on.message(NodeRequest.Drain.class, this::drain)
        .message(NodeRequest.HandOver.class, this::handOver)
        .message(NodeRequest.Look.class, look -> look())
        .async(NodeRequest.Wake.class, wake -> wake());
  }

  private void look() {
    leases.look().onFailure(cause -> log.info("the leases could not be read", cause));
  }

  private void sleep() {
    startTimer("wake", options.untilNextScan(random()), new NodeRequest.Wake());
  }

  private Future<Void> wake() {
    sleep();
    return Future.join(
            giveAwayFailed(),
            unhandled.tell(callboard(), leases.unhandled()),
            failed.tell(callboard(), leases.failed()),
            tellDown(),
            tellNotes())
        .mapEmpty();
  }

  private Future<Void> tellNotes() {
    notes.look(callboard().admin().failureZones(), time().clock().instant());
    String fact = notes.fact();
    if (fact.equals(told)) {
      return Future.succeededFuture();
    }
    return callboard().publish(NodeEvents.FACT, fact).onSuccess(done -> told = fact);
  }

  private Future<Void> tellDown() {
    return down.tell(
        callboard(),
        callboard().admin().down(MOST_DOWN).worst().stream()
            .filter(actor -> actor.zone().equals(ZoneDefaults.TOOLKIT))
            .filter(actor -> actor.state().needsResume())
            .map(ActorStatus::path)
            .collect(Collectors.toUnmodifiableSet()));
  }

  /** Returns the actors with mail that a member has published as not run by it. */
  static List<ActorPath> unhandled(Member member) {
    return PathsFact.of(member, UNHANDLED);
  }

  /** Returns the toolkit's own actors that a member has published as down. */
  static List<ActorPath> down(Member member) {
    return PathsFact.of(member, DOWN);
  }

  /**
   * Returns the hosted actors that a member has published as given up, each with its last failure.
   */
  static Map<ActorPath, String> failed(Member member) {
    return PathsFact.why(member, FAILED);
  }

  /** Gives roles whose actor was given up here to another node, if there is one. */
  private Future<Void> giveAwayFailed() {
    List<String> roles =
        callboard().admin().down(MOST_DOWN).worst().stream()
            .filter(actor -> actor.path().isRole() && actor.state() == State.FAILED)
            .map(actor -> actor.path().name())
            .filter(role -> !givenAway.contains(role))
            .toList();
    return roles.isEmpty() ? Future.succeededFuture() : giveAway(roles);
  }

  private Future<Void> giveAway(List<String> failed) {
    return leases
        .stored()
        .map(
            all -> {
              for (String role : failed) {
                Lease lease = all.get(Partition.ofRole(role));
                if (lease != null) {
                  giveAway(role, lease.epoch());
                }
              }
              return null;
            });
  }

  private void giveAway(String role, long epoch) {
    leases
        .handOver(Partition.ofRole(role), epoch)
        .onSuccess(
            begun -> {
              givenAway.add(role);
              log.warn(
                  "the actor of role {} failed permanently on this node: the role is handed over to another node",
                  role);
            })
        .onFailure(cause -> log.debug("role {} could not be handed over", role, cause));
  }

  private void drain(NodeRequest.Drain wish) {
    update(new NodeState(wish.draining()));
    afterCommit(
        () ->
            leases
                .drain(wish.draining())
                .onFailure(cause -> log.info("this node closes and is not drained", cause)));
  }

  private void handOver(NodeRequest.HandOver wish) {
    Partition role = Partition.ofRole(wish.role());
    leases
        .handOver(role, wish.epoch())
        .onFailure(
            cause -> log.info("role {} is not handed over: {}", wish.role(), cause.getMessage()));
  }
}
