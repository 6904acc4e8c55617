package io.callboard.testkit.durable;

import static io.callboard.testkit.Futures.await;
import static io.callboard.testkit.Stage.QUICK;
import static org.assertj.core.api.Assertions.assertThat;

import io.callboard.ActorOptions;
import io.callboard.ActorRef;
import io.callboard.DurableStateActor;
import io.callboard.Protocol;
import io.callboard.store.StoreException;
import io.callboard.supervision.Failure;
import io.callboard.testkit.Eventually;
import io.callboard.testkit.Stage;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

class EnlistTest {
  sealed interface Work {
    record Do(String what) implements Work {}

    record Soon(String what) implements Work {}

    record Count() implements Work {}
  }

  record Done(int count) {}

  @RegisterExtension final Stage stage = new Stage();
  private final List<String> flushed = new CopyOnWriteArrayList<>();
  private volatile int failures;
  private volatile boolean hangs;
  private final Promise<Void> never = Promise.promise();

  final class Worker extends DurableStateActor<Work, Done> {
    @Override
    protected Done initial() {
      return new Done(0);
    }

    @Override
    protected void protocol(Protocol<Work> on) {
      on.message(Work.Do.class, work -> enlist(work.what()))
          .message(
              Work.Soon.class, soon -> startTimer("soon", Duration.ZERO, new Work.Do(soon.what())))
          .query(Work.Count.class, count -> state());
    }

    @Override
    protected Future<?> flush(List<Object> work) {
      if (hangs) {
        hangs = false;
        return never.future();
      } else if (failures > 0) {
        failures--;
        return Future.failedFuture(StoreException.unavailable("not now", null));
      }
      work.forEach(each -> flushed.add((String) each));
      return Future.succeededFuture();
    }
  }

  private ActorRef<Work> worker(ActorOptions options) throws Exception {
    await(stage.callboard.spawn("/worker", Worker::new, options));
    return stage.callboard.durableRef("/worker", Work.class);
  }

  @Test
  void workThatATurnEnlistsIsDoneAlthoughItChangesNothingElse() throws Exception {
    ActorRef<Work> worker = worker(QUICK);
    await(worker.tell(new Work.Do("mail")));
    Eventually.assertThat(() -> assertThat(flushed).containsExactly("mail"));
    await(worker.tell(new Work.Soon("timer")));
    Eventually.assertThat(() -> assertThat(flushed).containsExactly("mail", "timer"));
  }

  @Test
  void workThatCannotBeDoneNowIsDoneLaterAndNothingIsParked() throws Exception {
    failures = 4;
    ActorRef<Work> worker = worker(new ActorOptions(QUICK).attempts(2));
    for (int i = 0; i < 10; i++) {
      await(worker.tell(new Work.Do("work " + i)));
    }
    Eventually.assertThat(() -> assertThat(flushed).hasSize(10).endsWith("work 9"));
    assertThat(failures).isZero();
    assertThat(await(stage.callboard.admin().parked(10))).isEmpty();
    assertThat(await(stage.callboard.admin().failures("/worker")))
        .isNotEmpty()
        .allMatch(failure -> failure.kind() == Failure.Kind.INTERRUPTED);
  }

  @Test
  void workThatNeverEndsIsGivenUpAfterTheTimeOfATurn() throws Exception {
    hangs = true;
    ActorRef<Work> worker = worker(new ActorOptions(QUICK).turnTimeout(Duration.ofMillis(200)));
    await(worker.tell(new Work.Do("slow")));
    Eventually.assertThat(() -> assertThat(flushed).containsExactly("slow"));
  }
}
