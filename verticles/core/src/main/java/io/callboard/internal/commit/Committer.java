package io.callboard.internal.commit;

import io.callboard.codecs.ActorPath;
import io.callboard.internal.commit.GroupCommit.Consequences;
import io.callboard.internal.commit.GroupCommit.Step;
import io.callboard.internal.commit.PendingUnit.Result;
import io.callboard.internal.metrics.BlobMeter;
import io.callboard.internal.metrics.CommitMeter;
import io.callboard.store.BlobKey;
import io.callboard.store.Commit;
import io.callboard.store.CommitOutcome;
import io.callboard.store.CommitOutcome.Applied;
import io.callboard.store.CommitOutcome.Reason;
import io.callboard.store.CommitOutcome.Unknown;
import io.callboard.store.CommitUnit;
import io.callboard.store.Session;
import io.callboard.store.Store;
import io.callboard.store.StoreException;
import io.callboard.supervision.Backoff;
import io.callboard.supervision.Causes;
import io.callboard.supervision.ExponentialBackoff;
import io.callboard.time.Time;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Carrier of {@link GroupCommit}; every method is called on the durable context. */
public final class Committer {
  /** Limit of the waiting units; beyond it those from outside of turns are refused. */
  public static final int MOST_WAITING = 100_000;

  private static final Logger log = LoggerFactory.getLogger(Committer.class);
  private static final ExponentialBackoff RETRY_PAUSE =
      Backoff.exponential(Duration.ofMillis(50), Duration.ofSeconds(2));

  private final Store store;
  private final Context context;
  private final Time time;
  private final GroupCommit machine;
  private final RandomGenerator random;
  private final Listener listener;
  private final CommitMeter meter;
  private final BlobMeter blobs;
  private long failures;
  private long renewals;
  private boolean draining;
  private boolean closed;
  private Promise<Void> drained = Promise.promise();

  /** Listener for commits. */
  public interface Listener {

    /** Reports mail that a commit of this node has put into a mailbox. */
    void delivered(GroupCommit.Delivered mail);

    /** Reports a mailbox that may have new mail which {@link #delivered} did not report. */
    void mayHaveMail(ActorPath mailbox);

    /** Reports that this node can commit nothing any more. */
    void ended(Throwable cause);
  }

  /**
   * @param window the most commits under way
   * @param meter counts commits and their outcomes
   * @param blobs counts the blobs that commits remove
   */
  public Committer(
      Store store,
      Context context,
      Time time,
      Session session,
      int window,
      RandomGenerator random,
      CommitMeter meter,
      BlobMeter blobs,
      Listener listener) {
    this.store = store;
    this.context = context;
    this.time = time;
    this.machine = new GroupCommit(session, window);
    this.random = random;
    this.meter = meter;
    this.blobs = blobs;
    this.listener = listener;
  }

  /** Commits a unit with the next commit; refuses it when the node is stopping. */
  public void submit(PendingUnit pendingUnit) {
    if (closed || (draining && pendingUnit.lease().isEmpty())) {
      pendingUnit.done().accept(new Result.Failed(Reason.INCARNATION, "the node is stopping"));
      return;
    }
    if (pendingUnit.lease().isEmpty() && machine.waiting() >= MOST_WAITING) {
      String why = "%d messages wait to be committed by this node".formatted(MOST_WAITING);
      pendingUnit.done().accept(new Result.Failed(Reason.FULL, why));
      return;
    }
    machine.submit(pendingUnit);
    run();
  }

  /** Returns whether a commit under way sends to that mailbox; its outcome is reported. */
  public boolean isSendingTo(ActorPath mailbox) {
    return machine.isSendingTo(mailbox);
  }

  /** Completes when no unit waits any more; units from outside of turns are refused from now on. */
  public Future<Void> drain() {
    draining = true;
    Promise<Void> promise = drained;
    completeIfDrained();
    return promise.future();
  }

  /** Fails the units that still wait. */
  public void close() {
    closed = true;
    GroupCommit.Left left = machine.close();
    for (PendingUnit pendingUnit : left.underWay()) {
      report(pendingUnit, new Result.Unknown("the node stopped while it was under way"));
    }
    for (PendingUnit pendingUnit : left.waiting()) {
      report(pendingUnit, new Result.Failed(Reason.INCARNATION, "the node is stopping"));
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
      Future<Void> made = store.createMailbox(create.mailbox());
      List<Future<Void>> all = new ArrayList<>(List.of(made));
      create.others().forEach(other -> all.add(store.createMailbox(other)));
      Future.join(all)
          .transform(done -> made) // the commit of another that cannot be created reports it
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
    Reason forGood = failure == null ? null : forGood(failure);
    if (failure != null && forGood != null) {
      follow(machine.cannotCreate(forGood, Causes.message(failure)));
      return;
    }
    if (failure != null) {
      log.warn(
          "the mailbox of {} could not be created, trying again",
          mailbox,
          Causes.readable(failure));
    }
    machine.created();
    again(failure != null);
  }

  /**
   * Returns the reason for which a mailbox cannot be created before an operator acts; null if it
   * may be later.
   */
  private static @Nullable Reason forGood(Throwable failure) {
    if (StoreException.isDenial(failure)) {
      return Reason.DENIED;
    }
    boolean damaged =
        failure instanceof StoreException known && known.kind() == StoreException.Kind.CORRUPT;
    return damaged ? Reason.CORRUPT : null;
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
                      CommitOutcome outcome =
                          done.succeeded() ? done.result() : new Unknown(done.cause());
                      meter.landed(
                          left, outcome, commit.units().size(), send.operations(), send.bytes());
                      countRemoved(commit, outcome);
                      landed(commit, outcome);
                    }));
  }

  private void landed(Commit commit, CommitOutcome outcome) {
    if (closed) {
      return;
    } else if (outcome instanceof Unknown unknown) {
      log.info(
          "it is not known whether commit {} was applied: {}",
          commit.number(),
          Causes.text(unknown.cause()));
    } else if (outcome instanceof Applied) {
      renewals = 0;
    }
    decide(() -> machine.outcome(commit, outcome));
  }

  /**
   * Takes the machine's decision; an exception of the machine ends this node's work, and the
   * listener acts on it.
   */
  private void decide(Supplier<Consequences> decision) {
    Consequences consequences;
    try {
      consequences = decision.get();
    } catch (RuntimeException | Error e) {
      end(e);
      return;
    }
    follow(consequences);
  }

  private void end(Throwable cause) {
    listener.ended(cause);
    close();
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

  /** Renews the session; waits first if nothing was applied since the last renewal. */
  private void renew() {
    renewals++;
    if (renewals > 1) {
      pause(RETRY_PAUSE.delay(renewals - 1, random), this::renewNow);
    } else {
      renewNow();
    }
  }

  private void renewNow() {
    if (closed) {
      return;
    }
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
                        decide(() -> machine.renewed(done.result()));
                      } else {
                        end(done.cause());
                      }
                    }));
  }

  private void follow(Consequences consequences) {
    if (closed) {
      return;
    }
    consequences.resolved().forEach(resolved -> report(resolved.pending(), resolved.result()));
    consequences.delivered().forEach(mail -> hint(() -> listener.delivered(mail)));
    consequences.mayHaveMail().forEach(mailbox -> hint(() -> listener.mayHaveMail(mailbox)));
    again(false);
    completeIfDrained();
  }

  /** Reports one result; an exception does not keep the others from being reported. */
  private static void report(PendingUnit pendingUnit, Result result) {
    try {
      pendingUnit.done().accept(result);
    } catch (RuntimeException | Error e) {
      log.error("the receiver of the commit result {} failed", result, Causes.readable(e));
    }
  }

  /** Reports new mail; a failure costs only time, for the next sweep finds the mail. */
  private static void hint(Runnable hint) {
    try {
      hint.run();
    } catch (RuntimeException | Error e) {
      log.error("a hint to new mail failed; the next sweep finds the mail", Causes.readable(e));
    }
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
    Time.Alarm unused = time.after(context, pause, then);
  }
}
