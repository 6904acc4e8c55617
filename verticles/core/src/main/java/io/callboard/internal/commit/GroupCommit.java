package io.callboard.internal.commit;

import io.callboard.CallboardOptions;
import io.callboard.codecs.ActorPath;
import io.callboard.codecs.Envelope;
import io.callboard.internal.commit.PendingUnit.Result;
import io.callboard.store.Commit;
import io.callboard.store.CommitOutcome;
import io.callboard.store.CommitOutcome.Applied;
import io.callboard.store.CommitOutcome.Reason;
import io.callboard.store.CommitOutcome.Refused;
import io.callboard.store.CommitUnit;
import io.callboard.store.Lease;
import io.callboard.store.Limits;
import io.callboard.store.Session;
import io.callboard.store.WhenFull;
import io.callboard.time.Machine;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Packer of ready units into commits, of which several may be under way. A machine without I/O:
 * {@link #next()} says what to do, the other methods report what happened. Not thread-safe.
 *
 * <p>While every commit is applied, each is resolved as it comes back. Once one was not, nothing is
 * sent until all that were under way have come back: those after it were refused as its successors,
 * or their outcome is unknown, and then the renewed session's commit number shows it.
 */
@Machine
public final class GroupCommit {
  /** Mailboxes that are created together, about. */
  private static final int MOST_CREATED = 256;

  /** Times in a row that the first commit under way is sent again before the session is renewed. */
  private static final int MOST_AGAIN = 10;

  private final int window;
  private final Deque<PendingUnit> queue = new ArrayDeque<>();
  private final Deque<Flight> flights = new ArrayDeque<>();
  private final Map<ActorPath, Integer> sending = new HashMap<>();
  private final Coalescing coalescing = new Coalescing();
  private Session session;
  private State state = State.SENDING;
  private int mostUnits = Limits.COMMIT_OPERATIONS;
  private int again;
  private CommitLoad forming = new CommitLoad(mostUnits);
  private int formed;
  private ActorPath missing = ActorPath.of("/none");
  private Set<ActorPath> others = Set.of();

  private enum State {
    SENDING,
    /** A commit was not applied: those still under way are awaited. */
    LANDING,
    MUST_RENEW,
    RENEWING,
    MUST_CREATE,
    CREATING,
    CLOSED
  }

  /** A commit under way; its outcome once it is known. */
  private static final class Flight {
    private final Commit commit;
    private final List<PendingUnit> units;
    private @org.jspecify.annotations.Nullable CommitOutcome outcome;

    Flight(Commit commit, List<PendingUnit> units) {
      this.commit = commit;
      this.units = units;
    }
  }

  /** Next step of the carrier. */
  public sealed interface Step {
    /** No step until something happens. */
    record Wait() implements Step {}

    /** Send the commit, of some size, then call {@link GroupCommit#outcome}. */
    record Send(Commit commit, int operations, long bytes) implements Step {}

    /** Renew the session, then call {@link GroupCommit#renewed}. */
    record Renew() implements Step {}

    /**
     * Create the mailbox, then call {@link GroupCommit#created}.
     *
     * @param others receivers of the units behind it, whose mailboxes may be missing as well:
     *     created with it, many new actors do not cost a commit each
     */
    record Create(ActorPath mailbox, Set<ActorPath> others) implements Step {}
  }

  /** A unit whose outcome is known. */
  public record Resolved(PendingUnit pending, Result result) {}

  /**
   * New mail in a mailbox.
   *
   * @param sequence of its segment
   */
  public record Delivered(ActorPath receiver, long sequence, List<Envelope> mail) {}

  /**
   * Consequences of an outcome.
   *
   * @param mayHaveMail mailboxes that may have new mail, in unknown segments
   */
  public record Consequences(
      List<Resolved> resolved, List<Delivered> delivered, Set<ActorPath> mayHaveMail) {
    Consequences() {
      this(new ArrayList<>(), new ArrayList<>(), new HashSet<>());
    }
  }

  public GroupCommit(Session session) {
    this(session, CallboardOptions.DEFAULT_COMMIT_WINDOW);
  }

  /**
   * @param window commits under way at most
   */
  public GroupCommit(Session session, int window) {
    this.session = session;
    this.window = window;
  }

  public void submit(PendingUnit pendingUnit) {
    coalescing.take(pendingUnit, this::isSendingTo).forEach(this::enqueue);
  }

  private void enqueue(PendingUnit pendingUnit) {
    queue.addLast(pendingUnit);
    if (formed == queue.size() - 1 && forming.takes(pendingUnit.unit())) {
      formed++;
    }
  }

  /** Forms the next commit anew: the queue has changed at its head. */
  private void form() {
    forming = new CommitLoad(mostUnits);
    formed = 0;
    for (PendingUnit pendingUnit : queue) {
      if (!forming.takes(pendingUnit.unit())) {
        break;
      }
      formed++;
    }
  }

  /** Units not yet resolved. */
  public int waiting() {
    int waiting = queue.size() + coalescing.size();
    for (Flight flight : flights) {
      waiting += flight.units.size();
    }
    return waiting;
  }

  /** Returns whether a commit under way sends to that mailbox: its outcome is reported. */
  public boolean isSendingTo(ActorPath mailbox) {
    return sending.containsKey(mailbox);
  }

  public Step next() {
    switch (state) {
      case MUST_RENEW -> {
        state = State.RENEWING;
        return new Step.Renew();
      }
      case MUST_CREATE -> {
        state = State.CREATING;
        return new Step.Create(missing, others);
      }
      case SENDING -> {
        return queue.isEmpty() || flights.size() >= window ? new Step.Wait() : send();
      }
      default -> {
        return new Step.Wait();
      }
    }
  }

  /** Sends the next commit; with others under way only if it is well filled. */
  private Step send() {
    if (!flights.isEmpty() && !forming.isWellFilled() && formed == queue.size()) {
      return new Step.Wait();
    }
    List<PendingUnit> units = new ArrayList<>(formed);
    for (int i = 0; i < formed; i++) {
      units.add(queue.removeFirst());
    }
    CommitLoad load = forming;
    form();
    Commit commit = commit(units);
    flights.addLast(new Flight(commit, units));
    commit.units().forEach(unit -> unit.outgoing().keySet().forEach(this::sendingTo));
    return new Step.Send(commit, load.operations(), load.bytes());
  }

  private void sendingTo(ActorPath receiver) {
    sending.merge(receiver, 1, Integer::sum);
  }

  private Commit commit(List<PendingUnit> units) {
    Set<Lease> leases = new HashSet<>();
    units.forEach(pendingUnit -> pendingUnit.lease().ifPresent(leases::add));
    long last = flights.isEmpty() ? session.commitNumber() : flights.getLast().commit.number();
    return new Commit(
        session.incarnation(), last + 1, leases, units.stream().map(PendingUnit::unit).toList());
  }

  /** Takes the outcome of the commit of an earlier {@link Step.Send}. */
  public Consequences outcome(Commit commit, CommitOutcome outcome) {
    Flight landed =
        flights.stream()
            .filter(flight -> flight.commit.number() == commit.number() && flight.outcome == null)
            .findFirst()
            .orElseThrow(() -> new IllegalStateException("not under way: " + commit.number()));
    landed.outcome = outcome;
    Consequences consequences = new Consequences();
    while (!flights.isEmpty() && flights.getFirst().outcome instanceof Applied applied) {
      resolve(flights.removeFirst(), applied, consequences);
    }
    if (!(outcome instanceof Applied)) {
      state = State.LANDING;
    }
    if (state == State.LANDING && flights.stream().allMatch(flight -> flight.outcome != null)) {
      allLanded(consequences);
    }
    return consequences;
  }

  private void resolve(Flight flight, Applied applied, Consequences consequences) {
    again = 0;
    mostUnits = Math.min(Limits.COMMIT_OPERATIONS, mostUnits * 2);
    session = new Session(session.partitions(), session.incarnation(), flight.commit.number());
    Map<ActorPath, List<Envelope>> mail = new HashMap<>();
    for (PendingUnit pendingUnit : flight.units) {
      consequences.resolved().add(new Resolved(pendingUnit, new Result.Committed()));
      pendingUnit
          .unit()
          .outgoing()
          .forEach((to, list) -> mail.computeIfAbsent(to, t -> new ArrayList<>()).addAll(list));
    }
    mail.forEach(
        (receiver, envelopes) -> {
          Long sequence = applied.appended().get(receiver);
          if (sequence == null) {
            consequences.mayHaveMail().add(receiver);
          } else {
            consequences.delivered().add(new Delivered(receiver, sequence, envelopes));
          }
        });
    forget(flight);
  }

  private void forget(Flight flight) {
    for (PendingUnit pendingUnit : flight.units) {
      for (ActorPath receiver : pendingUnit.unit().outgoing().keySet()) {
        sending.computeIfPresent(receiver, (to, count) -> count == 1 ? null : count - 1);
        coalescing.release(receiver).forEach(this::enqueue);
      }
    }
  }

  /** Decides what follows: the first commit was not applied, hence none was; or it is unknown. */
  private void allLanded(Consequences consequences) {
    if (!(flights.getFirst().outcome instanceof Refused)) {
      state = State.MUST_RENEW; // its answer may be lost, and the ones behind it applied
      return;
    }
    for (Flight flight : flights) {
      if (flight.outcome instanceof Applied) {
        throw new IllegalStateException(
            "commit %d was applied although the one before it was not"
                .formatted(flight.commit.number()));
      }
    }
    boolean known =
        flights.stream()
            .allMatch(f -> f.outcome instanceof Refused r && r.reason() != Reason.INCARNATION);
    Refused refused = known ? (Refused) flights.getFirst().outcome : null;
    if (refused == null || (refused.reason() == Reason.AGAIN && ++again > MOST_AGAIN)) {
      state = State.MUST_RENEW;
      return;
    }
    if (refused.reason() == Reason.NO_MAILBOX) {
      missing = ActorPath.of(refused.detail());
      requeue(consequences);
      others = receiversBeside(missing);
      state = State.MUST_CREATE;
    } else if (refused.reason() == Reason.AGAIN) {
      requeue(consequences);
    } else if ((refused.reason() == Reason.TOO_LARGE || refused.unit() < 0)
        && flights.getFirst().units.size() > 1) {
      mostUnits = Math.max(1, flights.getFirst().units.size() / 2);
      requeue(consequences);
    } else {
      drop(refused, consequences);
    }
  }

  /** Returns the first receivers of the units to be sent again. */
  private Set<ActorPath> receiversBeside(ActorPath first) {
    Set<ActorPath> receivers = new LinkedHashSet<>();
    for (PendingUnit pendingUnit : queue) {
      receivers.addAll(pendingUnit.unit().outgoing().keySet());
      if (receivers.size() > MOST_CREATED) {
        break;
      }
    }
    receivers.remove(first);
    return receivers;
  }

  private void drop(Refused refused, Consequences consequences) {
    Flight first = flights.getFirst();
    int unit = Math.max(0, refused.unit()); // not known, if it is the only one
    if (unit >= first.units.size()) {
      throw new IllegalStateException(
          "a store refused unit %d of %d: %s"
              .formatted(refused.unit(), first.units.size(), refused));
    }
    PendingUnit culprit = first.units.get(unit);
    requeue(consequences);
    boolean unused = queue.removeFirstOccurrence(culprit);
    form();
    if (refused.reason() == Reason.FULL) {
      ActorPath receiver = ActorPath.of(refused.detail());
      Result.Full full = new Result.Full(receiver, refused.whenFull());
      consequences.resolved().add(new Resolved(culprit, full));
      holdBack(receiver, full, consequences);
    } else {
      Result failed = new Result.Failed(refused.reason(), refused.detail(), refused.receiver());
      consequences.resolved().add(new Resolved(culprit, failed));
    }
  }

  /**
   * Gives back the units to that receiver: they would be refused one by one, each with all that is
   * under way, and of those from outside of turns none may overtake the culprit. The receiver's own
   * unit stays, as it may make room; so do turns behind it that would not be submitted again.
   */
  private void holdBack(ActorPath receiver, Result.Full full, Consequences consequences) {
    boolean again = full.whenFull() == WhenFull.WAIT || full.whenFull() == WhenFull.PARK;
    boolean room = false;
    List<PendingUnit> all = List.copyOf(queue);
    queue.clear();
    for (PendingUnit pendingUnit : all) {
      CommitUnit unit = pendingUnit.unit();
      boolean own = unit.write().map(write -> write.actor().equals(receiver)).orElse(false);
      room |= own;
      boolean waits = unit.write().isEmpty() || (!own && (again || !room));
      if (waits && unit.outgoing().containsKey(receiver)) {
        consequences.resolved().add(new Resolved(pendingUnit, full));
      } else {
        queue.addLast(pendingUnit);
      }
    }
    form();
  }

  /** Puts all units under way back in front of the queue, in order. */
  private void requeue(Consequences consequences) {
    while (!flights.isEmpty()) {
      Flight last = flights.removeLast();
      for (int i = last.units.size() - 1; i >= 0; i--) {
        queue.addFirst(last.units.get(i));
        consequences.mayHaveMail().addAll(last.units.get(i).unit().outgoing().keySet());
      }
      forget(last);
    }
    form();
    state = State.SENDING;
  }

  /** Takes the session after a {@link Step.Renew}: it shows how many commits were applied. */
  public Consequences renewed(Session renewed) {
    long last = session.commitNumber();
    long sent = flights.isEmpty() ? last : flights.getLast().commit.number();
    if (renewed.commitNumber() < last || renewed.commitNumber() > sent) {
      throw new IllegalStateException(
          "this node's commit number is %d in the store, %d to %d here: another process has its name"
              .formatted(renewed.commitNumber(), last, sent));
    }
    Consequences consequences = new Consequences();
    while (!flights.isEmpty() && flights.getFirst().commit.number() <= renewed.commitNumber()) {
      resolve(flights.removeFirst(), new Applied(Map.of()), consequences);
    }
    again = 0;
    session = renewed;
    requeue(consequences);
    return consequences;
  }

  /** Reports that the mailbox of a {@link Step.Create} exists, or that the attempt has failed. */
  public void created() {
    state = State.SENDING;
  }

  /** Reports that the mailbox of a {@link Step.Create} cannot be created: units for it fail. */
  public Consequences cannotCreate(Reason reason, String why) {
    Consequences consequences = new Consequences();
    Result failed = new Result.Failed(reason, why, Optional.of(missing));
    for (PendingUnit pendingUnit : List.copyOf(queue)) {
      if (pendingUnit.unit().outgoing().containsKey(missing)) {
        boolean unused = queue.removeFirstOccurrence(pendingUnit);
        consequences.resolved().add(new Resolved(pendingUnit, failed));
      }
    }
    form();
    state = State.SENDING;
    return consequences;
  }

  /** Closes: nothing is sent any more, unresolved units are given back. */
  public Left close() {
    state = State.CLOSED;
    List<PendingUnit> underWay = new ArrayList<>();
    flights.forEach(flight -> underWay.addAll(flight.units));
    List<PendingUnit> waiting = new ArrayList<>(queue);
    waiting.addAll(coalescing.releaseAll());
    flights.clear();
    queue.clear();
    sending.clear();
    return new Left(underWay, waiting);
  }

  /**
   * Unresolved units at the end.
   *
   * @param underWay sent; may be applied, or not
   * @param waiting never sent
   */
  public record Left(List<PendingUnit> underWay, List<PendingUnit> waiting) {}
}
