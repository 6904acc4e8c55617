package io.callboard.jobs.internal.index;

import io.callboard.codecs.ActorPath;
import io.callboard.jobs.internal.actor.JobActor;
import io.callboard.store.Store;
import io.callboard.store.StoredActors;
import io.vertx.core.Future;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;

/** Number of records of jobs that a node reads from its store. */
final class RecordReads {
  private static final ActorPath STORED = ActorPath.of(JobActor.PREFIX);

  private final AtomicInteger records = new AtomicInteger();

  int count() {
    return records.get();
  }

  /** Returns the store with its reads of records counted. */
  Store of(Store store) {
    return (Store)
        Proxy.newProxyInstance(
            Store.class.getClassLoader(),
            new Class<?>[] {Store.class},
            (proxy, method, given) -> {
              if (method.getName().equals("actor")) {
                records.incrementAndGet();
              } else if (method.getName().equals("eachActor")) {
                given[given.length - 1] = counted(given[given.length - 1]);
              }
              try {
                return method.invoke(store, given);
              } catch (InvocationTargetException e) {
                throw e.getCause();
              }
            });
  }

  @SuppressWarnings("unchecked") // by the signature of eachActor
  private Function<StoredActors, Future<Void>> counted(Object page) {
    Function<StoredActors, Future<Void>> all = (Function<StoredActors, Future<Void>>) page;
    return stored -> {
      records.addAndGet(
          (int) stored.readable().stream().filter(each -> each.path().isWithin(STORED)).count());
      return all.apply(stored);
    };
  }
}
