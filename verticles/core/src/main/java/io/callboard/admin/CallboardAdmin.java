package io.callboard.admin;

import com.fasterxml.jackson.databind.JsonNode;
import io.callboard.codecs.ActorPath;
import io.callboard.codecs.Partition;
import io.callboard.store.StoredActor;
import io.callboard.store.StoredActors;
import io.callboard.store.StoredParked;
import io.callboard.supervision.Failure;
import io.callboard.supervision.FailureZone;
import io.callboard.supervision.SupervisionOptions;
import io.vertx.core.Future;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * What operators read and do on a node: actors and their failures, parked messages, failure zones,
 * scheduling zones, counts and metrics.
 *
 * <p>Methods return at once and may be called from any thread; futures complete on the caller's
 * context where it has one.
 */
public interface CallboardAdmin {
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
}
