package io.callboard.testkit.tck;

import static io.callboard.testkit.Futures.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.callboard.ActorRef;
import io.callboard.Callboard;
import io.callboard.CallboardException;
import io.callboard.CallboardException.Code;
import io.callboard.codecs.ActorPath;
import io.callboard.codecs.BlobRef;
import io.callboard.store.BlobKey;
import io.callboard.store.BlobStore;
import io.callboard.store.Limits;
import io.callboard.store.Store;
import io.callboard.store.StoreException;
import io.callboard.store.memory.MemoryCell;
import io.callboard.store.memory.MemoryStore;
import io.callboard.testkit.CallboardExtension;
import io.callboard.testkit.Eventually;
import io.callboard.testkit.NodesExtension;
import io.callboard.testkit.tck.Keeper.Entry;
import io.callboard.testkit.tck.Keeper.Item;
import io.callboard.testkit.tck.Keeper.Show;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Large tells while the blob log fails, or takes its time. */
class LargeTellTest {
  private final MemoryCell cell = new MemoryCell(8, 20_000, Clock.systemUTC());
  private final ScriptedBlobs blobs = new ScriptedBlobs(new MemoryStore(cell));

  @RegisterExtension
  final CallboardExtension node = new CallboardExtension(options -> options.store(blobs::inStore));

  private Callboard callboard;

  /** Blob log that performs the next step of a script before it writes. */
  private static final class ScriptedBlobs implements BlobStore {
    private final Store store;
    private final Queue<Future<Void>> script = new ConcurrentLinkedQueue<>();

    ScriptedBlobs(Store store) {
      this.store = store;
    }

    /** Returns a store that differs only in its blobs. */
    Store inStore() {
      return (Store)
          Proxy.newProxyInstance(
              Store.class.getClassLoader(),
              new Class<?>[] {Store.class},
              (proxy, method, arguments) -> {
                if (method.getName().equals("blobs")) {
                  return this;
                }
                try {
                  return method.invoke(store, arguments);
                } catch (InvocationTargetException e) {
                  throw e.getCause();
                }
              });
    }

    @Override
    public Future<BlobRef> write(ActorPath receiver, byte[] body) {
      Future<Void> first = script.poll();
      return (first == null ? Future.<Void>succeededFuture() : first)
          .compose(v -> store.blobs().write(receiver, body));
    }

    @Override
    public Future<BlobRef> keep(ActorPath owner, byte[] content) {
      Future<Void> first = script.poll();
      return (first == null ? Future.<Void>succeededFuture() : first)
          .compose(v -> store.blobs().keep(owner, content));
    }

    @Override
    public Future<Integer> release(ActorPath owner) {
      return store.blobs().release(owner);
    }

    @Override
    public Future<byte[]> read(BlobKey key) {
      return store.blobs().read(key);
    }

    @Override
    public Future<Boolean> isWhole(BlobKey key) {
      return store.blobs().isWhole(key);
    }

    @Override
    public Future<Void> forsake(BlobKey key) {
      return store.blobs().forsake(key);
    }
  }

  @Test
  void aBlobThatAnActorKeepsWaitsForTheStore() throws Exception {
    blobs.script.add(Future.failedFuture(StoreException.unavailable("scripted", null)));
    byte[] content = new byte[100_000];
    content[7] = 7;
    BlobRef kept = await(callboard.blobs().write("/keepers/a", content));
    assertThat(blobs.script).isEmpty();
    assertThat(await(callboard.blobs().read("/keepers/a", kept))).isEqualTo(content);
    BlobRef second = await(callboard.blobs().write("/keepers/a", content));
    await(callboard.blobs().remove("/keepers/a", kept));
    await(callboard.blobs().remove("/keepers/a", kept));
    assertThatThrownBy(() -> await(callboard.blobs().read("/keepers/a", kept)))
        .isInstanceOfSatisfying(
            StoreException.class, e -> assertThat(e.kind()).isEqualTo(StoreException.Kind.CORRUPT));
    assertThat(await(callboard.blobs().read("/keepers/a", second))).hasSize(100_000);
    assertThat(await(callboard.blobs().removeAll("/keepers/a"))).isEqualTo(1);
    assertThat(cell.blobs()).isZero();
  }

  @Test
  void aBlobThatCannotBeKeptIsRefused() {
    assertThatThrownBy(() -> await(callboard.blobs().write("/keepers/a", new byte[0])))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("1 to 16777216");
    assertThatThrownBy(() -> await(callboard.blobs().write("", new byte[1])))
        .isInstanceOf(IllegalArgumentException.class);
    BlobRef ofAMessage = new BlobRef("node.boot.1", 1, 1, "00000000");
    assertThatThrownBy(() -> await(callboard.blobs().remove("/keepers/a", ofAMessage)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("node.boot.1");
  }

  @BeforeEach
  void start(Callboard given) {
    callboard = given;
  }

  private static void fails(Code code, ThrowingCallable call, String... parts) {
    assertThatThrownBy(call)
        .isInstanceOfSatisfying(CallboardException.class, e -> assertThat(e.code()).isEqualTo(code))
        .hasMessageContainingAll(parts);
  }

  private ActorRef<Keeper.Box> keeper() throws Exception {
    return await(callboard.spawn("/keepers/a", () -> new Keeper(new Keeper.Mood())));
  }

  private static List<Integer> kept(ActorRef<Keeper.Box> keeper) {
    return await(keeper.ask(new Show(), Keeper.Kept.class)).entries().stream()
        .map(Entry::n)
        .toList();
  }

  private static Item large(int n) {
    return LargeMessageTck.item(n, 40_000);
  }

  private static Item small(int n) {
    return new Item(n, "");
  }

  private static Future<Void> failure(StoreException cause) {
    return Future.failedFuture(cause);
  }

  @Test
  void aWriteIsTriedUntilTheStoreIsBackAndNothingOvertakesIt() throws Exception {
    ActorRef<Keeper.Box> keeper = keeper();
    for (int i = 0; i < 3; i++) {
      blobs.script.add(failure(StoreException.unavailable("gone", new IllegalStateException())));
    }
    Future<Void> first = keeper.tell(large(1));
    Future<Void> second = keeper.tell(small(2));
    Future<Void> third = keeper.tell(large(3));
    await(Future.all(first, second, third).<Void>mapEmpty());
    assertThat(kept(keeper)).containsExactly(1, 2, 3);
  }

  @Test
  void aWriteThatFailsForGoodFailsItsTellAlone() throws Exception {
    ActorRef<Keeper.Box> keeper = keeper();
    blobs.script.add(failure(StoreException.denied("no access", new IllegalStateException())));
    Future<Void> first = keeper.tell(large(1));
    Future<Void> second = keeper.tell(small(2));
    fails(Code.UNAVAILABLE, () -> await(first), "/keepers/a", "no access");
    await(second);
    assertThat(kept(keeper)).containsExactly(2);
  }

  @Test
  void aTurnWhoseLargeMessageIsNotStoredIsTriedAgain() throws Exception {
    ActorRef<Keeper.Box> keeper = keeper();
    ActorRef<Keeper.Box> sender =
        await(callboard.spawn("/keepers/sender", () -> new Keeper(new Keeper.Mood())));
    blobs.script.add(Future.succeededFuture());
    blobs.script.add(failure(StoreException.corrupt("no room for it")));
    await(sender.tell(new Keeper.Send("/keepers/a", 1, List.of(40_000, 40, 50_000))));
    Eventually.assertThat(
        () -> {
          assertThat(kept(keeper)).containsExactly(1, 2, 3);
        });
    assertThat(cell.blobs()).as("what the failed turn had written is gone, too").isZero();
  }

  @Test
  void waitingMessagesAreBoundedInBytes() throws Exception {
    ActorRef<Keeper.Box> keeper = keeper();
    Promise<Void> open = Promise.promise();
    Item most = LargeMessageTck.item(1, Limits.MESSAGE_BYTES);
    List<Future<Void>> told = new ArrayList<>();
    for (int i = 0; i < 8; i++) {
      blobs.script.add(open.future());
      told.add(keeper.tell(most));
    }
    fails(Code.UNAVAILABLE, () -> await(keeper.tell(large(2))), "134217728 bytes", "later");
    assertThat(told).noneMatch(Future::isComplete);
    open.complete();
    await(Future.all(told).<Void>mapEmpty());
    assertThat(kept(keeper)).hasSize(8);
  }

  @Test
  void mailBehindALargeMessageIsBoundedAndHoldsBackNoOther() throws Exception {
    ActorRef<Keeper.Box> keeper = keeper();
    Promise<Void> open = Promise.promise();
    blobs.script.add(open.future());
    List<Future<Void>> told = new ArrayList<>();
    told.add(keeper.tell(large(0)));
    for (int n = 1; n < 10_000; n++) {
      told.add(keeper.tell(small(n)));
    }
    fails(Code.UNAVAILABLE, () -> await(keeper.tell(small(10_000))), "10000 messages", "later");
    await(callboard.durableRef("/keepers/b", Keeper.Box.class).tell(small(1)));
    assertThat(told).noneMatch(Future::isComplete);
    open.complete();
    await(Future.all(told).<Void>mapEmpty());
    assertThat(kept(keeper)).hasSize(10_000).isSorted();
  }

  @Test
  void aRefusedMessageLeavesNoBlob() throws Exception {
    MemoryCell tiny = new MemoryCell(8, 1, Clock.systemUTC());
    NodesExtension nodes = new NodesExtension(tiny);
    Callboard full = nodes.open("full", options -> options.roomTimeout(Duration.ofMillis(200)));
    ActorRef<Keeper.Box> nobody = full.durableRef("/keepers/nobody", Keeper.Box.class);
    await(nobody.tell(small(1)));
    fails(Code.MAILBOX_FULL, () -> await(nobody.tell(large(2))), "/keepers/nobody");
    Eventually.assertThat(() -> assertThat(tiny.blobs()).isZero());
    nodes.close();
  }

  @Test
  void aNodeThatStopsFailsWhatStillWaits() throws Exception {
    ActorRef<Keeper.Box> keeper = keeper();
    blobs.script.add(Promise.<Void>promise().future());
    Future<Void> first = keeper.tell(large(1));
    Future<Void> second = keeper.tell(small(2));
    await(callboard.close());
    fails(Code.STOPPED, () -> await(first), "stopped");
    fails(Code.STOPPED, () -> await(second), "stopped");
  }
}
