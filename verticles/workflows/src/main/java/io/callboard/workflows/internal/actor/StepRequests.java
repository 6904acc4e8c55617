package io.callboard.workflows.internal.actor;

import io.callboard.Callboard;
import io.callboard.task.BackgroundTasks;
import io.callboard.task.Repetition;
import io.callboard.workflows.internal.instance.RunStatus;
import io.callboard.workflows.internal.protocol.RequestAnswer;
import io.callboard.workflows.internal.protocol.StepDispatch;
import io.callboard.workflows.internal.protocol.StepRequest;
import io.callboard.workflows.internal.protocol.StepRunKey;
import io.callboard.workflows.internal.protocol.WorkerId;
import io.vertx.core.AsyncResult;
import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Open requests of this node's instances: repeated until the desk has them, and to each new desk.
 * So are cancellations. A request belongs to the life of its instance that made it, and ends with
 * it; it names the epoch in which this node owns the instance, so that the desk does not take it
 * when another node does. Thread-safe.
 */
public final class StepRequests {
  private static final Logger log = LoggerFactory.getLogger(StepRequests.class);

  /** Pause between two looks for what is to be repeated. */
  static final Duration LOOK = Duration.ofSeconds(1);

  /** Pause before a request without an answer is repeated; up to a quarter more, at random. */
  static final Duration REPEAT = Duration.ofSeconds(4);

  /**
   * Pause before a request is repeated that the desk does not take, as another node owns its
   * instance. This one will learn that, and end the life that has made it.
   */
  static final Duration OUTDATED = Duration.ofSeconds(30);

  private final Callboard callboard;
  private final InstanceLives lives;
  private final StepDispatch dispatch;
  private final BackgroundTasks tasks;
  private final RandomGenerator random;
  private final Runnable unlisten;
  private final Map<StepRunKey, Entry> entries = new ConcurrentHashMap<>();
  private final Map<StepRunKey, Entry> unanswered = new ConcurrentHashMap<>();

  /** Open request; its status changes on any thread, the last one wins. */
  private static final class Entry {
    private final InstanceLife life;
    private final StepRequest request;
    private volatile RunStatus status;
    private volatile long dueNs;
    private volatile boolean cancelled;

    /** Whether a worker has said that it has begun it: such a run is not given back. */
    private volatile boolean begun;

    /** Life of a worker to which a desk has given it; null if this node was not told of one. */
    private volatile @Nullable WorkerId given;

    /** Whether it was sent before: its run may be settled by the time that it arrives again. */
    private final AtomicBoolean sent;

    /** Whether the desk takes another node for the owner of its instance. */
    private volatile boolean outdated;

    /** Number of times that it was sent. */
    private final AtomicInteger sends = new AtomicInteger();

    /** Number of the first time whose answer counts: those before went to an earlier desk. */
    private volatile int first;

    /** Number of the last time whose answer was taken. */
    private volatile int last;

    Entry(InstanceLife life, StepRequest request, RunStatus status, boolean again) {
      this.sent = new AtomicBoolean(again);
      this.life = life;
      this.request = request;
      this.status = status;
    }
  }

  /** Creates the requests of a node, and begins to repeat them. */
  public StepRequests(Callboard callboard, InstanceLives lives, StepDispatch dispatch) {
    this.callboard = callboard;
    this.lives = lives;
    this.dispatch = dispatch;
    this.tasks = callboard.tasks("the requests of steps");
    this.random = callboard.random();
    this.unlisten = dispatch.onNewDesk(this::again);
    lives.onEnd(life -> life.runs().forEach(run -> forget(life, run)));
    lives.onGain(this::gained);
    tasks.repeat(Repetition.every(LOOK).spread(0), this::look);
  }

  private void look() {
    long now = callboard.time().nanoTime();
    for (Entry each : unanswered.values()) {
      if (each.dueNs - now <= 0) {
        send(each);
      }
    }
  }

  /**
   * Requests a run until the desk has it; one that is open already is requested again. Does nothing
   * if the life has ended.
   */
  public void open(InstanceLife life, StepRequest request) {
    open(life, request, false);
  }

  /** Requests a run as {@link #open} does; a life before may have done that. */
  public void reopen(InstanceLife life, StepRequest request) {
    open(life, request, true);
  }

  private void open(InstanceLife life, StepRequest request, boolean again) {
    Entry entry =
        entries.compute(
            request.key(),
            (key, known) ->
                known != null && known.life == life
                    ? known
                    : new Entry(
                        life, request, status(RunStatus.Kind.REQUESTED, null, null), again));
    unanswered.put(request.key(), entry);
    life.opens(request.key());
    if (life.isOver()) {
      forget(life, request.key());
    } else {
      send(entry);
    }
  }

  /** Cancels a run of a life until the desk knows; its end is reported to the instance. */
  public void cancel(InstanceLife life, StepRunKey run) {
    Entry entry = entries.get(run);
    if (entry != null && entry.life == life) {
      entry.cancelled = true;
      again(entry);
    }
  }

  /** Cancels a run as {@link #cancel} does; once if the life has not requested it. */
  void abandon(InstanceLife life, StepRunKey run) {
    if (entries.containsKey(run)) {
      cancel(life, run);
    } else {
      dispatch
          .cancel(run)
          .onFailure(cause -> log.info("the desk has not heard that {} is cancelled", run, cause));
    }
  }

  /** Forgets a run of a life that has ended, or whose instance has left this node. */
  public void close(InstanceLife life, StepRunKey run) {
    forget(life, run);
    life.closes(run);
  }

  private void forget(InstanceLife life, StepRunKey run) {
    Entry entry = entries.get(run);
    if (entry != null && entry.life == life) {
      entries.remove(run, entry);
      unanswered.remove(run, entry);
    }
  }

  /** Returns the status of a run by what this node knows; null if the run is not open here. */
  public @Nullable RunStatus status(StepRunKey run) {
    Entry entry = entries.get(run);
    return entry == null ? null : entry.status;
  }

  /** Processes the report that a worker has begun a run. */
  public void accepted(StepRunKey run, String worker) {
    Entry entry = entries.get(run);
    if (entry != null) {
      entry.begun = true;
      entry.status = status(RunStatus.Kind.RUNNING, worker, null);
    }
  }

  /** Records that a desk gives a run to a worker, which is reported to the next desk. */
  public void given(StepRunKey run, WorkerId worker) {
    Entry entry = entries.get(run);
    if (entry != null) {
      entry.given = worker;
    }
  }

  /** Stops repeating the requests. */
  public void close() {
    tasks.close();
    unlisten.run();
    unanswered.clear();
    entries.clear();
  }

  private void again() {
    entries.values().forEach(this::again);
  }

  private void again(Entry entry) {
    entry.first = entry.sends.get() + 1;
    unanswered.put(entry.request.key(), entry);
    if (entries.get(entry.request.key()) == entry) {
      send(entry);
    } else { // it was closed meanwhile
      unanswered.remove(entry.request.key(), entry);
    }
  }

  /** Requests again what the desk did not take: this node may own it now. */
  private void gained() {
    entries.values().stream().filter(entry -> entry.outdated).forEach(this::again);
  }

  private void send(Entry entry) {
    long pause = REPEAT.toNanos();
    entry.dueNs = callboard.time().nanoTime() + pause + jitter(pause / 4);
    if (entry.cancelled) {
      dispatch
          .cancel(entry.request.key())
          .onSuccess(known -> unanswered.remove(entry.request.key(), entry));
    } else {
      StepRequest request =
          entry.request.sent(
              lives.epoch(entry.request.instance()), entry.sent.getAndSet(true), entry.given);
      int number = entry.sends.incrementAndGet();
      dispatch.request(request).onComplete(result -> answered(entry, number, result));
    }
  }

  private long jitter(long most) {
    synchronized (random) {
      return random.nextLong(most);
    }
  }

  private void answered(Entry entry, int number, AsyncResult<RequestAnswer> result) {
    boolean taken = result.result() instanceof RequestAnswer.Queued;
    boolean late = number < entry.first || (!taken && number < entry.last);
    if (entry.cancelled || late) { // a later one has said more
      return;
    }
    if (number > entry.last) {
      entry.last = number;
    }
    entry.outdated = result.result() instanceof RequestAnswer.Outdated;
    if (result.failed()) {
      entry.status =
          status(RunStatus.Kind.REQUESTED, null, String.valueOf(result.cause().getMessage()));
    } else if (result.result() instanceof RequestAnswer.Refused refused) {
      entry.status = status(RunStatus.Kind.REFUSED, null, refused.why());
      entry.dueNs = callboard.time().nanoTime() + refused.retryAfter().toNanos();
    } else if (entry.outdated) {
      entry.status = status(RunStatus.Kind.REFUSED, null, "another node has its instance by now");
      entry.dueNs = callboard.time().nanoTime() + OUTDATED.toNanos();
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
