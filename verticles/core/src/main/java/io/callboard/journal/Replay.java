package io.callboard.journal;

import io.callboard.codecs.ActorPath;
import io.callboard.codecs.BlobRef;
import io.callboard.codecs.CodecException;
import io.callboard.codecs.Journal;
import io.callboard.codecs.JournalReader;
import io.callboard.codecs.Json;
import io.callboard.codecs.MessageType;
import io.callboard.codecs.OldEvent;
import io.callboard.codecs.ProtocolCodec;
import io.callboard.codecs.UnknownFields;
import io.callboard.store.ActorRecord;
import io.callboard.store.JournalKey;
import io.callboard.store.StoreException;
import io.callboard.store.StoredRecord;
import io.callboard.store.StoredSnapshot;
import io.callboard.supervision.Causes;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.Iterator;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Recovery of a persistent actor's state: applies the events after the newest readable snapshot, in
 * batches, reading ahead while one is applied. For one use, on the actor's context.
 *
 * @hidden for the toolkit alone
 */
public final class Replay<S> {
  /** Bytes of entries that are read at once. */
  private static final int BATCH_BYTES = 256 << 10;

  private static final int BATCH_ENTRIES = 64;

  /** Batches that are being read, or wait to be applied. */
  private static final int AHEAD = 3;

  private final ActorPath path;
  private final Subject<S> subject;
  private final Recovery from;
  private final Promise<S> done = Promise.promise();
  private final Deque<Future<List<byte[]>>> reading = new ArrayDeque<>();
  private Iterator<List<JournalKey>> batches = List.<List<JournalKey>>of().iterator();
  private @Nullable S state;
  private UnknownFields unknown = UnknownFields.NONE;
  private final @Nullable Redo redo;
  private final long until;
  private boolean retired;
  private boolean newerFold;
  private long last;
  private long replayed;
  private long toReplay;

  /** The actor whose state is replayed. */
  public interface Subject<S> {
    /** Returns the state of an actor without events. */
    S initial();

    /**
     * Returns a snapshot's state.
     *
     * @throws CodecException if it cannot be read
     */
    ProtocolCodec.Read<S> read(MessageType type, byte[] json);

    /** Returns the version of {@code apply}; snapshots of a lower one do not count. */
    int foldVersion();

    /** Returns the state that follows {@code state} by an event in its stored form. */
    S apply(S state, OldEvent event);

    /** Returns the state that follows {@code state} by the present event of {@code at}. */
    S apply(S state, JournalReader at);

    /** Returns whether one of the events had fields that this code does not know. */
    boolean sawNewerEvents();

    /**
     * Returns the state with which the actor goes on, restored to that after an event.
     *
     * @param last the number of its last event
     */
    S restored(S state, long event, long last);

    /** Returns the final state, after the last event was applied. */
    S end(S state);
  }

  /** Creates a recovery; {@link #run} starts it. */
  public Replay(ActorPath path, Subject<S> subject, Recovery from) {
    this.path = path;
    this.subject = subject;
    this.from = from;
    this.redo = from.redo();
    this.until = redo == null ? Long.MAX_VALUE : redo.until();
  }

  /**
   * Runs the replay and completes with the state, after a call of {@link Recovery#recovered}; at
   * once if there is nothing to read.
   *
   * @return fails with {@link ReplayException} if an event cannot be replayed, with the store's
   *     failure if it cannot be reached
   */
  public Future<S> run() {
    ActorRecord record = from.loaded().record().map(StoredRecord::record).orElse(ActorRecord.EMPTY);
    begin(record.snapshots(), 0);
    return done.future();
  }

  // The snapshot.

  private void begin(List<StoredSnapshot> snapshots, int index) {
    if (index == snapshots.size()) {
      fromTheBeginning(snapshots);
      return;
    }
    StoredSnapshot snapshot = snapshots.get(index);
    boolean old = snapshot.fold() < subject.foldVersion();
    if (old || (redo != null && !redo.helps(snapshot.event()))) {
      from.retired(snapshot);
      retired |= old;
      begin(snapshots, index + 1);
      return;
    }
    newerFold = snapshot.fold() > subject.foldVersion();
    BlobRef blob = snapshot.blob();
    Future<byte[]> bytes =
        blob == null
            ? Future.succeededFuture(Json.uncheckedBytes(snapshot.inRecord()))
            : from.snapshot(blob);
    bytes
        .map(json -> subject.read(snapshot.type(), json))
        .onComplete(
            read -> {
              if (read.succeeded()) {
                unknown = read.result().unknown();
                begin(read.result().value(), snapshot.turn(), snapshot.event());
              } else if (isUnreadable(read.cause())) {
                from.unreadable(snapshot, read.cause());
                begin(snapshots, index + 1);
              } else {
                done.fail(read.cause());
              }
            });
  }

  /** Returns whether the data will not be readable at the next attempt either. */
  private static boolean isUnreadable(Throwable cause) {
    return cause instanceof CodecException
        || (cause instanceof StoreException failure
            && failure.kind() == StoreException.Kind.CORRUPT);
  }

  /**
   * Recovers without a snapshot: every event must be there, in the journal or, before that, in the
   * archive. A state that an actor without events held is in neither.
   */
  private void fromTheBeginning(List<StoredSnapshot> useless) {
    S initial;
    try {
      initial = subject.initial();
    } catch (RuntimeException | Error e) {
      done.fail(e);
      return;
    }
    List<JournalKey> keys = journal(begun());
    boolean isGone = useless.stream().anyMatch(each -> each.event() == 0);
    if (useless.isEmpty()) {
      begin(initial, begun(), 0);
    } else if (isGone || (keys.isEmpty() && from.history() == null)) {
      done.fail(lost(useless.get(0).event()));
    } else if (keys.isEmpty()) {
      fromTheArchive(initial, useless.get(0).event(), null);
    } else {
      from.entries(keys.subList(0, 1))
          .map(read -> Journal.read("a journal entry of " + path, read.get(0), 1))
          .onSuccess(first -> from(initial, first))
          .onFailure(done::fail);
    }
  }

  private long begun() {
    return from.loaded().record().map(found -> found.record().begun()).orElse(0L);
  }

  private List<JournalKey> journal(long after) {
    return from.loaded().journal().stream().filter(key -> key.turn() > after).toList();
  }

  private void from(S initial, JournalReader first) {
    if (first.first() == 1) {
      begin(initial, begun(), 0);
    } else if (from.history() == null) {
      done.fail(lost(first.first() - 1));
    } else {
      fromTheArchive(initial, first.first() - 1, first);
    }
  }

  private void fromTheArchive(S initial, long to, @Nullable JournalReader next) {
    EventHistory history = Objects.requireNonNull(from.history());
    state = initial;
    new ArchivedEvents(path, from, history, begun(), to, next)
        .each(this::apply)
        .onSuccess(all -> begin(present(), begun(), to))
        .onFailure(done::fail);
  }

  private void apply(FeedEvent event) {
    if (event.number() > until) {
      return;
    }
    try {
      state = subject.apply(present(), event.old());
    } catch (RuntimeException e) {
      MessageType type = new MessageType(event.type(), event.version());
      throw new ReplayException(path, event.number(), type, Causes.message(e), e);
    }
  }

  /**
   * Returns the failure of a recovery that lacks events.
   *
   * @param to the number of the last event that is in no journal
   */
  private ReplayException lost(long to) {
    String missing =
        "events up to %d are neither in its journal nor in an archive of this node (CallboardOptions.history)"
            .formatted(to);
    String why =
        retired
            ? "its snapshots have a lower foldVersion than %d, and %s: lower foldVersion again and persist an event that corrects the state"
                .formatted(subject.foldVersion(), missing)
            : redo != null
                ? missing + ": persist an event that corrects the state"
                : "no snapshot can be read, and the events before them are deleted; the log has the cause for each snapshot";
    return new ReplayException(path, 1, null, why, null);
  }

  // The events.

  private void begin(S initial, long turn, long event) {
    state = initial;
    last = event;
    List<JournalKey> keys = journal(turn);
    toReplay = keys.stream().mapToLong(JournalKey::events).sum();
    batches = batches(keys).iterator();
    next();
  }

  private static List<List<JournalKey>> batches(List<JournalKey> keys) {
    List<List<JournalKey>> batches = new ArrayList<>();
    List<JournalKey> batch = new ArrayList<>();
    long bytes = 0;
    for (JournalKey key : keys) {
      if (!batch.isEmpty()
          && (bytes + key.bytes() > BATCH_BYTES || batch.size() == BATCH_ENTRIES)) {
        batches.add(batch);
        batch = new ArrayList<>();
        bytes = 0;
      }
      batch.add(key);
      bytes += key.bytes();
    }
    if (!batch.isEmpty()) {
      batches.add(batch);
    }
    return batches;
  }

  private void next() {
    if (from.isOver()) {
      done.fail(new IllegalStateException("the start of %s was cancelled".formatted(path)));
      return;
    }
    String late = from.late();
    if (late != null) {
      done.fail(
          new ReplayException(
              path,
              last + 1,
              null,
              "%s; %d of %d events were replayed".formatted(late, replayed, toReplay),
              null));
      return;
    }
    while (reading.size() < AHEAD && batches.hasNext()) {
      reading.add(from.entries(batches.next()));
    }
    Future<List<byte[]>> batch = reading.poll();
    if (batch == null) {
      end();
    } else {
      batch.onComplete(
          read -> {
            if (read.failed()) {
              done.fail(read.cause());
            } else if (apply(read.result())) {
              from.progress(replayed, Math.max(replayed, toReplay));
              from.goOn(this::next);
            }
          });
    }
  }

  private void end() {
    S end;
    try {
      end = subject.end(present());
    } catch (RuntimeException | Error e) {
      done.fail(failed(last, null, e));
      return;
    }
    if (redo != null && redo.event() != null && redo.event() > last) {
      done.fail(
          new ReplayException(
              path,
              redo.event(),
              null,
              "there is none, its last is event %d".formatted(last),
              null));
      return;
    }
    S made;
    Future<Void> begins;
    try {
      made = redo == null || redo.event() == null ? end : subject.restored(end, redo.event(), last);
      begins =
          from.recovered(
              made, last, new NewerFields(unknown, newerFold || subject.sawNewerEvents()));
    } catch (RuntimeException | Error e) {
      done.fail(e);
      return;
    }
    begins.map(made).onComplete(done);
  }

  /**
   * Applies the events of a batch of entries; false if one of them could not be applied, with which
   * the recovery has failed.
   */
  private boolean apply(List<byte[]> entries) {
    for (byte[] entry : entries) {
      JournalReader at = null;
      try {
        at = Journal.read("a journal entry of " + path, entry, last + 1);
        apply(at);
      } catch (ReplayException e) {
        done.fail(e);
        return false;
      } catch (RuntimeException | Error e) {
        done.fail(failed(last + 1, at, e));
        return false;
      }
    }
    return true;
  }

  private void apply(JournalReader at) {
    if (at.first() != last + 1) {
      throw new ReplayException(
          path,
          last + 1,
          null,
          "it is missing, the journal continues with event %d of turn %d"
              .formatted(at.first(), at.turn()),
          null);
    }
    S now = present();
    while (at.next()) {
      if (last < until) {
        now = subject.apply(now, at);
      }
      last++;
      replayed++;
    }
    state = now;
  }

  private S present() {
    if (state == null) {
      throw new IllegalStateException(
          "apply returned null instead of the state of %s".formatted(path));
    }
    return state;
  }

  private ReplayException failed(long event, @Nullable JournalReader at, Throwable cause) {
    MessageType type = at == null || at.number() != event ? null : at.typeIfKnown();
    return new ReplayException(path, event, type, Causes.message(cause), cause);
  }
}
