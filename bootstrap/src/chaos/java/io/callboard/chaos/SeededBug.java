package io.callboard.chaos;

import io.callboard.Actor;
import io.callboard.Callboard;
import io.callboard.chaos.sources.SeededDeliveries;
import io.callboard.codecs.ActorPath;
import io.callboard.codecs.Envelope;
import io.callboard.codecs.Json;
import io.callboard.codecs.MessageType;
import io.callboard.codecs.Partition;
import io.callboard.jobs.internal.protocol.JobCommand;
import io.callboard.placement.Offer;
import io.callboard.pollers.source.SourceKind;
import io.callboard.store.Commit;
import io.callboard.store.CommitOutcome;
import io.callboard.store.CommitOutcome.Reason;
import io.callboard.store.CommitOutcome.Refused;
import io.callboard.store.CommitUnit;
import io.callboard.store.Lease;
import io.callboard.store.Member;
import io.callboard.store.Store;
import io.callboard.store.StoreListener;
import io.vertx.core.Future;
import java.lang.reflect.Field;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;

/** Bugs that the nodes can be given, to check that the verdict reports them. */
public enum SeededBug {
  NONE,
  /** A node whose lease was taken commits over the new owner's. */
  SKIPPED_EPOCH,
  /** New mail is notified to no node, and no sweep finds it. */
  LOST_HINTS,
  /** A message that leaves an outbox is put into the mailbox twice. */
  DOUBLE_RELAY,
  /** A failed start on a host counts as an attempt of its job. */
  FAILED_START,
  /** The drain of a node is ignored. */
  DEAF_TO_DRAIN,
  /** An actor that must not be stopped is stopped. */
  STOPPED_ACTOR,
  /** Sources acknowledge messages that they do not deliver. */
  LOST_DELIVERY,
  /** Each delivery of a message of a source has an id of its own. */
  NEW_IDS,
  /** Late calls of clerks are taken for those of the turn that is open. */
  LATE_CALLS;

  /** The name of the system property that a node reads. */
  public static final String PROPERTY = "chaos.bug";

  /** Delay of the first stop, by which time the load works. */
  private static final int STOPS_AFTER_MS = 30_000;

  private static final int STOPS_EVERY_MS = 1_000;

  String label() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  static List<String> labels() {
    return Arrays.stream(values()).map(SeededBug::label).toList();
  }

  /** Returns the bug of this process. */
  public static SeededBug ofThisProcess() {
    return values()[labels().indexOf(System.getProperty(PROPERTY, NONE.label()))];
  }

  /** Returns the store with this bug. */
  public Store around(Store store) {
    return this == NONE ? store : proxy(Store.class, (p, method, a) -> call(store, method, a));
  }

  /** Returns kinds of sources with this bug, in place of those that nodes have. */
  public List<SourceKind> kinds() {
    return switch (this) {
      case LOST_DELIVERY -> SeededDeliveries.lost();
      case NEW_IDS -> SeededDeliveries.renamed();
      default -> List.of();
    };
  }

  /** Applies this bug to a node that has started. */
  public void befall(Callboard node) {
    if (this == STOPPED_ACTOR) {
      long unused = node.vertx().setPeriodic(STOPS_AFTER_MS, STOPS_EVERY_MS, id -> stopGate(node));
    }
  }

  private static void stopGate(Callboard node) {
    var unused = node.admin().suspend("/jobs/gate"); // fails on the nodes that do not run it
  }

  /** Makes a call of that actor's, which is late. */
  static void call(Actor<?> actor, Runnable call) {
    if (ofThisProcess() != LATE_CALLS) {
      call.run();
      return;
    }
    try {
      Object scope = field(Actor.class, "scope", actor);
      Object guard = method(scope.getClass().getSuperclass(), "guard").invoke(scope);
      method(guard.getClass(), "enter").invoke(guard);
      try {
        call.run();
      } finally {
        method(guard.getClass(), "leave").invoke(guard);
      }
    } catch (ReflectiveOperationException e) {
      throw new LinkageError("the guard of turns has changed", e);
    }
  }

  private static Object field(Class<?> type, String name, Object of)
      throws ReflectiveOperationException {
    Field field = type.getDeclaredField(name);
    field.setAccessible(true);
    return Objects.requireNonNull(field.get(of));
  }

  private static Method method(Class<?> type, String name) throws ReflectiveOperationException {
    Method method = type.getDeclaredMethod(name);
    method.setAccessible(true);
    return method;
  }

  private static <T> T proxy(Class<T> type, InvocationHandler handler) {
    return type.cast(Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, handler));
  }

  private Object call(Object target, Method method, Object[] arguments) throws Throwable {
    String name = method.getName();
    if (target instanceof Store store && name.equals("commit") && this == SKIPPED_EPOCH) {
      return overOthers(store, (Commit) arguments[0]);
    } else if (target instanceof Store store && name.equals("commit") && this == DOUBLE_RELAY) {
      return store.commit(with(SeededBug::doubled, (Commit) arguments[0]));
    } else if (target instanceof Store store && name.equals("commit") && this == FAILED_START) {
      return store.commit(with(SeededBug::blaming, (Commit) arguments[0]));
    } else if (target instanceof Store store && name.equals("members") && this == DEAF_TO_DRAIN) {
      return store.members().map(all -> all.stream().map(SeededBug::undrained).toList());
    } else if (name.equals("listen") && this == LOST_HINTS) {
      StoreListener listener = (StoreListener) arguments[0];
      arguments[0] = proxy(StoreListener.class, (p, m, a) -> call(listener, m, a));
    } else if (target instanceof StoreListener && name.equals("mail")) {
      return null;
    } else if (name.equals("withMail") && this == LOST_HINTS) {
      return Future.succeededFuture(List.of());
    }
    try {
      return method.invoke(target, arguments);
    } catch (InvocationTargetException e) {
      throw e.getCause();
    }
  }

  private static Future<CommitOutcome> overOthers(Store store, Commit commit) {
    return store
        .commit(commit)
        .compose(
            outcome ->
                outcome instanceof Refused refused && refused.reason() == Reason.FENCED
                    ? store.leases(partitions(commit)).compose(now -> again(store, commit, now))
                    : Future.succeededFuture(outcome));
  }

  private static Set<Partition> partitions(Commit commit) {
    return commit.leases().stream().map(Lease::partition).collect(Collectors.toSet());
  }

  private static Future<CommitOutcome> again(
      Store store, Commit commit, Map<Partition, Lease> now) {
    Set<Lease> theirs =
        commit.leases().stream()
            .map(lease -> Objects.requireNonNull(now.get(lease.partition())))
            .collect(Collectors.toSet());
    return store.commit(new Commit(commit.incarnation(), commit.number(), theirs, commit.units()));
  }

  private static Member undrained(Member member) {
    Offer offer = Offer.of(member);
    if (!offer.draining()) {
      return member;
    }
    Map<String, String> facts = new HashMap<>(member.facts());
    facts.put(
        Offer.FACT,
        new Offer(
                offer.spaces(),
                offer.roles(),
                offer.weight(),
                false,
                offer.locality(),
                offer.unfit())
            .fact());
    return new Member(member.name(), member.bootId(), member.since(), facts);
  }

  private static Commit with(UnaryOperator<CommitUnit> mistake, Commit commit) {
    List<CommitUnit> units = commit.units().stream().map(mistake).toList();
    return new Commit(commit.incarnation(), commit.number(), commit.leases(), units);
  }

  private static CommitUnit blaming(CommitUnit unit) {
    Map<ActorPath, List<Envelope>> told = new HashMap<>();
    unit.outgoing()
        .forEach(
            (receiver, envelopes) ->
                told.put(receiver, envelopes.stream().map(SeededBug::blaming).toList()));
    return new CommitUnit(unit.write(), told, unit.unparked(), unit.blobs());
  }

  private static Envelope blaming(Envelope envelope) {
    if (!envelope.type().equals(MessageType.of(JobCommand.NotStarted.class))) {
      return envelope;
    }
    JobCommand.NotStarted is =
        Json.read("not started", envelope.body(), JobCommand.NotStarted.class);
    return Envelope.of(
        envelope.id(), new JobCommand.Ended(is.runId(), 125, is.why(), true, is.at()), null);
  }

  private static CommitUnit doubled(CommitUnit unit) {
    boolean relays = unit.write().filter(write -> !write.outbox().gone().isEmpty()).isPresent();
    if (!relays) {
      return unit;
    }
    Map<ActorPath, List<Envelope>> twice = new HashMap<>();
    unit.outgoing()
        .forEach(
            (receiver, envelopes) -> {
              List<Envelope> all = new ArrayList<>(envelopes);
              all.addAll(envelopes);
              twice.put(receiver, all);
            });
    return new CommitUnit(unit.write(), twice, unit.unparked(), unit.blobs());
  }
}
