package io.callboard.workflows.actor;

import io.callboard.Callboard;
import io.callboard.time.Time;
import io.callboard.workflows.instance.RunStatus;
import io.callboard.workflows.protocol.RequestAnswer;
import io.callboard.workflows.protocol.StepDispatch;
import io.callboard.workflows.protocol.StepRequest;
import io.callboard.workflows.protocol.StepRunKey;
import io.vertx.core.AsyncResult;
import io.vertx.core.Context;
import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * Open requests of this node's instances: repeated until the desk has them, and to each new desk.
 * So are cancellations. Thread-safe.
 */
public final class StepRequests {
  /** Pause between two looks for what is to be repeated. */
  static final Duration LOOK = Duration.ofSeconds(1);

  /** Pause before a request without an answer is repeated; up to a quarter more, at random. */
  static final Duration REPEAT = Duration.ofSeconds(4);

  private final Callboard callboard;
  private final StepDispatch dispatch;
  private final Context context;
  private final RandomGenerator random;
  private final Runnable unlisten;
  private final Map<StepRunKey, Entry> entries = new ConcurrentHashMap<>();
  private final Map<StepRunKey, Entry> unanswered = new ConcurrentHashMap<>();
  private volatile boolean closed;

  /** Open request; its status changes on any thread, the last one wins. */
  private static final class Entry {
    private final StepRequest request;
    private volatile RunStatus status;
    private volatile long dueNs;
    private volatile boolean cancelled;

    /** Whether a worker has said that it has begun it: such a run is not given back. */
    private volatile boolean begun;

    Entry(StepRequest request, RunStatus status) {
      this.request = request;
      this.status = status;
    }
  }

  /** Creates it, and begins to look. */
  public StepRequests(Callboard callboard, StepDispatch dispatch) {
    this.callboard = callboard;
    this.dispatch = dispatch;
    this.context = callboard.vertx().getOrCreateContext();
    this.random = callboard.random();
    this.unlisten = dispatch.onNewDesk(this::again);
    look();
  }

  private void look() {
    Time.Alarm unused =
        callboard
            .time()
            .after(
                context,
                LOOK,
                () -> {
                  if (!closed) {
                    long now = callboard.time().nanoTime();
                    for (Entry each : unanswered.values()) {
                      if (each.dueNs - now <= 0) {
                        send(each);
                      }
                    }
                    look();
                  }
                });
  }

  /** Requests a run until the desk has it; one that is open already is requested again. */
  public void open(StepRequest request) {
    Entry entry =
        entries.computeIfAbsent(
            request.key(), key -> new Entry(request, status(RunStatus.Kind.REQUESTED, null, null)));
    unanswered.put(request.key(), entry);
    send(entry);
  }

  /** Cancels a run until the desk knows; its end is reported to the instance. */
  public void cancel(StepRunKey run) {
    Entry entry = entries.get(run);
    if (entry != null) {
      entry.cancelled = true;
      unanswered.put(run, entry);
      send(entry);
    }
  }

  /** Forgets a run that has ended, or whose instance has left this node. */
  public void close(StepRunKey run) {
    unanswered.remove(run);
    entries.remove(run);
  }

  /** Returns where a run is, as far as this node knows; null if it is not open here. */
  public @Nullable RunStatus status(StepRunKey run) {
    Entry entry = entries.get(run);
    return entry == null ? null : entry.status;
  }

  /** Takes the report that a worker has begun a run. */
  public void accepted(StepRunKey run, String worker) {
    Entry entry = entries.get(run);
    if (entry != null) {
      entry.begun = true;
      entry.status = status(RunStatus.Kind.RUNNING, worker, null);
    }
  }

  /** Stops repeating. */
  public void close() {
    closed = true;
    unlisten.run();
    unanswered.clear();
    entries.clear();
  }

  private void again() {
    for (Entry each : entries.values()) {
      unanswered.put(each.request.key(), each);
      send(each);
    }
  }

  private void send(Entry entry) {
    long pause = REPEAT.toNanos();
    entry.dueNs = callboard.time().nanoTime() + pause + jitter(pause / 4);
    if (entry.cancelled) {
      dispatch
          .cancel(entry.request.key())
          .onSuccess(known -> unanswered.remove(entry.request.key(), entry));
    } else {
      dispatch.request(entry.request).onComplete(result -> answered(entry, result));
    }
  }

  private long jitter(long most) {
    synchronized (random) {
      return random.nextLong(most);
    }
  }

  private void answered(Entry entry, AsyncResult<RequestAnswer> result) {
    if (entry.cancelled) {
      return;
    } else if (result.failed()) {
      entry.status =
          status(RunStatus.Kind.REQUESTED, null, String.valueOf(result.cause().getMessage()));
    } else if (result.result() instanceof RequestAnswer.Refused refused) {
      entry.status = status(RunStatus.Kind.REFUSED, null, refused.why());
      entry.dueNs = callboard.time().nanoTime() + refused.retryAfter().toNanos();
    } else if (result.result() instanceof RequestAnswer.Queued queued) {
      unanswered.remove(entry.request.key(), entry);
      if (entry.begun && queued.worker() == null) {
        return; // a new desk has not heard of it yet
      }
      RunStatus.Kind kind =
          queued.worker() == null ? RunStatus.Kind.QUEUED : RunStatus.Kind.RUNNING;
      if (entry.status.kind() != kind || !Objects.equals(entry.status.by(), queued.worker())) {
        entry.status = status(kind, queued.worker(), null);
      }
    }
  }

  private RunStatus status(RunStatus.Kind kind, @Nullable String by, @Nullable String why) {
    return new RunStatus(kind, by, why, callboard.time().clock().instant());
  }
}
