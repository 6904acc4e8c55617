package io.callboard.jobs;

import io.callboard.codecs.ActorPath;
import io.callboard.store.Store;
import io.callboard.store.StoreException;
import io.callboard.store.StoredActors;
import io.callboard.store.memory.MemoryCell;
import io.callboard.store.memory.MemoryStore;
import io.callboard.testkit.Intercepted;
import io.callboard.testkit.Intercepted.Call;
import io.vertx.core.Future;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;

/** Store in memory in which the records of some actors, or their mailboxes, cannot be read. */
public final class DamagedStore {
  private final Set<ActorPath> records = ConcurrentHashMap.newKeySet();
  private final Set<ActorPath> mailboxes = ConcurrentHashMap.newKeySet();

  /** Mailboxes that were to be made; all of messages to actors that no node hosts. */
  private final Set<ActorPath> wanted = ConcurrentHashMap.newKeySet();

  /** Damages the record of an actor. */
  public void record(String path) {
    records.add(ActorPath.of(path));
  }

  /** Damages the mailbox of an actor that no node hosts: every message to it fails. */
  public void mailbox(String path) {
    mailboxes.add(ActorPath.of(path));
  }

  /** Returns those of some actors to which a message was sent, in vain or not. */
  public List<String> told(List<String> paths) {
    return paths.stream().filter(path -> wanted.contains(ActorPath.of(path))).toList();
  }

  /** Returns a store of that cell. */
  public Store of(MemoryCell cell) {
    return Intercepted.of(Store.class, new MemoryStore(cell), this::answer);
  }

  private Object answer(Call call) throws Throwable {
    Object first = call.arguments().isEmpty() ? null : call.arguments().get(0);
    if (call.is("createMailbox")) {
      wanted.add((ActorPath) first);
    }
    boolean damaged =
        first != null
            && ((call.is("actor") && records.contains(first))
                || (call.is("createMailbox") && mailboxes.contains(first)));
    if (damaged) {
      return Future.failedFuture(
          StoreException.corrupt("what is stored of " + first + " is no JSON"));
    }
    return call.is("actors") && first instanceof List<?> paths
        ? readable((Future<?>) call.proceed(), paths)
        : call.proceed();
  }

  private Future<StoredActors> readable(Future<?> read, List<?> paths) {
    Map<ActorPath, String> unreadable = new TreeMap<>();
    records.stream().filter(paths::contains).forEach(path -> unreadable.put(path, "no JSON"));
    return read.map(StoredActors.class::cast)
        .map(
            all ->
                new StoredActors(
                    all.readable().stream()
                        .filter(actor -> !unreadable.containsKey(actor.path()))
                        .toList(),
                    unreadable));
  }
}
