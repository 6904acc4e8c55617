package io.callboard.grid;

import io.callboard.Actor;
import io.callboard.ActorOptions;
import io.callboard.ActorRef;
import io.callboard.Callboard;
import io.callboard.CallboardException;
import io.callboard.CallboardException.Code;
import io.callboard.cell.CellListener;
import io.callboard.codecs.ActorPath;
import io.callboard.codecs.Partition;
import io.callboard.metric.Metric;
import io.callboard.placement.Ranking;
import io.callboard.store.Failover;
import io.callboard.store.Lease;
import io.callboard.store.Member;
import io.callboard.store.StoreException;
import io.callboard.time.Time;
import io.callboard.zone.ZoneDefaults;
import io.vertx.core.Future;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A node's part in the grid: roles, and early detection of nodes that are gone. Methods return at
 * once and may be called from any thread.
 */
public final class Grid {
  private static final Logger log = LoggerFactory.getLogger(Grid.class);

  private final Callboard callboard;
  private final Heartbeats heartbeats;
  private final GridOptions options;
  private final Map<Integer, String> roles = new ConcurrentHashMap<>();
  private final MonitorFindings found = new MonitorFindings();
  private final NodeEvents notes = new NodeEvents();

  private Grid(Callboard callboard, GridOptions options, Time time) {
    this.callboard = callboard;
    this.options = options;
    this.heartbeats = new Heartbeats(callboard, options, time);
  }

  /**
   * Starts this node's part in the grid, which ends with the node.
   *
   * @return completes with the grid when the node takes part; fails with {@link CallboardException}
   *     of code {@code PATH_TAKEN} if the node takes part already, and as {@link Callboard#spawn}
   */
  public static Future<Grid> start(Callboard callboard, GridOptions options) {
    return start(callboard, options, Time.SYSTEM);
  }

  /**
   * Starts like {@link #start(Callboard, GridOptions)}.
   *
   * @param time time of the heartbeats and of the comparison of clocks. They concern machines, and
   *     so have the system's by default, not {@link Callboard#time()}, which a test may stop.
   */
  public static Future<Grid> start(Callboard callboard, GridOptions options, Time time) {
    Grid grid = new Grid(callboard, options, time);
    return grid.open().map(grid);
  }

  /**
   * Starts the node's own actor first, so that a second grid of the same node fails there and
   * leaves nothing behind.
   */
  private Future<Void> open() {
    return spawn(
            NodeActor.role(callboard.node()),
            () -> new NodeActor(callboard.leases(), notes, options),
            own())
        .compose(known -> takePart());
  }

  private Future<Void> takePart() {
    callboard.leases().listen(new RoleLog(callboard, heartbeats));
    callboard.leases().listen(found);
    callboard.listen(
        new CellListener() {
          @Override
          public void membersChanged() {
            tellWhoLives();
          }
        });
    heartbeats.start();
    new FailedActors(callboard, options).start();
    tellWhoLives();
    return spawn(
            GridMonitor.ROLE, () -> new GridMonitor(callboard, this::node, found, options), own())
        .mapEmpty();
  }

  /**
   * Returns the options of the grid's own roles, which do not share their threads with users'
   * actors.
   */
  private static ActorOptions own() {
    return new ActorOptions().onBus(false).zone(ZoneDefaults.TOOLKIT);
  }

  private void tellWhoLives() {
    callboard
        .members()
        .onSuccess(heartbeats::members)
        .onFailure(
            cause ->
                log.debug(
                    "the members could not be read; they are read again when they change", cause));
  }

  /**
   * Makes this node a candidate for a role, whose actor runs on one node of the cell at a time. The
   * actor is durable: its mail waits through a failover, and what an earlier holder does after it
   * was replaced is not committed. It can have durable children, {@code /roles/<role>/…}, which go
   * with it. Whoever stops the actor of a role ({@link Callboard#stop}) is no candidate any more.
   *
   * @param role one segment of an actor's path
   * @param factory makes the actor where the role is held; the same on all candidates
   * @return completes when the actor has started here, or is known to be elsewhere; fails with
   *     {@link IllegalArgumentException} if that can be no role, and as {@link Callboard#spawn}
   */
  public <M> Future<ActorRef<M>> role(
      String role, Supplier<? extends Actor<M>> factory, ActorOptions options) {
    if (role.startsWith(NodeActor.PREFIX) || role.equals(GridMonitor.ROLE)) {
      return Future.failedFuture(
          new IllegalArgumentException(
              "the role %s is reserved for the grid: use a name that is not %s and does not begin with %s"
                  .formatted(role, GridMonitor.ROLE, NodeActor.PREFIX)));
    }
    return spawn(role, factory, options);
  }

  private <M> Future<ActorRef<M>> spawn(
      String role, Supplier<? extends Actor<M>> factory, ActorOptions options) {
    ActorPath path;
    try {
      path = path(role);
    } catch (IllegalArgumentException e) {
      return Future.failedFuture(e);
    }
    String same = roles.putIfAbsent(Partition.ofRole(role).number(), role);
    if (same != null && !same.equals(role)) {
      return Future.failedFuture(
          new IllegalArgumentException(
              "the roles %s and %s are placed in the same partition: rename one"
                  .formatted(role, same)));
    }
    return callboard.spawn(path.toString(), factory, options);
  }

  /** Returns the paths of the grid's own actors of this node, whether they run here now or not. */
  public List<String> actors() {
    return List.of(
        path(GridMonitor.ROLE).toString(), path(NodeActor.role(callboard.node())).toString());
  }

  /** Returns a ref to the current holder of a role; messages wait while there is none. */
  public <M> ActorRef<M> roleRef(String role, Class<M> protocol) {
    return callboard.durableRef(path(role).toString(), protocol);
  }

  private static ActorPath path(String role) {
    return ActorPath.of("/" + Partition.ROLES).child(role);
  }

  /** Returns every role of the cell that a live node offers or that ever had a holder. */
  public Future<List<RoleStatus>> roles() {
    Future<Map<Partition, Lease>> leases = callboard.leases().stored();
    Future<List<Member>> members = callboard.members();
    Future<Map<String, List<Failover>>> failovers = callboard.leases().failovers();
    return Future.all(leases, members, failovers)
        .map(all -> roles(leases.result(), live(members.result()), failovers.result()));
  }

  private List<Member> live(List<Member> members) {
    Set<String> suspects = heartbeats.suspects();
    return members.stream().filter(member -> !suspects.contains(member.bootId())).toList();
  }

  private static List<RoleStatus> roles(
      Map<Partition, Lease> leases, List<Member> members, Map<String, List<Failover>> failovers) {
    Ranking ranking = Ranking.of(members);
    TreeSet<String> names = new TreeSet<>(failovers.keySet());
    names.addAll(ranking.roles());
    names.removeIf(name -> name.startsWith(NodeActor.PREFIX));
    List<RoleStatus> found = new ArrayList<>();
    for (String name : names) {
      Optional<Lease> lease = Optional.ofNullable(leases.get(Partition.ofRole(name)));
      found.add(role(name, lease, ranking, failovers.getOrDefault(name, List.of())));
    }
    return found;
  }

  private static RoleStatus role(
      String name, Optional<Lease> lease, Ranking members, List<Failover> failovers) {
    Optional<Lease> held = lease.filter(l -> members.isMember(l.ownerBoot()));
    List<String> candidates =
        members.of(Partition.ofRole(name)).stream().map(Member::name).toList();
    Optional<String> holder = held.map(Lease::owner);
    Optional<String> standby =
        members
            .standby(Partition.ofRole(name), held.map(Lease::ownerBoot).orElse(""))
            .map(Member::name);
    return new RoleStatus(
        name,
        holder,
        standby,
        lease.map(Lease::epoch).orElse(0L),
        held.map(Lease::at),
        candidates,
        failovers);
  }

  /** Returns the heartbeats of this node, for tests of this package. */
  Heartbeats heartbeats() {
    return heartbeats;
  }

  /** Returns this node's view of the grid, from memory. */
  public GridCounts counts() {
    return new GridCounts(heartbeats.suspects().size(), found.items());
  }

  /** Returns the metrics of this node's view of the grid. */
  public List<Metric> metrics() {
    return GridSeries.of(counts());
  }

  /** Completes with the faults of the grid. */
  public Future<GridStatus> status() {
    Future<Map<Partition, Lease>> leases = callboard.leases().stored();
    Future<List<Member>> members = callboard.members();
    return Future.all(leases, members).map(both -> status(leases.result(), members.result()));
  }

  private GridStatus status(Map<Partition, Lease> leases, List<Member> members) {
    Optional<Member> monitor = monitor(leases, live(members));
    return new GridStatus(
        MissingNodes.of(
            leases.values(),
            members,
            heartbeats.suspects(),
            monitor.map(GridMonitor::lostSince).orElse(Map.of())),
        monitor.map(GridMonitor::published).orElse(Findings.NONE));
  }

  /** Returns the member that holds the monitor's role. */
  private static Optional<Member> monitor(Map<Partition, Lease> leases, List<Member> members) {
    Lease held = leases.get(Partition.ofRole(GridMonitor.ROLE));
    return members.stream()
        .filter(member -> held != null && member.bootId().equals(held.ownerBoot()))
        .findFirst();
  }

  /**
   * Publishes the names under which this node was started before with its data directory, so that
   * it is not taken for a lost node of such a name.
   *
   * @param names former names, each with when the node was first started with another one
   * @return completes when that is published
   */
  public Future<Void> formerNames(Map<String, Instant> names) {
    return callboard.publish(FormerNames.FACT, FormerNames.fact(names));
  }

  /**
   * Records an event of this node for {@link #events}. It is kept in memory, the last {@value
   * NodeEvents#MOST}, until the grid monitor has taken it over, some seconds later.
   *
   * @param kind one of the constants of {@link GridEvent}
   */
  public void note(String kind, String subject, String detail) {
    notes.add(callboard.time().clock().instant(), kind, subject, detail);
  }

  /**
   * Completes with the last events of the cell, oldest first, at most {@value EventLog#MOST}: those
   * that the holder of the grid monitor's role has stored, which are read for each call, and those
   * that this node has recorded since. They outlive each holder; {@link EventLog} says what can be
   * missed. While none is stored, those that a holder of an earlier version has published. Fails
   * with {@link CallboardException} of code {@code UNAVAILABLE} while none is stored and the role
   * has no holder, and with {@link StoreException} of kind {@code CORRUPT} if they cannot be read.
   */
  public Future<List<GridEvent>> events() {
    return callboard
        .leases()
        .document(GridMonitor.ROLE)
        .compose(
            document ->
                document
                    .map(bytes -> Future.succeededFuture(StoredEvents.decode(bytes).events()))
                    .orElseGet(this::published))
        .map(
            events ->
                EventLog.merged(
                    events,
                    notes.all().stream().map(note -> note.event(callboard.bootId())).toList()));
  }

  private Future<List<GridEvent>> published() {
    Future<Map<Partition, Lease>> leases = callboard.leases().stored();
    Future<List<Member>> members = callboard.members();
    return Future.all(leases, members)
        .compose(
            both ->
                monitor(leases.result(), members.result())
                    .map(holder -> PublishedEvents.of(holder).orElse(List.of()))
                    .map(Future::succeededFuture)
                    .orElseGet(
                        () ->
                            refused(
                                Code.UNAVAILABLE,
                                "no events of the cell are stored, and the role of the grid monitor has no holder")));
  }

  /** Completes with the missing nodes of {@link #status}. */
  public Future<List<MissingNode>> missing() {
    return status().map(GridStatus::missing);
  }

  /** Completes with the findings of {@link #status}. */
  public Future<Findings> findings() {
    return status().map(GridStatus::findings);
  }

  /**
   * Asks the holder of a role to hand it over to its standby.
   *
   * @return completes when that is durable; fails with {@link CallboardException} of code {@code
   *     NO_SUCH_ACTOR} if there is no such role, {@code CONFLICT} if it has no holder or no standby
   */
  public Future<Void> failover(String role) {
    return roles().compose(all -> failover(role, all));
  }

  private Future<Void> failover(String role, List<RoleStatus> all) {
    RoleStatus status =
        all.stream().filter(each -> each.name().equals(role)).findFirst().orElse(null);
    if (status == null) {
      return refused(Code.NO_SUCH_ACTOR, "there is no role " + role);
    } else if (status.holder().isEmpty()) {
      return refused(Code.CONFLICT, "role %s has no holder now".formatted(role));
    } else if (status.standby().isEmpty()) {
      String holder = status.holder().get();
      return refused(
          Code.CONFLICT,
          "role %s has no standby: no live node but %s offers it".formatted(role, holder));
    }
    return node(status.holder().get()).tell(new NodeRequest.HandOver(role, status.epoch()));
  }

  /**
   * Asks a node, live or not, to give back the partitions and roles that other nodes offer, too,
   * and to take none of these; or to take its share again. It stays so over restarts.
   *
   * @return completes when that is durable; fails with {@link CallboardException} of code {@code
   *     NO_SUCH_ACTOR} if no node of that name was ever in the grid
   */
  public Future<Void> drain(String node, boolean draining) {
    String path;
    try {
      path = path(NodeActor.role(node)).toString();
    } catch (IllegalArgumentException e) {
      return refused(Code.NO_SUCH_ACTOR, "there is no node " + node);
    }
    return callboard
        .admin()
        .stored(path)
        .compose(
            known ->
                known.isPresent()
                    ? node(node).tell(new NodeRequest.Drain(draining))
                    : refused(Code.NO_SUCH_ACTOR, "there is no node " + node));
  }

  private ActorRef<NodeRequest> node(String name) {
    return roleRef(NodeActor.role(name), NodeRequest.class);
  }

  private static <T> Future<T> refused(Code code, String why) {
    return Future.failedFuture(new CallboardException(code, why));
  }
}
