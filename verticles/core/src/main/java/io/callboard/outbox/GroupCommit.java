package io.callboard.outbox;

import io.callboard.codecs.ActorPath;
import io.callboard.outbox.Ready.Result;
import io.callboard.store.Commit;
import io.callboard.store.CommitOutcome;
import io.callboard.store.CommitOutcome.Applied;
import io.callboard.store.CommitOutcome.Reason;
import io.callboard.store.CommitOutcome.Refused;
import io.callboard.store.CommitOutcome.Unknown;
import io.callboard.store.CommitUnit;
import io.callboard.store.Lease;
import io.callboard.store.Limits;
import io.callboard.store.Session;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Packs ready units into commits, one in flight. A machine without I/O: {@link #next()} says what
 * to do, the other methods tell what happened. Not thread-safe.
 */
public final class GroupCommit {
  private final Deque<Ready> queue = new ArrayDeque<>();
  private List<Ready> inFlight = List.of();
  private Session session;
  private State state = State.IDLE;
  private int mostUnits = Limits.COMMIT_OPERATIONS;
  private ActorPath missing = ActorPath.of("/none");

  private enum State {
    IDLE,
    SENT,
    MUST_RENEW,
    RENEWING,
    MUST_CREATE,
    CREATING,
    CLOSED
  }

  /** What to do now. */
  public sealed interface Step {
    /** Nothing, until something happens. */
    record Wait() implements Step {}

    /** Send the commit, then call {@link GroupCommit#outcome}. */
    record Send(Commit commit) implements Step {}

    /** Renew the session, then call {@link GroupCommit#renewed}. */
    record Renew() implements Step {}

    /** Make the mailbox, then call {@link GroupCommit#created}. */
    record Create(ActorPath mailbox) implements Step {}
  }

  /** A unit whose fate is known. */
  public record Resolved(Ready ready, Result result) {}

  /** A unit to be submitted again after a pause, because its receiver is full. */
  public record HeldBack(Ready ready, String detail) {}

  /** What follows from an outcome. */
  public record Consequences(List<Resolved> resolved, List<HeldBack> heldBack) {}

  public GroupCommit(Session session) {
    this.session = session;
  }

  public void submit(Ready ready) {
    queue.addLast(ready);
  }

  public int waiting() {
    return queue.size() + inFlight.size();
  }

  public Step next() {
    switch (state) {
      case MUST_RENEW -> {
        state = State.RENEWING;
        return new Step.Renew();
      }
      case MUST_CREATE -> {
        state = State.CREATING;
        return new Step.Create(missing);
      }
      case IDLE -> {
        if (queue.isEmpty()) {
          return new Step.Wait();
        }
        inFlight = take();
        state = State.SENT;
        return new Step.Send(commit());
      }
      default -> {
        return new Step.Wait();
      }
    }
  }

  private List<Ready> take() {
    List<Ready> batch = new ArrayList<>();
    int operations = 0;
    while (!queue.isEmpty() && batch.size() < mostUnits) {
      operations += operations(queue.getFirst().unit());
      if (!batch.isEmpty() && operations > Limits.COMMIT_OPERATIONS) {
        break;
      }
      batch.add(queue.removeFirst());
    }
    return batch;
  }

  private static int operations(CommitUnit unit) {
    int operations = 2 * unit.outgoing().size();
    if (unit.write().isPresent()) {
      CommitUnit.Write write = unit.write().get();
      operations += 4 + write.consumed().size() + write.trim().size() + write.parked().size();
    }
    return operations;
  }

  private Commit commit() {
    Set<Lease> leases = new HashSet<>();
    List<CommitUnit> units = new ArrayList<>();
    for (Ready ready : inFlight) {
      ready.lease().ifPresent(leases::add);
      units.add(ready.unit());
    }
    return new Commit(session.incarnation(), session.commitNumber() + 1, leases, units);
  }

  /** The commit of the last {@link Step.Send} ended like this. */
  public Consequences outcome(CommitOutcome outcome) {
    if (state != State.SENT) {
      throw new IllegalStateException("no commit is under way, but it ended: " + outcome);
    }
    if (outcome instanceof Applied) {
      return applied();
    } else if (outcome instanceof Unknown) {
      state = State.MUST_RENEW;
      return new Consequences(List.of(), List.of());
    }
    return refused((Refused) outcome);
  }

  private Consequences applied() {
    session = new Session(session.partitions(), session.incarnation(), session.commitNumber() + 1);
    List<Resolved> resolved = new ArrayList<>();
    for (Ready ready : inFlight) {
      resolved.add(new Resolved(ready, new Result.Committed()));
    }
    inFlight = List.of();
    state = State.IDLE;
    mostUnits = Math.min(Limits.COMMIT_OPERATIONS, mostUnits * 2);
    return new Consequences(resolved, List.of());
  }

  private Consequences refused(Refused refused) {
    switch (refused.reason()) {
      case INCARNATION -> {
        state = State.MUST_RENEW;
        return new Consequences(List.of(), List.of());
      }
      case NO_MAILBOX -> {
        missing = ActorPath.of(refused.detail());
        state = State.MUST_CREATE;
        return new Consequences(List.of(), List.of());
      }
      case TOO_LARGE -> {
        if (inFlight.size() > 1) {
          mostUnits = Math.max(1, inFlight.size() / 2);
          requeue(-1);
          return new Consequences(List.of(), List.of());
        }
        return drop(0, refused);
      }
      default -> {
        return drop(refused.unit(), refused);
      }
    }
  }

  private Consequences drop(int index, Refused refused) {
    if (index < 0 || index >= inFlight.size()) {
      throw new IllegalStateException(
          "a store refused unit %d of %d: %s".formatted(index, inFlight.size(), refused));
    }
    Ready culprit = inFlight.get(index);
    requeue(index);
    if (refused.reason() == Reason.FULL && culprit.waits()) {
      return new Consequences(List.of(), List.of(new HeldBack(culprit, refused.detail())));
    }
    Result failed = new Result.Failed(refused.reason(), refused.detail());
    return new Consequences(List.of(new Resolved(culprit, failed)), List.of());
  }

  private void requeue(int except) {
    for (int i = inFlight.size() - 1; i >= 0; i--) {
      if (i != except) {
        queue.addFirst(inFlight.get(i));
      }
    }
    inFlight = List.of();
    state = State.IDLE;
  }

  /** The session after a {@link Step.Renew}: it tells whether the last commit was applied. */
  public Consequences renewed(Session renewed) {
    boolean applied = renewed.commitNumber() == session.commitNumber() + 1;
    if (!applied && renewed.commitNumber() != session.commitNumber()) {
      throw new IllegalStateException(
          "this node's commit number is %d in the store, %d here: another process has its name"
              .formatted(renewed.commitNumber(), session.commitNumber()));
    }
    if (applied) {
      Consequences consequences = applied();
      session = renewed;
      return consequences;
    }
    session = renewed;
    requeue(-1);
    return new Consequences(List.of(), List.of());
  }

  /** The mailbox of a {@link Step.Create} is there now. */
  public void created() {
    requeue(-1);
  }

  /** Nothing is sent any more; what waits is handed back. */
  public List<Ready> close() {
    state = State.CLOSED;
    List<Ready> left = new ArrayList<>(inFlight);
    left.addAll(queue);
    inFlight = List.of();
    queue.clear();
    return left;
  }
}
