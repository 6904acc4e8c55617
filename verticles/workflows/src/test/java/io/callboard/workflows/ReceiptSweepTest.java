package io.callboard.workflows;

import static io.callboard.testkit.Futures.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.callboard.Callboard;
import io.callboard.codecs.ActorPath;
import io.callboard.store.ActorRecord;
import io.callboard.store.Store;
import io.callboard.store.StoreException;
import io.callboard.store.StoredActor;
import io.callboard.store.StoredActors;
import io.callboard.store.StoredSnapshot;
import io.callboard.store.memory.MemoryStore;
import io.callboard.testkit.Intercepted;
import io.callboard.testkit.Intercepted.Call;
import io.callboard.testkit.NodesExtension;
import io.callboard.workflows.internal.actor.IntakeActor;
import io.callboard.workflows.internal.starts.IntakeData;
import io.callboard.workflows.internal.starts.IntakeEvent;
import io.vertx.core.Future;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Function;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Removal of old receipts. */
class ReceiptSweepTest {
  private static final List<ActorPath> MESSAGES =
      Stream.of("a", "b", "c").map(id -> ActorPath.of(IntakeActor.path(id))).toList();

  @RegisterExtension final NodesExtension nodes = new NodesExtension();

  private final List<ActorPath> told = new CopyOnWriteArrayList<>();

  private static StoredActor old(ActorPath path) {
    IntakeData old = IntakeData.EMPTY.after(new IntakeEvent.Finished(null, Instant.EPOCH));
    ActorRecord record = new ActorRecord(1, 1, 0, 0, 0, List.of(StoredSnapshot.inPlace(1, old)));
    return new StoredActor(path, path.partition(64), record, 0, Instant.EPOCH);
  }

  /** Has the receipts; the mailbox of the first is damaged. */
  @SuppressWarnings("unchecked") // by the signature of eachActor
  private Object answer(Call call) throws Throwable {
    if (call.is("eachActor")) {
      List<StoredActor> all = MESSAGES.stream().map(ReceiptSweepTest::old).toList();
      return ((Function<StoredActors, Future<Void>>)
              call.arguments().get(call.arguments().size() - 1))
          .apply(new StoredActors(all, Map.of()));
    } else if (call.is("createMailbox") && MESSAGES.contains(call.arguments().get(0))) {
      told.add((ActorPath) call.arguments().get(0));
      if (MESSAGES.get(0).equals(call.arguments().get(0))) {
        return Future.failedFuture(StoreException.corrupt("the first is damaged"));
      }
    }
    return call.proceed();
  }

  @Test
  void aMessageThatCannotBeInformedKeepsNoOtherReceipt() {
    Callboard node =
        nodes.open(
            "h1",
            options ->
                options.store(
                    () ->
                        Intercepted.of(Store.class, new MemoryStore(nodes.cell()), this::answer)));
    ReceiptSweep sweep = new ReceiptSweep(node, () -> Set.of(0));
    assertThatThrownBy(() -> await(sweep.sweep())).hasMessageContaining("the first is damaged");
    assertThat(told).containsExactlyElementsOf(MESSAGES);
  }
}
