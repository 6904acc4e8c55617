package io.callboard.chaos;

import io.callboard.codecs.ActorPath;
import io.callboard.codecs.Envelope;
import io.callboard.codecs.Partition;
import io.callboard.store.Commit;
import io.callboard.store.CommitOutcome;
import io.callboard.store.CommitOutcome.Reason;
import io.callboard.store.CommitOutcome.Refused;
import io.callboard.store.CommitUnit;
import io.callboard.store.Lease;
import io.callboard.store.Store;
import io.callboard.store.StoreListener;
import io.vertx.core.Future;
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
import java.util.stream.Collectors;

/**
 * Mistakes that the nodes can be given, to see that the verdict tells them: a check of the checks.
 */
public enum SeededBug {
  NONE,
  /** A node whose lease was taken commits over the new owner's. */
  SKIPPED_EPOCH,
  /** What is put into a mailbox is told nobody, and no sweep finds it. */
  LOST_HINTS,
  /** What leaves an outbox is put into the mailbox twice. */
  DOUBLE_RELAY;

  /** The name of the system property that a node reads. */
  public static final String PROPERTY = "chaos.bug";

  String label() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  static List<String> labels() {
    return Arrays.stream(values()).map(SeededBug::label).toList();
  }

  /** The one that this process is to have. */
  public static SeededBug ofThisProcess() {
    return values()[labels().indexOf(System.getProperty(PROPERTY, NONE.label()))];
  }

  /** The same store, with this mistake. */
  public Store around(Store store) {
    return this == NONE ? store : proxy(Store.class, (p, method, a) -> call(store, method, a));
  }

  private static <T> T proxy(Class<T> type, InvocationHandler handler) {
    return type.cast(Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, handler));
  }

  private Object call(Object target, Method method, Object[] arguments) throws Throwable {
    String name = method.getName();
    if (target instanceof Store store && name.equals("commit") && this == SKIPPED_EPOCH) {
      return overOthers(store, (Commit) arguments[0]);
    } else if (target instanceof Store store && name.equals("commit") && this == DOUBLE_RELAY) {
      return store.commit(doubled((Commit) arguments[0]));
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

  private static Commit doubled(Commit commit) {
    List<CommitUnit> units = commit.units().stream().map(SeededBug::doubled).toList();
    return new Commit(commit.incarnation(), commit.number(), commit.leases(), units);
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
