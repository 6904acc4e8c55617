package io.callboard.internal.node;

import io.callboard.CallboardException;
import io.callboard.CallboardOptions;
import io.callboard.cell.CellListener;
import io.callboard.codecs.ActorPath;
import io.callboard.internal.activation.DurableActors;
import io.callboard.internal.commit.Committer;
import io.callboard.internal.commit.GroupCommit;
import io.callboard.internal.context.NodeContext;
import io.callboard.internal.ownership.PartitionOwnership;
import io.callboard.store.Member;
import io.callboard.store.NodeIdentity;
import io.callboard.store.Session;
import io.callboard.store.Store;
import io.callboard.time.Time;
import io.callboard.zone.ZoneDefaults;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Opens the parts of a node in order, and closes them in the reverse order. */
final class NodeLifecycle {
  private static final Logger log = LoggerFactory.getLogger(NodeLifecycle.class);
  private static final Duration PASSIVATION_TICK = Duration.ofSeconds(5);
  private static final Duration DRAIN = Duration.ofSeconds(5);
  private static final Duration HAND_OVER = Duration.ofSeconds(3);
  private static final long READ_AGAIN_MS = 1_000;
  private static final Future<Void> DONE = Future.succeededFuture();

  private final NodeAssembly runtime;
  private final CallboardOptions options;
  private final Vertx vertx;
  private final Store store;
  private final DurableActors durables;
  private final Map<String, Time.Alarm> alarms = new HashMap<>();
  private final AtomicBoolean readingAgain = new AtomicBoolean();
  private @Nullable Committer committer;
  private @Nullable PartitionOwnership ownership;
  private @Nullable Promise<Void> closing;

  NodeLifecycle(NodeAssembly runtime) {
    this.runtime = runtime;
    this.options = runtime.context().options();
    this.vertx = runtime.context().vertx();
    this.store = runtime.store();
    this.durables = runtime.durables();
  }

  Future<Void> open() {
    store.listen(durables.events(runtime.committing(), runtime::lost));
    runtime
        .cellEvents()
        .listen(
            new CellListener() {
              @Override
              public void membersChanged() {
                tellRouterWhoLives();
              }
            });
    String home = options.homeId().isEmpty() ? runtime.context().bootId() : options.homeId();
    return vertx
        .deployVerticle(runtime.supervisor(), runtime.zones().deployment(ZoneDefaults.SUPERVISION))
        .compose(id -> runtime.router().start(runtime.remoteReceiver()))
        .compose(v -> runtime.actors().endpoints().start())
        .compose(
            v -> store.open(new NodeIdentity(options.name(), runtime.context().bootId(), home)))
        .compose(this::ready);
  }

  /** Passes the live nodes on to the router, so that it does not wait for those that are gone. */
  private void tellRouterWhoLives() {
    store
        .members()
        .onFailure(this::notRead)
        .onSuccess(
            members ->
                runtime
                    .router()
                    .members(
                        members.stream()
                            .map(Member::bootId)
                            .collect(Collectors.toUnmodifiableSet())));
  }

  /**
   * Reads the members again after a failure, so that a node that came meanwhile gets broadcasts.
   */
  private void notRead(Throwable cause) {
    NodeContext.reportedElsewhere(cause);
    if (readingAgain.compareAndSet(false, true)) {
      runtime
          .context()
          .afterMillis(
              READ_AGAIN_MS,
              () -> {
                readingAgain.set(false);
                if (closing == null) {
                  tellRouterWhoLives();
                }
              });
    }
  }

  private Future<Void> ready(Session session) {
    Promise<Void> done = Promise.promise();
    runtime
        .context()
        .onDurableContext(
            done,
            () -> {
              if (closing != null) {
                done.fail(CallboardException.stopped("this node"));
                return;
              }
              committer =
                  new Committer(
                      store,
                      runtime.context().durableContext(),
                      runtime.context().time(),
                      session,
                      options.commitWindow(),
                      runtime.context().random(),
                      runtime.commits(),
                      runtime.blobs(),
                      listener());
              PartitionOwnership claims =
                  new PartitionOwnership(
                      store,
                      options.name(),
                      runtime.context().bootId(),
                      session.partitions(),
                      runtime.context()::onDurableContext,
                      (pause, task) -> runtime.context().later(pause.toNanos(), task),
                      runtime.context()::nanoTime,
                      runtime.context().random(),
                      durables.partitions());
              ownership = claims;
              runtime.opened(committer, claims);
              runtime.offers().opened();
              schedulePassivation();
              scheduleSweep();
              tellRouterWhoLives();
              runtime.groups().membersChanged();
              done.complete();
            });
    return done.future();
  }

  private Committer.Listener listener() {
    return new Committer.Listener() {
      @Override
      public void delivered(GroupCommit.Delivered mail) {
        if (runtime.ownership().lease(mail.receiver()).isPresent()) {
          durables.wake().delivered(mail);
          if (!durables.isHere(mail.receiver())) {
            runtime.unhosted().delivered(mail.receiver());
          }
        } else {
          runtime.pushSender().send(mail);
          if (runtime.ownership().elsewhere(mail.receiver()).isEmpty()) {
            runtime.unhosted().delivered(mail.receiver());
          }
        }
      }

      @Override
      public void mayHaveMail(ActorPath mailbox) {
        durables.wake().mailFor(mailbox);
      }

      @Override
      public void ended(Throwable cause) {
        runtime.lost(cause);
      }
    };
  }

  private void schedulePassivation() {
    again(
        "passivation",
        PASSIVATION_TICK,
        () -> {
          schedulePassivation(); // first: it goes on whatever becomes of this one
          durables.passivate();
        });
  }

  /** Schedules the next sweep at an irregular interval, so that nodes do not sweep together. */
  private void scheduleSweep() {
    long period = options.sweepEvery().toMillis();
    long delay = Math.max(1, period * 3 / 4 + runtime.context().random().nextLong(period / 2 + 1));
    again(
        "sweep",
        Duration.ofMillis(delay),
        () -> {
          scheduleSweep();
          durables.sweep();
          runtime.groups().membersChanged();
        });
  }

  private void again(String what, Duration delay, Runnable task) {
    alarms.put(
        what,
        runtime
            .context()
            .after(
                delay,
                () -> {
                  if (closing == null) {
                    task.run();
                  }
                }));
  }

  /**
   * Closes the node. On the durable context; the first call closes, all complete when that is done.
   */
  Future<Void> close() {
    if (closing == null) {
      closing = Promise.promise();
      runtime.context().closing();
      shutDown().onComplete(closing);
    }
    return closing.future();
  }

  private Future<Void> shutDown() {
    alarms.values().forEach(Time.Alarm::cancel);
    Committer commits = committer;
    PartitionOwnership claims = ownership;
    return (claims == null || runtime.isLost()
            ? DONE
            : step("the hand-over to other nodes", () -> handOver(claims)))
        .compose(v -> closed(runtime.supervisor()::closes))
        .compose(v -> closed(runtime.groups()::close))
        .compose(v -> step("messages that wait for room", () -> closed(runtime.appender()::close)))
        .compose(v -> step("large bodies", () -> closed(runtime.blobTransfers()::close)))
        .compose(
            v ->
                step(
                    "messages that wait for large ones",
                    () -> closed(runtime.tellSequencer()::close)))
        .compose(v -> step("the endpoints", () -> closed(runtime.actors().endpoints()::stop)))
        .compose(v -> step("the event bus", runtime.bus()::close))
        .compose(v -> ended("the actors", Promise.promise(), runtime.actors()::close))
        .compose(v -> commits == null ? DONE : step("the commits under way", () -> drain(commits)))
        .compose(
            v -> commits == null ? DONE : step("uncommitted units", () -> closed(commits::close)))
        .compose(v -> claims == null ? DONE : step("the leases", claims::close))
        .compose(v -> step("the histories", () -> closed(runtime.histories()::close)))
        .compose(v -> step("the links", runtime.router()::close))
        .compose(v -> step("the store", store::close))
        .compose(v -> step("the asks", () -> closed(runtime.asks()::close)))
        .compose(v -> step("the zones", () -> closed(runtime.zones()::close)))
        .compose(v -> step("the limits", () -> closed(runtime.context()::forgetLimits)))
        .compose(v -> step("the supervisor", this::undeploySupervisor));
  }

  /**
   * Hands partitions over while all parts still work, so that no actor waits for the end of the
   * close.
   */
  private Future<Void> handOver(PartitionOwnership claims) {
    runtime.offers().drain(true);
    return claims
        .handOverAll()
        .timeout(HAND_OVER.toMillis(), TimeUnit.MILLISECONDS)
        .otherwise(
            cause -> {
              log.info(
                  "not all partitions could be handed over; other nodes take them when the session has ended: {}",
                  cause.toString());
              return null;
            });
  }

  private static Future<Void> drain(Committer commits) {
    return commits.drain().timeout(DRAIN.toMillis(), TimeUnit.MILLISECONDS);
  }

  private static Future<Void> closed(Runnable close) {
    close.run();
    return DONE;
  }

  private Future<Void> undeploySupervisor() {
    String id = runtime.supervisor().deploymentId();
    runtime.supervisor().nothingElseIsLeft();
    return id == null || runtime.supervisor().isUndeployed() ? DONE : undeploy(id);
  }

  /** Undeploys the supervisor, which a closing Vert.x instance may have undeployed before. */
  private Future<Void> undeploy(String id) {
    return vertx
        .undeploy(id)
        .recover(
            cause ->
                vertx.deploymentIDs().contains(id)
                    ? Future.failedFuture(cause)
                    : Future.succeededFuture());
  }

  /**
   * Runs one step of the close on the durable context, whatever the step before ended on; a failing
   * step does not stop the others.
   */
  private Future<Void> step(String what, Supplier<Future<Void>> close) {
    Promise<Void> ended = Promise.promise();
    CloseLimit.unlessSoon(ended.future(), () -> onDurableContext(() -> late(what, ended)));
    return ended(what, ended, close);
  }

  /**
   * Runs a step without a limit: actors have limits of their own, which may be longer, and are left
   * behind by them.
   */
  private Future<Void> ended(String what, Promise<Void> ended, Supplier<Future<Void>> close) {
    onDurableContext(
        () -> DONE.compose(v -> close.get()).onComplete(done -> told(what, done.cause(), ended)));
    return ended.future();
  }

  private void onDurableContext(Runnable step) {
    try {
      runtime.context().onDurableContext(step);
    } catch (RejectedExecutionException e) {
      step.run(); // the Vert.x has closed, and nothing else runs there any more
    }
  }

  private void late(String what, Promise<Void> ended) {
    if (!ended.future().isComplete()) {
      String why =
          "it did not end within %d s; event loops are held by %s"
              .formatted(CloseLimit.SILENCE.toSeconds(), CloseLimit.holders(runtime.zones()));
      told(what, new TimeoutException(why), ended);
    }
  }

  private static void told(String what, @Nullable Throwable failure, Promise<Void> ended) {
    if (!ended.tryComplete()) {
      log.debug("{} ended after its limit", what, failure);
    } else if (failure instanceof RejectedExecutionException) {
      log.debug("{} ended with its Vert.x instance, which closed first", what, failure);
    } else if (failure != null) {
      log.warn("{} did not close cleanly: {}", what, failure.toString());
    }
  }
}
