package io.callboard;

import io.callboard.admin.CallboardAdmin;
import io.callboard.cell.CellListener;
import io.callboard.cell.Leases;
import io.callboard.cell.Signals;
import io.callboard.store.Member;
import io.callboard.supervision.FailureZone;
import io.callboard.supervision.SupervisionOptions;
import io.callboard.task.BackgroundTasks;
import io.callboard.time.Time;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;

/**
 * One node of a cell: runs actors in one Vert.x instance. A process may hold several, each with a
 * Vert.x of its own.
 *
 * <p>Methods return at once and may be called from any thread; futures complete on the caller's
 * Vert.x context if it has one.
 *
 * <p>A method that returns a future never throws. For a null or invalid argument the future fails
 * with {@link NullPointerException} or {@link IllegalArgumentException}, before anything is done.
 * The other methods throw these.
 */
public interface Callboard {
  /**
   * Creates the node of {@code vertx}: opens the store, joins the cell and starts the supervisors.
   *
   * @return completes when the node runs; fails with {@link io.callboard.store.StoreException} if
   *     the store cannot be opened, with {@link IllegalStateException} if {@code vertx} runs a
   *     Callboard already
   */
  static Future<Callboard> create(Vertx vertx, CallboardOptions options) {
    return NodeFactory.loaded().create(vertx, options);
  }

  /**
   * Returns the Callboard of {@code vertx}.
   *
   * @throws IllegalStateException if there is none
   */
  static Callboard of(Vertx vertx) {
    return find(vertx)
        .orElseThrow(
            () ->
                new IllegalStateException(
                    "this Vert.x instance runs no Callboard: call Callboard.create(vertx, options) first"));
  }

  /** Returns the Callboard of {@code vertx}; empty if there is none. */
  static Optional<Callboard> find(Vertx vertx) {
    return NodeFactory.loaded().find(vertx);
  }

  /** Returns the name of this node, unique in its cell. */
  String node();

  /** Returns the id of this start of the node: each start has another. */
  String bootId();

  /** Returns the Vert.x in which this node runs. */
  Vertx vertx();

  /**
   * Returns the clock and timers of this node; tests may inject a {@link Time} that they advance by
   * hand.
   */
  Time time();

  /**
   * Returns a new random generator for the caller, seeded by this node ({@link
   * CallboardOptions#seed}). Not for secrets, and like any {@link RandomGenerator} for one thread
   * at a time.
   */
  RandomGenerator random();

  /**
   * Returns new background tasks of this node, with a context of their own; they end with the node.
   *
   * @param of what they do, for the log, such as {@code the sweep of expired keys}
   */
  default BackgroundTasks tasks(String of) {
    return tasks(of, time());
  }

  /** Returns new background tasks as {@link #tasks(String)} does, which go by another time. */
  BackgroundTasks tasks(String of, Time time);

  /**
   * Starts an actor under its supervisor.
   *
   * <p>A volatile actor runs here. A durable one runs on the node that owns its partition: here,
   * unless a live node has it, which then runs it if the same path was spawned there.
   *
   * <p>An actor whose start fails exists all the same: its mail waits, its path is taken, and its
   * supervisor starts it again after each backoff, as after any failure ({@link
   * ActorOptions#supervision}). {@link CallboardAdmin#running()} reports whether it {@code WAITS}
   * for that, is {@code RUNNING} by now, or is {@code FAILED} because it was given up; {@link
   * #stop} ends it. If the factory throws or returns null, there is no actor, and its path stays
   * free.
   *
   * @param path unique in the cell
   * @param factory makes a new object for each start and restart; an object that was started before
   *     fails the start
   * @return completes when the actor has started for the first time, or, if another node owns it,
   *     when that is known; fails with {@link CallboardException} of code {@code PATH_TAKEN} or
   *     {@code START_FAILED}
   */
  <M> Future<ActorRef<M>> spawn(
      String path, Supplier<? extends Actor<M>> factory, ActorOptions options);

  /**
   * Starts an actor as {@link #spawn(String, Supplier, ActorOptions)} does, with the default
   * options.
   */
  default <M> Future<ActorRef<M>> spawn(String path, Supplier<? extends Actor<M>> factory) {
    return spawn(path, factory, new ActorOptions());
  }

  /**
   * Declares that {@code factory} makes every durable actor below {@code prefix}. Such an actor is
   * started by its first message, on the node that owns it, and passivated when it has been idle
   * for {@link ActorOptions#passivateAfter()}; its next message starts it again. A factory of
   * volatile actors, or of actors that lack a handler for a message of their protocol, is refused
   * with {@link IllegalArgumentException}.
   *
   * <p>A prefix is hosted by one class of actors: another one for the same prefix, or for one below
   * it, is refused with {@link CallboardException} of code {@code PATH_TAKEN}, which names both
   * places; a narrower prefix that is hosted first keeps its actors. Below {@code /callboard},
   * {@code /cells}, {@code /from}, {@code /grid}, {@code /jobs}, {@code /sources} and {@code
   * /workflows} are Callboard's own actors only.
   *
   * <p>Nodes share what is in a space, the first segment of a path: each node that hosts in it must
   * host the same prefixes. Mail for which its owner hosts no actor waits; the owner's log and the
   * grid monitor report it.
   *
   * @return completes when this node has claimed the partitions that were free; fails with {@link
   *     CallboardException} of code {@code START_FAILED} if the factory throws or returns null, and
   *     with {@link io.callboard.store.StoreException} if the store does not answer. In the latter
   *     case the actors are hosted all the same, and the partitions claimed with a later look; so
   *     host what else is in the space, too, or its mail waits on this node
   */
  <M> Future<Void> host(String prefix, Supplier<? extends Actor<M>> factory, ActorOptions options);

  /**
   * Returns a ref to the volatile actor at {@code path}, on this or another node, running or not.
   */
  <M> ActorRef<M> ref(String path, Class<M> protocol);

  /**
   * Returns a ref to the durable actor at {@code path}; the first message creates its mailbox. A
   * message that could not be read back is refused by {@link ActorRef#tell(Object)}.
   */
  <M> ActorRef<M> durableRef(String path, Class<M> protocol);

  /**
   * Returns the group of that name in this cell; it may be empty.
   *
   * @param name 1 to 100 letters, digits and {@code - _ .}
   * @param protocol the protocol that its members share
   * @throws IllegalArgumentException if {@code name} is not a valid name of a group
   */
  <M> ActorGroup<M> group(String name, Class<M> protocol);

  /**
   * Returns the broadcast of that name in this cell: small messages to the subscribers on all of
   * its nodes.
   *
   * @param name 1 to 100 letters, digits and {@code - _ .}
   * @param protocol the protocol of its messages, the same on all nodes
   * @throws IllegalArgumentException if {@code name} is not a valid name of a broadcast, or this
   *     node uses it with another protocol
   */
  <T> Broadcast<T> broadcast(String name, Class<T> protocol);

  /**
   * Starts a failure zone at {@code path}: the actors and zones that are spawned or supervised
   * below it from now on, and below no nearer zone, are its children, in that order. They are
   * started one after the other, restarted by the zone's policy, and stopped in reverse order.
   * Nested zones form a supervision tree: a failure that a zone cannot handle escalates to the zone
   * above, as a failure of the whole zone; one that an outermost zone cannot handle closes this
   * node, see {@link #closed()}.
   *
   * <p>Not in the zone are children of actors, whose failures their parents may take over ({@link
   * io.callboard.supervision.Directive#ESCALATE}), and hosted actors: each of these is supervised
   * on its own.
   *
   * @param options supervision of the zone itself, as a child of the zone above
   * @return completes when the zone runs; fails with {@link CallboardException} of code {@code
   *     PATH_TAKEN} if a zone or an actor has that path, {@code UNAVAILABLE} if the zone above has
   *     100,000 children
   */
  Future<Void> supervise(String path, FailureZone zone, SupervisionOptions options);

  /**
   * Starts a failure zone as {@link #supervise(String, FailureZone, SupervisionOptions)} does, with
   * the default options.
   */
  default Future<Void> supervise(String path, FailureZone zone) {
    return supervise(path, zone, new SupervisionOptions());
  }

  /**
   * Stops an actor, or a failure zone with all its children, for good; durable mail stays. Does
   * nothing if neither runs on this node.
   */
  Future<Void> stop(String path);

  /** Completes with the live nodes of the cell, including this one. */
  Future<List<Member>> members();

  /**
   * Publishes a fact about this node to the other members of the cell, in place of the last one
   * under that key. If the store cannot be reached the future fails, and the fact is published with
   * the next one, or with the next session.
   *
   * <p>Fails with {@code PAYLOAD_TOO_LARGE} for a value over 64 KiB, or if all facts of the node
   * together exceed 512 KiB as JSON; the facts published before stay then.
   *
   * @param key 1 to 100 characters that do not begin with {@code callboard.}
   */
  Future<Void> publish(String key, String value);

  /**
   * Completes with whether a live node of the cell runs the durable actor at {@code path}, or would
   * start it for its mail. If none does, its mail stays in its mailbox and waits: {@code no node of
   * the cell hosts …}.
   */
  Future<Boolean> isHosted(String path);

  /**
   * Returns the operators' interface to this node: status, parked messages, failure zones, metrics.
   */
  CallboardAdmin admin();

  /** Returns the large contents that durable actors of the cell keep. */
  Blobs blobs();

  /** Returns the partition leases of the cell, for programs that run a grid. */
  Leases leases();

  /** Datagrams between the nodes of a clustered Vert.x, for programs that run a grid. */
  Signals signals();

  /** Registers a listener for events of the cell; it is called on an event loop. */
  void listen(CellListener listener);

  /**
   * Closes this node: stops every actor, finishes the commits in flight, releases the leases and
   * leaves the cell; the Vert.x stays open. Idempotent. Closing the Vert.x closes its node first.
   * If an event loop that it needs is blocked meanwhile, it leaves the cell and fails after some 10
   * s with {@code TIMEOUT}, which names what blocks it; so does {@link #closed()}.
   */
  Future<Void> close();

  /**
   * Returns a future that completes when this node has closed. If a failure that no supervisor
   * could handle closed it, the future fails with {@link
   * io.callboard.supervision.EscalatedException}, whose cause is that failure; if the store no
   * longer serves this node, with {@link io.callboard.store.StoreLostException}; if its supervisor
   * was undeployed from outside, with {@link io.callboard.supervision.UndeployedException}.
   */
  Future<Void> closed();
}
