package io.callboard.jobs.internal.call;

import io.callboard.ActorOptions;
import io.callboard.Callboard;
import io.callboard.codecs.BoundedMap;
import io.callboard.codecs.CodecException;
import io.callboard.jobs.internal.files.FileLook;
import io.callboard.jobs.internal.files.FileStamp;
import io.callboard.jobs.internal.files.LogLimits;
import io.callboard.jobs.internal.files.RunFiles;
import io.callboard.jobs.internal.files.RunHome;
import io.callboard.jobs.internal.files.RunLog;
import io.callboard.jobs.internal.runner.KillReport;
import io.callboard.jobs.internal.runner.KillReport.Outcome;
import io.callboard.jobs.internal.runner.Run;
import io.callboard.jobs.internal.runner.RunException;
import io.callboard.jobs.internal.runner.RunKey;
import io.callboard.jobs.internal.runner.RunRequest;
import io.callboard.jobs.internal.runner.RunRequest.HandlerCall;
import io.callboard.jobs.internal.runner.RunResult;
import io.callboard.jobs.internal.runner.Runner;
import io.callboard.jobs.internal.runner.StartPermits;
import io.callboard.jobs.model.FileContent;
import io.callboard.supervision.Causes;
import io.callboard.supervision.ChildKind;
import io.callboard.supervision.SupervisionOptions;
import io.callboard.task.BackgroundTasks;
import io.callboard.time.Time;
import io.callboard.time.Time.Alarm;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Runner that calls the handlers of this node, each on a thread of its zone. Any thread. */
public final class HandlerRunner implements Runner {
  /** Maximum number of runs that are remembered after their ends. */
  static final int MOST_CALLED = 20_000;

  /** Time in which a call gets a thread of its zone; it is given back then. */
  static final Duration NO_THREAD = Duration.ofSeconds(30);

  /** Pause between two interrupts of code that does not end. */
  static final Duration INTERRUPT_AGAIN = Duration.ofSeconds(5);

  private static final Logger LOG = LoggerFactory.getLogger(HandlerRunner.class);

  private final Callboard callboard;
  private final RunHome home;
  private final LogLimits limits;
  private final StartPermits permits;

  /** Context of its timers, and of the blocking tasks that write its logs. */
  private final BackgroundTasks tasks;

  private final Map<String, OfferedHandler<?>> offers = new ConcurrentHashMap<>();
  private final Map<RunKey, LiveCall> live = new ConcurrentHashMap<>();

  /** Calls that have ended and whose jobs do not know it yet. */
  private final Map<RunKey, LiveCall> ended = new ConcurrentHashMap<>();

  /** Runs that were called, the last {@value #MOST_CALLED}. */
  private final Set<RunKey> called =
      Collections.synchronizedSet(Collections.newSetFromMap(BoundedMap.ofNewest(MOST_CALLED)));

  private final AtomicLong actors = new AtomicLong();
  private volatile boolean closed;
  private volatile Consumer<KillReport> onFailedKill = report -> {};

  /**
   * Creates the runner of a host that offers no handlers.
   *
   * @param permits permits to start of its host
   */
  public HandlerRunner(Callboard callboard, RunHome home, LogLimits limits, StartPermits permits) {
    this.callboard = callboard;
    this.home = home;
    this.limits = limits;
    this.permits = permits;
    this.tasks = callboard.tasks("the runner of job handlers");
  }

  /**
   * Offers a handler.
   *
   * @return false if a handler of its name is offered already
   */
  public boolean offer(OfferedHandler<?> offer) {
    return offers.putIfAbsent(offer.name(), offer) == null;
  }

  /** Withdraws the offer of a handler; its runs go on. */
  public void withdraw(OfferedHandler<?> offer) {
    boolean unused = offers.remove(offer.name(), offer);
  }

  /** Returns the handler of that name, if it is offered. */
  public Optional<OfferedHandler<?>> offered(String name) {
    return Optional.ofNullable(offers.get(name));
  }

  /** Returns how many runs of each handler this host takes at once; 0 while its zone is full. */
  public Map<String, Integer> slots() {
    Map<String, Integer> slots = new TreeMap<>();
    offers.forEach(
        (name, offer) -> {
          boolean full = callboard.admin().isZoneFull(offer.options().zone());
          slots.put(name, full ? 0 : offer.options().slots());
        });
    return slots;
  }

  /** Returns whether a run calls a handler, and its job does not know its end yet. */
  public boolean has(RunKey key) {
    return live.containsKey(key) || ended.containsKey(key);
  }

  /** Returns what a run has reported under a name; nothing if it is not here. */
  public FileLook look(RunKey key, String name, @Nullable FileStamp known) {
    LiveCall call = live.getOrDefault(key, ended.get(key));
    return call == null ? FileLook.NONE : call.look(name, known);
  }

  /** Records that the job of a run knows its end. */
  public void acknowledge(RunKey key) {
    ended.remove(key);
  }

  @Override
  public void onFailedKill(Consumer<KillReport> listener) {
    onFailedKill = listener;
  }

  @Override
  public Future<Boolean> mayRunUntil(long untilNanos) {
    return Future.succeededFuture(false); // its host ends its runs in time
  }

  @Override
  public boolean takesRuns() {
    return !closed;
  }

  @Override
  public boolean isClosed() {
    return closed;
  }

  @Override
  public int term() {
    return permits.term();
  }

  @Override
  public boolean refuse(RunKey key) {
    permits.refuse(key);
    return !live.containsKey(key); // in this order, as a start checks the other way round
  }

  @Override
  public Future<Run> start(RunRequest request, int term) {
    HandlerCall asked = request.call();
    RunKey key = request.key();
    if (closed) {
      return Future.failedFuture(RunException.closed());
    }
    OfferedHandler<?> offer = asked == null ? null : offers.get(asked.handler());
    if (asked == null || offer == null) {
      String name = asked == null ? "" : asked.handler();
      return Future.failedFuture(
          RunException.noHandler(
              "host %s does not offer the handler \"%s\" now".formatted(home.host(), name)));
    }
    Promise<Run> started = BackgroundTasks.callersPromise(callboard.vertx());
    Promise<RunResult> end = BackgroundTasks.callersPromise(callboard.vertx());
    CallLog log = new CallLog(tasks.context(), home, request, new RunLog(home.log(key), limits));
    ThreadWait wait = new ThreadWait(offer.options().zone(), NO_THREAD);
    Promise<Void> cancelled = tasks.blockingPromise();
    LiveCall call = new LiveCall(request, wait, log, started, end, cancelled);
    if (live.putIfAbsent(key, call) != null) {
      return Future.failedFuture(RunException.alreadyStarted(key));
    }
    RunException refusal = null;
    if (!permits.admits(key, term)) {
      refusal = RunException.refused(key);
    } else if (!called.add(key)) {
      refusal = RunException.alreadyStarted(key);
    }
    if (refusal != null) {
      live.remove(key, call);
      return Future.failedFuture(refusal);
    }
    begin(call, offer, asked);
    return started.future();
  }

  private <A> void begin(LiveCall call, OfferedHandler<A> offer, HandlerCall asked) {
    A args;
    try {
      args = offer.read(asked.args());
    } catch (CodecException e) {
      live.remove(call.key(), call);
      String place = e.pointer().isEmpty() ? "" : " (at /args%s)".formatted(e.pointer());
      call.started().fail(RunException.misfit(Causes.message(e) + place));
      return;
    }
    String path = "/jobs/call/%s/%d".formatted(callboard.node(), actors.incrementAndGet());
    ActorOptions options =
        new ActorOptions()
            .zone(offer.options().zone())
            .onBus(false)
            .startTimeout(NO_THREAD)
            .supervision(new SupervisionOptions().kind(ChildKind.TEMPORARY));
    call.started().future().onFailure(cause -> stop(path));
    call.ended().future().onComplete(done -> stop(path));
    Alarm limit = after(NO_THREAD, () -> noThread(call, offer, call.threadWait().tooLong()));
    call.started().future().onComplete(done -> limit.cancel());
    callboard
        .spawn(path, () -> new CallActor(() -> run(call, offer, asked.attempt(), args)), options)
        .compose(actor -> actor.tell(new CallActor.Begin()))
        .onFailure(
            cause ->
                noThread(
                    call,
                    offer,
                    call.threadWait().refused(cause).orElseGet(() -> Causes.message(cause))));
  }

  private void stop(String path) {
    callboard
        .stop(path)
        .onFailure(cause -> LOG.debug("the actor of a call could not be stopped", cause));
  }

  private void noThread(LiveCall call, OfferedHandler<?> offer, String why) {
    if (call.givesBack()) {
      live.remove(call.key(), call);
      call.started()
          .fail(
              RunException.noHandler(
                  "the handler \"%s\" was not called: %s".formatted(offer.name(), why)));
    }
  }

  /** Calls the code, on a thread of its zone. Never throws. */
  private <A> void run(LiveCall call, OfferedHandler<A> offer, int attempt, A args) {
    if (!call.begins(now())) {
      return;
    }
    limitTime(call);
    call.started().complete(new Run(call.key(), 0, call.startedAt(), call.ended().future()));
    Future<?> result;
    try {
      Object returned = offer.code().run(new CallContext<>(call, attempt, args));
      result = CallOutcome.future(returned);
    } catch (Throwable e) { // an Error of the code, too, is a failure of its run
      result = Future.failedFuture(e);
    } finally {
      call.returned();
    }
    try {
      result.onComplete(done -> finish(call, offer, done.result(), done.cause()));
    } catch (Throwable e) { // a future of the application may throw
      finish(call, offer, null, e);
    }
  }

  private void finish(
      LiveCall call, OfferedHandler<?> offer, @Nullable Object value, @Nullable Throwable thrown) {
    CallOutcome outcome = outcome(call, offer, value, thrown);
    if (!call.ends()) {
      return;
    }
    Future<@Nullable FileContent> logEnd;
    try {
      call.log().end();
      logEnd = logEnd(call);
    } catch (Throwable e) { // whatever it is, the run ends
      LOG.warn("the log of run {} cannot be read", call.key(), e);
      logEnd = Future.succeededFuture();
    }
    logEnd.onComplete(end -> complete(call, outcome, end.result()));
  }

  /** Decides the outcome of a call: writing its result or failure is code of the application. */
  private static CallOutcome outcome(
      LiveCall call, OfferedHandler<?> offer, @Nullable Object value, @Nullable Throwable thrown) {
    call.continues();
    try {
      CallOutcome outcome = CallOutcome.of(offer.options(), value, thrown);
      Throwable failure = outcome.failure();
      if (failure != null) {
        String stack = Causes.stack(failure);
        call.log().line(Causes.text(failure) + (stack == null ? "" : "\n" + stack.stripTrailing()));
      }
      return outcome;
    } catch (Throwable e) { // whatever it is, the run ends
      return new CallOutcome(null, null, e, true, Optional.empty());
    } finally {
      call.returned();
    }
  }

  private Future<@Nullable FileContent> logEnd(LiveCall call) {
    if (!call.log().hasLines()) {
      return Future.succeededFuture();
    }
    return call.log()
        .written()
        .compose(
            written ->
                callboard
                    .vertx()
                    .executeBlocking(
                        () -> {
                          RunLog file = new RunLog(home.log(call.key()), limits);
                          file.boundEnded();
                          return RunFiles.logEnd(file);
                        },
                        false))
        .recover(
            cause -> {
              LOG.warn("the log of run {} cannot be read: {}", call.key(), cause.toString());
              return Future.succeededFuture();
            });
  }

  private void complete(LiveCall call, CallOutcome outcome, @Nullable FileContent logEnd) {
    boolean lost = call.isAbandoned();
    boolean killed = !call.reason().isEmpty();
    RunResult end =
        new RunResult(
            outcome.succeeded() && !killed ? 0 : 1,
            killed ? Optional.of(call.reason()) : outcome.error(),
            lost,
            call.startedAt(),
            now(),
            call.output(logEnd, killed ? null : outcome.result(), outcome.refusal()),
            killed || outcome.retry(),
            killed ? Optional.empty() : outcome.after());
    ended.put(call.key(), call);
    live.remove(call.key(), call);
    call.ended().complete(end);
  }

  private void limitTime(LiveCall call) {
    Duration timeout = call.request().timeout();
    if (timeout != null) {
      Alarm limit =
          after(
              Time.atMostLongest(timeout),
              () -> {
                Future<KillReport> unused =
                    kill(
                        call.key(),
                        Runner.KILL_GRACE,
                        "its run timeout of %s has elapsed".formatted(timeout));
              });
      call.ended().future().onComplete(done -> limit.cancel());
    }
  }

  @Override
  public void probe() {} // calls need nothing of the host but a thread

  @Override
  public Set<RunKey> live() {
    return Set.copyOf(live.keySet());
  }

  @Override
  public Map<RunKey, Integer> count(Collection<RunKey> keys) {
    Map<RunKey, Integer> counts = new HashMap<>();
    keys.stream().filter(live::containsKey).forEach(key -> counts.put(key, 1));
    return counts;
  }

  @Override
  public Future<KillReport> kill(RunKey key, Duration grace, String reason) {
    permits.refuse(key);
    LiveCall call = live.get(key);
    if (call == null) {
      return Future.succeededFuture(KillReport.notRunning(key));
    }
    call.killFor(reason);
    return end(call, grace.dividedBy(2), grace);
  }

  @Override
  public Future<List<KillReport>> killAll(String reason) {
    permits.endTerm();
    return endAll(reason);
  }

  /** Ends all present calls as lost, for a reason of the host, which has ended its term. */
  public Future<List<KillReport>> endAll(String reason) {
    List<Future<KillReport>> ends = new ArrayList<>();
    for (LiveCall call : List.copyOf(live.values())) {
      call.abandonFor(reason);
      ends.add(end(call, Duration.ZERO, Runner.KILL_GRACE));
    }
    return Future.join(ends).map(all -> all.<KillReport>list());
  }

  /** Runs a task later, also when the actors of a node that fails have closed before its runs. */
  private Alarm after(Duration pause, Runnable task) {
    return callboard.time().after(tasks.context(), pause, task);
  }

  @Override
  public Future<List<KillReport>> close(String reason) {
    closed = true;
    return killAll(reason).onComplete(killed -> tasks.close());
  }

  /**
   * Ends a call that was asked to end: one that has not begun is given back, the thread of another
   * is interrupted. Completes when it is over, or has outlived its grace.
   */
  private Future<KillReport> end(LiveCall call, Duration interrupt, Duration grace) {
    RunKey key = call.key();
    if (call.givesBack()) {
      live.remove(key, call);
      call.started().tryFail(RunException.killed(key, call.isAbandoned(), call.reason()));
      return Future.succeededFuture(KillReport.notRunning(key));
    }
    Promise<KillReport> report = BackgroundTasks.callersPromise(callboard.vertx());
    Alarm first = after(interrupt, call::interrupt);
    Alarm last =
        after(
            grace,
            () -> {
              KillReport failed = notGone(call);
              if (failed != null && report.tryComplete(failed) && call.killFailed()) {
                again(call, failed);
              }
            });
    call.ended()
        .future()
        .onComplete(
            done -> {
              first.cancel();
              last.cancel();
              boolean unused =
                  report.tryComplete(new KillReport(key, Outcome.TERMINATED, List.of()));
            });
    return report.future();
  }

  private static @Nullable KillReport notGone(LiveCall call) {
    return call.isOver()
        ? null
        : new KillReport(call.key(), Outcome.KILL_FAILED, List.of(), call.stack());
  }

  /** Reports code that has not ended, and interrupts it again, until it has. */
  private void again(LiveCall call, KillReport failed) {
    onFailedKill.accept(failed);
    Alarm next =
        after(
            INTERRUPT_AGAIN,
            () -> {
              KillReport still = notGone(call);
              if (still != null) {
                call.interrupt();
                again(call, still);
              }
            });
    call.ended().future().onComplete(done -> next.cancel());
  }

  private Instant now() {
    return callboard.time().clock().instant();
  }
}
