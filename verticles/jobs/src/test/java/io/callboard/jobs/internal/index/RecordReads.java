package io.callboard.jobs.internal.index;

import io.callboard.codecs.ActorPath;
import io.callboard.jobs.internal.actor.JobActor;
import io.callboard.store.Store;
import io.callboard.store.StoredActors;
import io.callboard.testkit.Intercepted;
import io.vertx.core.Future;
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
    return Intercepted.of(
        Store.class,
        store,
        call -> {
          if (call.is("actor")) {
            records.incrementAndGet();
          } else if (call.is("eachActor")) {
            int last = call.arguments().size() - 1;
            call.arguments().set(last, counted(call.arguments().get(last)));
          }
          return call.proceed();
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
