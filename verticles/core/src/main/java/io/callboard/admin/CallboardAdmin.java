package io.callboard.admin;

import com.fasterxml.jackson.databind.JsonNode;
import io.callboard.codecs.ActorPath;
import io.callboard.codecs.Partition;
import io.callboard.store.Member;
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
 * The operators' interface to a node: actors and their failures, parked messages, failure zones,
 * scheduling zones, counts and metrics.
 *
 * <p>Methods return at once and may be called from any thread; futures complete on the caller's
 * Vert.x context if it has one.
 *
 * <p>A method that returns a future never throws. For a null or invalid argument the future fails
 * with {@link NullPointerException} or {@link IllegalArgumentException}, before anything is done;
 * when the node has closed, it fails with {@link io.callboard.CallboardException} of code {@code
 * STOPPED}. The other methods throw for an invalid argument, and keep answering after the close.
 */
public interface CallboardAdmin {
  /**
   * Stops an actor or failure zone of this node, and those that need it, until {@link #resume}; its
   * mail waits. Completes when its supervisor has decided, so that what needs it cannot be resumed
   * or restarted any more; {@link #running()} reports {@code STOPPED} then. A durable actor's
   * record says so when its life has ended: it stays stopped wherever its partition moves. For
   * volatile actors the stop is forgotten when the node restarts. Fails with {@code NO_SUCH_ACTOR}
   * if this node does not have it, and with {@code CONFLICT} if it is in a failure zone that rests,
   * or another node runs it.
   */
  Future<Void> suspend(String path);

  /**
   * Restarts an actor or failure zone of this node, with those that need it, and clears its failure
   * counts. Completes when its supervisor has decided. Fails with {@code NO_SUCH_ACTOR} if this
   * node does not have it, and with {@code CONFLICT} if it is in a failure zone that rests.
   */
  Future<Void> restart(String path);

  /**
   * Rebuilds the state of a persistent actor of this node from all of its events, without
   * snapshots: for a correction of its {@code apply} that did not raise {@code
   * PersistentActor.foldVersion()}, which does the same for every actor of the class. Events that
   * its journal no longer has come from the archive ({@code CallboardOptions.history()}). The
   * toolkit records the correction as an event of its own in the journal and the archived history
   * ({@link io.callboard.journal.Correction}). The actor's mail waits meanwhile.
   *
   * @param why is written with it; up to 1,000 characters
   * @return completes when that is durable; fails with {@link io.callboard.journal.ReplayException}
   *     if events are missing or cannot be applied, and the actor goes on as before; with {@code
   *     NO_SUCH_ACTOR} or {@code CONFLICT} if it does not run on this node now; with {@code
   *     BAD_MESSAGE} if it writes no events
   */
  Future<Void> refold(String path, String why);

  /**
   * Restores the state that a persistent actor of this node had after an earlier event, and lets it
   * go on from there. All events stay in its journal and its archived history, the later ones too;
   * an event behind them records the restoration, with the event restored to and the state ({@link
   * io.callboard.journal.Correction}). Feeds other than the archive's do not get it.
   *
   * @param event number of that event; 0 for the state before the first
   * @param why is written with it; up to 1,000 characters
   * @return as {@link #refold}; fails with {@code PAYLOAD_TOO_LARGE} if the state exceeds 30 KiB as
   *     JSON
   */
  Future<Void> restore(String path, long event, String why);

  /**
   * Resumes, at once, an actor or failure zone of this node that rests or waits for its backoff;
   * one that runs goes on. Fails with {@code NO_SUCH_ACTOR} if this node does not have it.
   */
  Future<Void> resume(String path);

  /**
   * Changes the policy of a failure zone of this node; its children keep running. The policy
   * applies to every failure from now on, and to the zone's next lives; {@link #failureZones()}
   * shows it.
   *
   * <p>Counts are kept: restarts count in the window of the new intensity as long as they are no
   * older than that (those that the last window had dropped do not come back), so that the next
   * restart may exceed a lower limit; a limit that is exceeded already has no effect before that. A
   * new strategy stops nothing: a child that now needs a sibling does so from its next start on,
   * and a child that no longer needs a resting sibling is started.
   *
   * @return completes when the policy is set; fails with {@code NO_SUCH_ACTOR} if this node has no
   *     failure zone of that path
   */
  Future<Void> changePolicy(String path, FailureZone policy);

  /**
   * Changes the supervision of an actor or failure zone of this node, as a child of its zone; it
   * keeps running. Counts are kept: its restarts count in the window of the new intensity of its
   * own, if it has one, and its consecutive failures count for the new backoff, which applies from
   * the next failure on; a backoff in progress is not changed. An actor that leaves memory, or the
   * node, starts again with its original options.
   *
   * @return completes when the options are set; fails with {@code NO_SUCH_ACTOR} if this node has
   *     neither
   */
  Future<Void> changeSupervision(String path, SupervisionOptions options);

  /** Returns the failure zones of this node, in the order of their paths. */
  List<FailureZoneStatus> failureZones();

  /**
   * Completes with the status of each actor of this node: all of them are looked at, so that who
   * asks again and again should use {@link #actorCounts()}, {@link #down}, {@link #mail()} or
   * {@link #running(ActorPath)}.
   */
  Future<List<ActorStatus>> running();

  /** Returns the status of one actor of this node; empty if it is not here. */
  Optional<ActorStatus> running(ActorPath path);

  /** Returns the numbers of this node's actors by state, which are kept as they change. */
  ActorCounts actorCounts();

  /**
   * Returns the actors of this node that do not run, which are kept as they change.
   *
   * @param limit maximum number of those listed, 1 or more
   */
  DownActors down(int limit);

  /**
   * Returns the status of the actors of this node that have failed and not run well since ({@link
   * ActorStatus#failing()}), whatever they do just now: those that fail for longest come first.
   *
   * @param limit maximum number of them, 1 or more
   */
  List<ActorStatus> failing(int limit);

  /**
   * Returns the actors of this node that stay interrupted: again and again, for more than a minute,
   * something that they need was not available to them, and they have handled nothing since ({@link
   * ActorStatus#interrupted()}).
   *
   * @param limit maximum number of those listed, 1 or more
   */
  InterruptedActors interrupted(int limit);

  /**
   * Returns the status of the actors of this node that report details, as guards do: the first by
   * their paths.
   *
   * @param limit maximum number of them, 1 or more
   */
  List<ActorStatus> reporting(int limit);

  /**
   * Completes with the status of this node's actors whose path contains a text: the application's
   * first, of these those whose path begins with it, in the order of their paths. Every path is
   * looked at, but no status besides those it completes with; on a worker thread.
   *
   * @param limit maximum number of them, 1 or more
   */
  Future<List<ActorStatus>> named(String part, int limit);

  /**
   * Completes with the mail that waits on this node. Each actor is looked at for it, but for all
   * askers together and no more often than a hundredth of the time of one thread allows: with few
   * actors once a second, with 100,000 every few seconds.
   */
  Future<MailSurvey> mail();

  /** Returns what can be asked of a node of the cell, this one or another. */
  RemoteAdmin of(Member member);

  /**
   * Completes with the failures of an actor or failure zone of this node, or of a durable actor of
   * the cell, oldest first, at most the last 20. A durable actor's history continues from node to
   * node; it is written in the background, so its last failures may be missing while its node
   * cannot reach the store, or has died. A volatile actor's history ends with the actor.
   *
   * @return empty if the actor has not failed, or does not exist; fails with {@link
   *     io.callboard.store.StoreException} if what is stored cannot be read
   */
  Future<List<Failure>> failures(String path);

  /**
   * Completes with the durable actors of the cell within {@code prefix}, running or not; a damaged
   * record hides no other. They come in pages, in the order of their paths, for people who page
   * through a list. Each page lists all names anew, so a program that reads all of many actors
   * should use {@link #stored(ActorPath, Consumer)}.
   *
   * @param limit 1 to {@value io.callboard.store.Limits#PAGE_LIMIT} actors; a page of large records
   *     has fewer, even if more follow
   * @param after {@link StoredActors#next} of the page before; empty for the first page
   */
  Future<StoredActors> stored(ActorPath prefix, int limit, Optional<ActorPath> after);

  /**
   * Streams the durable actors of the cell within {@code prefix} to {@code page}, in no order, some
   * at a time, so that a million of them need no more memory than a few. Actors that change
   * meanwhile may be seen in their old or new state.
   *
   * @param page called on the caller's context, one call after another; if it throws, nothing more
   *     is read
   * @return completes when all were passed on; fails with what {@code page} threw
   */
  Future<Void> stored(ActorPath prefix, Consumer<StoredActors> page);

  /**
   * Completes with the stored record of a durable actor of the cell; empty if there is none. Fails
   * with {@link io.callboard.store.StoreException} of kind {@code CORRUPT} if its record is
   * damaged.
   */
  Future<Optional<StoredActor>> stored(String path);

  /**
   * Completes with the stored records of some durable actors of the cell, in the order of {@code
   * paths} and not of one moment, without those that have none; a damaged record hides no other.
   * Reads them together: much cheaper than {@link #stored(String)} for each.
   *
   * @param paths up to {@value io.callboard.store.Limits#PAGE_ACTORS} paths
   */
  Future<StoredActors> stored(List<ActorPath> paths);

  /**
   * The node that owns a durable actor's partition, read from the store: the only one that runs the
   * actor, if it is alive. Empty if no node owns the partition.
   */
  Future<Optional<String>> owner(String path);

  /**
   * The parked messages of the cell.
   *
   * @param limit 1 to 10,000 messages
   */
  Future<List<StoredParked>> parked(int limit);

  /** Completes with the parked message with that id; empty if there is none, or no longer. */
  Future<Optional<StoredParked>> parked(String actor, String id);

  /**
   * Replays a parked message: moves it back to its actor's mailbox as a new message, behind those
   * that wait there. Of concurrent attempts only one succeeds.
   *
   * @return completes when that is durable; fails with {@code CallboardException} of code {@code
   *     NO_SUCH_MESSAGE}, {@code CONFLICT} if it was taken concurrently, {@code BAD_MESSAGE} if it
   *     could never be read, or a large one's body is gone, and can only be discarded, or {@code
   *     MAILBOX_FULL}
   */
  Future<Void> replay(String actor, String id);

  /**
   * Replays a parked message with a corrected body; otherwise as {@link #replay(String, String)}.
   *
   * @param body JSON of the message's type and version; fails with {@code PAYLOAD_TOO_LARGE} if it
   *     is too large, and with {@link io.callboard.codecs.CodecException} if it exceeds a limit of
   *     {@link io.callboard.codecs.Json}, or this node runs or hosts the actor and its protocol
   *     says that the body can never be read. Otherwise the actor's owner finds that out, and parks
   *     it again.
   * @return the original, which is parked no longer; a large one's body is gone
   */
  Future<StoredParked> replay(String actor, String id, JsonNode body);

  /**
   * Starts a replay of many parked messages of the cell, those of each actor in their order. It
   * continues after the future completes, and ends with this node; a node runs at most one at a
   * time, another fails with {@code CONFLICT}.
   *
   * @param ratePerSecond over 0, at most 1000
   */
  Future<BulkReplay> replay(ParkedFilter filter, double ratePerSecond);

  /**
   * Discards a parked message for good.
   *
   * @return completes when that is durable; fails with {@code NO_SUCH_MESSAGE} or {@code CONFLICT}
   */
  Future<Void> discard(String actor, String id);

  /**
   * Completes with the messages that wait in the mailbox of a durable actor, oldest first, wherever
   * it runs; read-only.
   *
   * @param limit 1 to 1000 messages
   */
  Future<List<WaitingMessage>> waiting(String path, int limit);

  /** Returns the scheduling zones of this node. */
  List<ZoneStatus> zones();

  /**
   * Returns whether more slices wait in a scheduling zone of this node than it is configured for:
   * {@link ZoneStatus#full}, without what else {@link #zones()} measures, for who asks often.
   *
   * @throws IllegalArgumentException if there is no such zone; the message names similar ones
   */
  boolean isZoneFull(String zone);

  /** Returns the counters of this node since its start. */
  NodeCounts counts();

  /** Metrics of this node. */
  NodeMetrics metrics();

  /**
   * Returns the permission that the store's access control denies this node, in one line; empty if
   * none. The actors concerned do not run until an operator grants it and then restarts the node,
   * or its program calls {@link #resume} for each.
   */
  Optional<String> denied();

  /**
   * Returns the partitions whose lease was unreadable when this node last read the leases, each
   * with the lease's location and the defect: no node runs their actors until an operator repairs
   * it. Empty if there are none.
   */
  Map<Partition, String> unreadableLeases();

  /**
   * Returns what cannot leave the outboxes of this node's durable actors before an operator acts;
   * up to 1,000 pairs of sender and receiver. Empty if there is nothing.
   */
  List<StuckMail> stuckMail();

  /**
   * Registers a listener of the dead letters of this node. It is called on a thread of the node,
   * which it must not block; its exceptions are logged. At most 1,000 dead letters wait for it: in
   * a storm the others are only counted ({@link NodeCounts#dead()}), and the log says how many.
   *
   * @return unregisters the listener
   */
  Runnable onDeadLetter(Consumer<DeadLetter> listener);
}
