package io.callboard;

import io.callboard.admin.CallboardAdmin;
import io.callboard.cell.CellListener;
import io.callboard.cell.Leases;
import io.callboard.cell.Signals;
import io.callboard.store.Member;
import io.callboard.supervision.FailureZone;
import io.callboard.supervision.SupervisionOptions;
import io.callboard.time.Time;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;

/**
 * Runs actors in one Vert.x; many can live in one process.
 *
 * <p>Methods return at once and may be called from any thread; futures complete on the caller's
 * context where it has one.
 */
public interface Callboard {
  /**
   * Opens the store, joins the cell and starts the supervisors.
   *
   * @return fails with {@link io.callboard.store.StoreException} if the store cannot be opened,
   *     with {@link IllegalStateException} if {@code vertx} runs a Callboard already
   */
  static Future<Callboard> create(Vertx vertx, CallboardOptions options) {
    return NodeFactory.loaded().create(vertx, options);
  }

  /**
   * The Callboard of {@code vertx}.
   *
   * @throws IllegalStateException if there is none
   */
  static Callboard of(Vertx vertx) {
    return find(vertx)
        .orElseThrow(
            () ->
                new IllegalStateException(
                    "this Vert.x runs no Callboard: call Callboard.create(vertx, options) first"));
  }

  /** The Callboard of {@code vertx}; empty if there is none. */
  static Optional<Callboard> find(Vertx vertx) {
    return NodeFactory.loaded().find(vertx);
  }

  /** The name of this node, unique in its cell. */
  String node();

  /** Unique for this start of this node. */
  String bootId();

  Vertx vertx();

  /** The time by which this node goes, which a test may move by hand. */
  Time time();

  /**
   * Randomness of its own for each caller, seeded by this node ({@link CallboardOptions#seed}); not
   * for secrets. Like any {@link RandomGenerator} it is for one thread at a time.
   */
  RandomGenerator random();

  /**
   * Starts an actor under its supervisor.
   *
   * <p>A volatile actor runs here. A durable one runs on the node that owns its partition: here,
   * unless a live node has it, which then runs it if the same path was spawned there.
   *
   * <p>One whose start failed is there all the same: its mail waits, its path is taken, and its
   * supervisor starts it again after each backoff, as after any failure ({@link
   * ActorOptions#supervision}). If the factory fails or makes nothing, nothing was started: there
   * is no actor, and its path is free. {@link #running()} tells whether it {@code WAITS} for that,
   * is {@code RUNNING} since, or {@code FAILED} because it was given up; {@link #stop} ends it.
   *
   * @param path unique in the cell
   * @param factory makes a new object for each start and restart; one that was started before fails
   *     the start
   * @return completes when the actor has started for the first time, or, for one owned by another
   *     node, when that is known; fails with {@link CallboardException} of code {@code PATH_TAKEN}
   *     or {@code START_FAILED}
   */
  <M> Future<ActorRef<M>> spawn(
      String path, Supplier<? extends Actor<M>> factory, ActorOptions options);

  /** {@link #spawn(String, Supplier, ActorOptions)} with the default options. */
  default <M> Future<ActorRef<M>> spawn(String path, Supplier<? extends Actor<M>> factory) {
    return spawn(path, factory, new ActorOptions());
  }

  /**
   * Declares that every durable actor below {@code prefix} is made by {@code factory}. It is
   * started by its first mail, on the node that owns it, and stopped when it was idle for {@link
   * ActorOptions#passivateAfter()}; its next mail starts it again. A factory of volatile actors is
   * refused with {@link IllegalArgumentException}.
   *
   * <p>Nodes share what is in a space, the first segment of a path: each node that hosts in it is
   * to host the same prefixes. Mail that its owner runs nothing for waits, and is told in its log
   * and by the grid monitor.
   *
   * @return completes when the partitions that were free are owned; fails with {@link
   *     CallboardException} of code {@code START_FAILED} if the factory fails or makes nothing
   */
  <M> Future<Void> host(String prefix, Supplier<? extends Actor<M>> factory, ActorOptions options);

  /** A ref to the volatile actor of that path, here or on another node, running or not. */
  <M> ActorRef<M> ref(String path, Class<M> protocol);

  /**
   * A ref to the durable actor of that path; its mailbox is made by the first message. A message
   * that could not be read back is refused by {@link ActorRef#tell(Object)}.
   */
  <M> ActorRef<M> durableRef(String path, Class<M> protocol);

  /**
   * The actors of the cell in the group of that name, which need not have any yet.
   *
   * @param name 1 to 100 letters, digits and {@code - _ .}
   * @param protocol that they share
   * @throws IllegalArgumentException if no group can have that name
   */
  <M> ActorGroup<M> group(String name, Class<M> protocol);

  /**
   * The small news of that name in this cell, which go to the subscribers on all of its nodes.
   *
   * @param name 1 to 100 letters, digits and {@code - _ .}
   * @param protocol of the news, on all nodes the same
   * @throws IllegalArgumentException if no broadcast can have that name, or this node uses it with
   *     another protocol
   */
  <T> Broadcast<T> broadcast(String name, Class<T> protocol);

  /**
   * Makes a failure zone of {@code path}: what is spawned or supervised below it from now on, and
   * below no zone that is nearer, is its children, in that order. They are started one after the
   * other, restarted as the zone says, and stopped in the reverse order. Zones within zones make a
   * tree: what a zone cannot mend fails it as a whole in the zone above; what an outermost one
   * cannot mend closes this node, see {@link #closed()}.
   *
   * <p>Not in the zone: what actors start themselves, whose failures they may take ({@link
   * io.callboard.supervision.Directive#ESCALATE}), and what is hosted: these are supervised each
   * for itself.
   *
   * @param options how the zone is treated as a child of the zone above
   * @return completes when the zone runs; fails with {@link CallboardException} of code {@code
   *     PATH_TAKEN} if there is a zone or an actor at that path, {@code UNAVAILABLE} if the zone
   *     above has 100,000 children
   */
  Future<Void> supervise(String path, FailureZone zone, SupervisionOptions options);

  /** {@link #supervise(String, FailureZone, SupervisionOptions)} with the default options. */
  default Future<Void> supervise(String path, FailureZone zone) {
    return supervise(path, zone, new SupervisionOptions());
  }

  /**
   * Stops an actor, or a failure zone with all its children, for good; durable mail stays. If
   * neither runs here, nothing happens.
   */
  Future<Void> stop(String path);

  /** The live nodes of the cell, this one among them. */
  Future<List<Member>> members();

  /**
   * Tells the other members a fact about this node, in place of what it told under that key. If the
   * store cannot be reached it fails, and is told with the next fact or session.
   *
   * <p>Fails with {@link IllegalArgumentException} for a null or a key that cannot be, and with
   * {@code PAYLOAD_TOO_LARGE} for a value over 64 KiB, or if all facts of the node have more than
   * 512 KiB, as JSON; what was told before stays then.
   *
   * @param key 1 to 100 characters that do not begin with {@code callboard.}
   */
  Future<Void> publish(String key, String value);

  /**
   * Whether a live node of the cell runs a durable actor of that path, or would start it for its
   * mail. If none does, its mail is kept and waits: {@code nobody in the cell hosts …}.
   */
  Future<Boolean> isHosted(String path);

  /** What operators read and do. */
  CallboardAdmin admin();

  /** Who owns which partition, for whoever runs a grid. */
  Leases leases();

  /** Datagrams between the nodes of a clustered Vert.x, for whoever runs a grid. */
  Signals signals();

  /** Registers for facts about the cell; {@code listener} is called on an event loop. */
  void listen(CellListener listener);

  /**
   * Stops every actor, finishes the commits under way, gives the leases back and leaves the cell;
   * the Vert.x stays. Idempotent. A Vert.x that closes does the same before it has closed. If an
   * event loop that it needs is held meanwhile, it leaves the cell and fails after some 10 s with
   * {@code TIMEOUT}, which names who holds it; so does {@link #closed()}.
   */
  Future<Void> close();

  /**
   * Completes when this node has closed. If a failure that no supervisor could mend closed it, this
   * fails with {@link io.callboard.supervision.EscalatedException}, whose cause is that failure; if
   * the store serves this node no more, with {@link io.callboard.store.StoreLostException}; if its
   * supervisor was undeployed from outside, with {@link
   * io.callboard.supervision.UndeployedException}.
   */
  Future<Void> closed();
}
