package io.callboard.outbox;

import io.callboard.codecs.ActorPath;
import io.callboard.metrics.BlobMeter;
import io.callboard.metrics.CommitMeter;
import io.callboard.outbox.GroupCommit.Consequences;
import io.callboard.outbox.GroupCommit.Step;
import io.callboard.outbox.Ready.Result;
import io.callboard.store.BlobKey;
import io.callboard.store.Commit;
import io.callboard.store.CommitOutcome;
import io.callboard.store.CommitOutcome.Applied;
import io.callboard.store.CommitOutcome.Reason;
import io.callboard.store.CommitUnit;
import io.callboard.store.Session;
import io.callboard.store.Store;
import io.callboard.store.StoreException;
import io.callboard.supervision.Backoff;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.time.Duration;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Carries {@link GroupCommit} on the durable context; every method is called there. */
public final class Committer {
  /** Units that may wait before those from outside are refused. */
  public static final int MOST_WAITING = 100_000;

  private static final Logger log = LoggerFactory.getLogger(Committer.class);
  private static final Backoff RETRY_PAUSE =
      new Backoff(Duration.ofMillis(50), Duration.ofSeconds(2), Backoff.Jitter.EQUAL);

  private final Store store;
  private final Context context;
  private final GroupCommit machine;
  private final RandomGenerator random;
  private final Listener listener;
  private final CommitMeter meter;
  private final BlobMeter blobs;
  private long failures;
  private boolean draining;
  private boolean closed;
  private Promise<Void> drained = Promise.promise();

  /** Told about each commit. */
  public interface Listener {

    /** A commit of this node put mail into a mailbox. */
    void delivered(GroupCommit.Delivered mail);

    /** There may be new mail in that mailbox, of which {@link #delivered} did not tell. */
    void look(ActorPath mailbox);

    /** This node can commit nothing any more. */
    void ended(Throwable cause);
  }

  /**
   * @param window commits under way at most
   * @param meter counts what becomes of commits
   * @param blobs counts the bodies that they remove
   */
  public Committer(
      Store store,
      Context context,
      Session session,
      int window,
      RandomGenerator random,
      CommitMeter meter,
      BlobMeter blobs,
      Listener listener) {
    this.store = store;
    this.context = context;
    this.machine = new GroupCommit(session, window);
    this.random = random;
    this.meter = meter;
    this.blobs = blobs;
    this.listener = listener;
  }

  /** Commits {@code ready} with the next commit; refuses it when the node is stopping. */
  public void submit(Ready ready) {
    if (closed || (draining && ready.lease().isEmpty())) {
      ready.done().accept(new Result.Failed(Reason.INCARNATION, "the node is stopping"));
      return;
    }
    if (ready.lease().isEmpty() && machine.waiting() >= MOST_WAITING) {
      String why = "%d messages wait to be committed by this node".formatted(MOST_WAITING);
      ready.done().accept(new Result.Failed(Reason.FULL, why));
      return;
    }
    machine.submit(ready);
    run();
  }

  /** Whether a commit under way sends to that mailbox; what comes of it is told. */
  public boolean isSendingTo(ActorPath mailbox) {
    return machine.isSendingTo(mailbox);
  }

  /** Completes when nothing waits any more; what comes from outside is refused from now on. */
  public Future<Void> drain() {
    draining = true;
    Promise<Void> promise = drained;
    completeIfDrained();
    return promise.future();
  }

  /** What still waits fails. */
  public void close() {
    closed = true;
    GroupCommit.Left left = machine.close();
    for (Ready ready : left.underWay()) {
      ready.done().accept(new Result.Unknown("the node stopped while it was under way"));
    }
    for (Ready ready : left.waiting()) {
      ready.done().accept(new Result.Failed(Reason.INCARNATION, "the node is stopping"));
    }
    drained.tryComplete();
  }

  private void completeIfDrained() {
    if (machine.waiting() == 0) {
      drained.tryComplete();
      drained = Promise.promise();
    }
  }

  private void run() {
    Step step = machine.next();
    while (step instanceof Step.Send send) {
      send(send);
      step = machine.next();
    }
    meter.waiting(machine.waiting());
    if (step instanceof Step.Renew) {
      renew();
    } else if (step instanceof Step.Create create) {
      store
          .createMailbox(create.mailbox())
          .onComplete(
              done ->
                  context.runOnContext(
                      v -> {
                        if (!closed) {
                          created(create.mailbox(), done.cause());
                        }
                      }));
    }
  }

  private void created(ActorPath mailbox, @Nullable Throwable failure) {
    if (failure != null && StoreException.isDenial(failure)) {
      follow(machine.cannotCreate(String.valueOf(failure.getMessage())));
      return;
    }
    if (failure != null) {
      log.warn("{} has no mailbox yet, trying again", mailbox, failure);
    }
    machine.created();
    again(failure != null);
  }

  private void send(Step.Send send) {
    Commit commit = send.commit();
    long left = meter.leaves();
    store
        .commit(commit)
        .onComplete(
            done ->
                context.runOnContext(
                    v -> {
                      meter.landed(
                          left,
                          done.result(),
                          commit.units().size(),
                          send.operations(),
                          send.bytes());
                      countRemoved(commit, done.result());
                      if (!closed) {
                        follow(machine.outcome(commit, done.result()));
                      }
                    }));
  }

  private void countRemoved(Commit commit, CommitOutcome outcome) {
    if (outcome instanceof Applied) {
      for (CommitUnit unit : commit.units()) {
        for (BlobKey removed : unit.blobs()) {
          blobs.deleted(removed.blob().bytes());
        }
      }
    }
  }

  private void renew() {
    store
        .renew()
        .onComplete(
            done ->
                context.runOnContext(
                    v -> {
                      if (closed) {
                        return;
                      }
                      meter.renewed();
                      if (done.succeeded()) {
                        follow(machine.renewed(done.result()));
                      } else {
                        log.error("this node can commit nothing any more", done.cause());
                        listener.ended(done.cause());
                        close();
                      }
                    }));
  }

  private void follow(Consequences consequences) {
    if (closed) {
      return;
    }
    consequences.resolved().forEach(resolved -> resolved.ready().done().accept(resolved.result()));
    consequences.delivered().forEach(listener::delivered);
    consequences.look().forEach(listener::look);
    again(false);
    completeIfDrained();
  }

  private void again(boolean failed) {
    if (!failed) {
      failures = 0;
      run();
      return;
    }
    failures++;
    pause(RETRY_PAUSE.delay(failures, random), this::run);
  }

  private void pause(Duration pause, Runnable then) {
    context
        .owner()
        .setTimer(Math.max(1, pause.toMillis()), id -> context.runOnContext(v -> then.run()));
  }
}
