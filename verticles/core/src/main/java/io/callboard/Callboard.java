package io.callboard;

import com.fasterxml.jackson.databind.JsonNode;
import io.callboard.admin.ActorStatus;
import io.callboard.admin.BulkReplay;
import io.callboard.admin.DeadLetter;
import io.callboard.admin.FailureZoneStatus;
import io.callboard.admin.NodeCounts;
import io.callboard.admin.NodeMetrics;
import io.callboard.admin.ParkedFilter;
import io.callboard.admin.WaitingMessage;
import io.callboard.admin.ZoneStatus;
import io.callboard.cell.CellListener;
import io.callboard.cell.Leases;
import io.callboard.cell.Signals;
import io.callboard.codecs.ActorPath;
import io.callboard.codecs.Partition;
import io.callboard.store.Member;
import io.callboard.store.StoredActor;
import io.callboard.store.StoredActors;
import io.callboard.store.StoredParked;
import io.callboard.supervision.Failure;
import io.callboard.supervision.FailureZone;
import io.callboard.supervision.SupervisionOptions;
import io.callboard.time.Time;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
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

  /**
   * Ends the life of an actor or failure zone that runs here, and of those that need it; its mail
   * waits until {@link #resume}. Completes when its supervisor is asked; {@link #running()} tells
   * {@code STOPPED} once that has decided. A durable actor's record says so when its life has
   * ended: it stays stopped wherever its partition goes. Of what is not durable this node forgets
   * it with itself. Fails with {@code NO_SUCH_ACTOR} if it is not here, and with {@code CONFLICT}
   * if it is in a failure zone that rests, or another node runs it.
   */
  Future<Void> park(String path);

  /**
   * Begins a new life of an actor or failure zone that runs here, with those that need it, and
   * forgets what was held against it. Completes when its supervisor is asked. Fails with {@code
   * NO_SUCH_ACTOR} if it is not here, and with {@code CONFLICT} if it is in a failure zone that
   * rests.
   */
  Future<Void> restart(String path);

  /**
   * Makes the state of a persistent actor that runs here again of all of its events, without the
   * help of snapshots: after a mend of its {@code apply} that did not raise {@link
   * PersistentActor#foldVersion()}, which does the same for every actor of the class. What its
   * journal has no more comes from the archive ({@link CallboardOptions#history()}). That it was
   * corrected retroactively is an event of the toolkit's own in its journal and its archived
   * history ({@link io.callboard.journal.Correction}). Its mail waits meanwhile.
   *
   * @param why is written with it; up to 1,000 characters
   * @return completes when that is durable; fails with {@link io.callboard.journal.ReplayException}
   *     if events are missing or cannot be applied, and the actor goes on as it was; with {@code
   *     NO_SUCH_ACTOR} or {@code CONFLICT} if it does not run here now; with {@code BAD_MESSAGE} if
   *     it writes no events
   */
  Future<Void> refold(String path, String why);

  /**
   * Sets the state of a persistent actor that runs here back to what it was after an earlier event,
   * and goes on from there. Events stay in its journal and its archived history, those after it,
   * too; that the state was restored, to which event, and to what, is an event behind them ({@link
   * io.callboard.journal.Correction}). Feeds other than the archive's are not told.
   *
   * @param event its number; 0 for the state before the first
   * @param why is written with it; up to 1,000 characters
   * @return as {@link #refold}; fails with {@code PAYLOAD_TOO_LARGE} if the state has over 30 KiB
   *     as JSON
   */
  Future<Void> restore(String path, long event, String why);

  /**
   * Lets an actor or failure zone that rests here, or waits for its backoff, run again, at once;
   * one that runs goes on. Fails with {@code NO_SUCH_ACTOR} if it is not here.
   */
  Future<Void> resume(String path);

  /**
   * Gives a failure zone of this node another policy; its children run on. It counts for every
   * failure from now on, and for the zone's next lives; {@link #failureZones()} tells it.
   *
   * <p>What was counted stays so: restarts count in the window of the new intensity as long as they
   * are no older than that (those that the last window had forgotten do not come back), so that the
   * next one may be over a lower limit; over it already, nothing happens before that. With another
   * strategy nothing is stopped: what needs a sibling from now on does so from its next start on,
   * and what needs a resting one no more is started.
   *
   * @return completes when the policy is set; fails with {@code NO_SUCH_ACTOR} if no failure zone
   *     of that path is here
   */
  Future<Void> changePolicy(String path, FailureZone policy);

  /**
   * Treats an actor that runs here, or a failure zone, as a child of its zone, otherwise from now
   * on; it runs on. What was counted stays so: its restarts in the window of the new intensity of
   * its own, if it has one, and its failures in a row for the wait by the new backoff, which begins
   * with the next failure; a wait under way stays as it is. One that leaves memory, or the node,
   * begins with the options of its start.
   *
   * @return completes when they are set; fails with {@code NO_SUCH_ACTOR} if neither is here
   */
  Future<Void> changeSupervision(String path, SupervisionOptions options);

  /** The failure zones of this node, in the order of their paths. */
  List<FailureZoneStatus> failureZones();

  /** The actors that run here, with how they are. */
  Future<List<ActorStatus>> running();

  /**
   * How an actor or failure zone failed, oldest first, at most the last 20: one that runs here, or
   * a durable actor of the cell, whose history goes on from node to node. Of a volatile actor it is
   * gone with the actor; of a durable one it is written in the background, so the last of them may
   * be missing while its node does not reach the store, or died.
   *
   * @return empty if the actor has not failed, or there is none; fails with {@link
   *     IllegalArgumentException} if {@code path} is none, and with {@link
   *     io.callboard.store.StoreException} if what is stored cannot be read
   */
  Future<List<Failure>> failures(String path);

  /**
   * The durable actors of the cell within {@code prefix}, running or not; one whose record is
   * damaged hides no other. They come in pages, in the order of their paths: for a list that people
   * turn over. Each page lists all names anew, so whatever wants to see all of many actors uses
   * {@link #stored(ActorPath, Consumer)}.
   *
   * @param limit 1 to {@value io.callboard.store.Limits#PAGE_LIMIT} actors; of large records a page
   *     has fewer, though more follow
   * @param after {@link StoredActors#next} of the page before; empty for the first page
   * @return fails with {@link IllegalArgumentException} for another limit
   */
  Future<StoredActors> stored(ActorPath prefix, int limit, Optional<ActorPath> after);

  /**
   * Passes on the durable actors of the cell within {@code prefix}, in no order, some at a time, so
   * that a million of them need no more memory than a few. What changes meanwhile may be seen as it
   * was or as it is.
   *
   * @param page called on the caller's context, one call after another; if it throws, nothing more
   *     is read
   * @return completes when all were passed on; fails with what {@code page} threw
   */
  Future<Void> stored(ActorPath prefix, Consumer<StoredActors> page);

  /**
   * One durable actor of the cell; empty if there is none. Fails with {@link
   * io.callboard.store.StoreException} of kind {@code CORRUPT} if its record is damaged.
   */
  Future<Optional<StoredActor>> stored(String path);

  /**
   * The node that owns a durable actor's partition, as the store tells: it runs the actor, if it is
   * alive and anybody does. Empty if nobody owns it. Fails with {@link IllegalArgumentException} if
   * {@code path} is none.
   */
  Future<Optional<String>> owner(String path);

  /** Parked messages of the cell, at most {@code limit}. */
  Future<List<StoredParked>> parked(int limit);

  /** One parked message; empty if it is not there, or no longer. */
  Future<Optional<StoredParked>> parked(String actor, String id);

  /**
   * Puts a parked message back into its actor's mailbox, behind what waits there, as a new message.
   * It is moved once, whoever else tries.
   *
   * @return completes when that is durable; fails with {@link CallboardException} of code {@code
   *     NO_SUCH_MESSAGE}, {@code CONFLICT} if somebody else took it meanwhile, {@code BAD_MESSAGE}
   *     if it could never be read, or a large one's body is gone, and can only be discarded, or
   *     {@code MAILBOX_FULL}
   */
  Future<Void> replay(String actor, String id);

  /**
   * {@link #replay(String, String)} with another body.
   *
   * @param body JSON of the message's type and version; fails with {@code PAYLOAD_TOO_LARGE} if it
   *     is, and with {@link io.callboard.codecs.CodecException} if it is beyond a limit of {@link
   *     io.callboard.codecs.Json}, or this node runs or hosts the actor and its protocol says that
   *     the body can never be read. Elsewhere the actor's owner finds that out, and parks it again.
   * @return the original, which is parked no longer; a large one's body is gone
   */
  Future<StoredParked> replay(String actor, String id, JsonNode body);

  /**
   * Replays many parked messages of the cell, those of each actor in their order. It goes on after
   * the future completes and ends with this node; at most one runs on a node, the next fails with
   * {@code CONFLICT}.
   *
   * @param ratePerSecond over 0, at most 1000
   */
  Future<BulkReplay> replay(ParkedFilter filter, double ratePerSecond);

  /**
   * Throws a parked message away.
   *
   * @return completes when that is durable; fails with {@code NO_SUCH_MESSAGE} or {@code CONFLICT}
   */
  Future<Void> discard(String actor, String id);

  /**
   * What waits in the mailbox of a durable actor, oldest first, wherever it runs; changes nothing.
   *
   * @param limit 1 to 1000 messages
   */
  Future<List<WaitingMessage>> waiting(String path, int limit);

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

  /** The scheduling zones of this node. */
  List<ZoneStatus> zones();

  /** What this node counted since it started. */
  NodeCounts counts();

  /** What this node measures of itself. */
  NodeMetrics metrics();

  /**
   * What the store's access control refuses this node, in one line; empty if nothing. The actors
   * concerned do not run until an operator gives it the right and then restarts the node, or its
   * program calls {@link #resume} for each.
   */
  Optional<String> denied();

  /**
   * Whether a live node of the cell runs a durable actor of that path, or would start it for its
   * mail. If none does, its mail is kept and waits: {@code nobody in the cell hosts …}.
   */
  Future<Boolean> isHosted(String path);

  /**
   * Partitions whose lease this node could not read when it looked last, each with where it is and
   * what is wrong: nobody runs their actors until an operator mended it. Empty if there are none.
   */
  Map<Partition, String> unreadableLeases();

  /**
   * Tells {@code listener} of each message of this node that will not be handled, on a thread of
   * the node, which it must not block; what it throws is logged. At most 1,000 letters wait for it:
   * in a storm the others are only counted ({@link NodeCounts#dead()}), and the log says how many.
   *
   * @return ends that
   */
  Runnable onDeadLetter(Consumer<DeadLetter> listener);

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
