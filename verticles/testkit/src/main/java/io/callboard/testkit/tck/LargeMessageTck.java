package io.callboard.testkit.tck;

import static io.callboard.testkit.Futures.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.callboard.ActorOptions;
import io.callboard.ActorRef;
import io.callboard.Callboard;
import io.callboard.CallboardException;
import io.callboard.CallboardException.Code;
import io.callboard.CallboardOptions;
import io.callboard.admin.BlobCounts.Moved;
import io.callboard.admin.WaitingMessage;
import io.callboard.codecs.ActorPath;
import io.callboard.codecs.Json;
import io.callboard.codecs.Segment;
import io.callboard.store.BlobKey;
import io.callboard.store.Limits;
import io.callboard.store.Store;
import io.callboard.store.StoredParked;
import io.callboard.supervision.Backoff;
import io.callboard.testkit.Eventually;
import io.callboard.testkit.tck.Keeper.Entry;
import io.callboard.testkit.tck.Keeper.Item;
import io.callboard.testkit.tck.Keeper.Show;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.SplittableRandom;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * Conformance test of messages from 1 KB to {@link Limits#MESSAGE_BYTES}, on two nodes of one cell:
 * the actors run on one, the other only sends. Extend it once for each store.
 */
public abstract class LargeMessageTck {
  private static final Duration PATIENCE = Duration.ofSeconds(30);
  private static final ActorOptions QUICK =
      new ActorOptions()
          .attempts(1)
          .backoff(
              Backoff.exponential(Duration.ofMillis(1), Duration.ofMillis(2), Backoff.Jitter.FULL));

  private final List<Vertx> vertxes = new ArrayList<>();
  private final Keeper.Mood mood = new Keeper.Mood();
  private TckCell cell;
  private Store nearStore;
  private Callboard near;
  private Callboard far;

  /** Creates an empty cell. */
  protected abstract TckCell newCell();

  @BeforeEach
  final void openNodes() throws Exception {
    cell = newCell();
    nearStore = cell.newStore();
    near = node("near", nearStore);
    far = node("far", cell.newStore());
  }

  private Callboard node(String name, Store store) throws Exception {
    Vertx vertx = Vertx.vertx();
    vertxes.add(vertx);
    CallboardOptions options =
        new CallboardOptions().name(name).homeId(name).sweepEvery(Duration.ofSeconds(1));
    return await(Callboard.create(vertx, options.store(() -> store)));
  }

  @AfterEach
  final void closeNodes() throws Exception {
    await(near.close());
    await(far.close());
    for (Vertx vertx : vertxes) {
      await(vertx.close());
    }
    cell.close();
  }

  private static void fails(Code code, ThrowingCallable call, String... parts) {
    assertThatThrownBy(call)
        .isInstanceOfSatisfying(CallboardException.class, e -> assertThat(e.code()).isEqualTo(code))
        .hasMessageContainingAll(parts);
  }

  /** Returns a message whose JSON has that many bytes. */
  static Item item(int n, int bytes) {
    byte[] text = new byte[bytes - Json.bytes(new Item(n, "")).length];
    SplittableRandom random = new SplittableRandom(n);
    for (int i = 0; i < text.length; i++) {
      text[i] = (byte) ('a' + random.nextInt(26));
    }
    Item item = new Item(n, new String(text, StandardCharsets.US_ASCII));
    assertThat(Json.bytes(item)).hasSize(bytes);
    return item;
  }

  private ActorRef<Keeper.Box> keeper(String path) throws Exception {
    ActorOptions options = new ActorOptions(QUICK);
    options.supervision(options.supervision().intensity(1_000, Duration.ofMinutes(1)));
    return await(near.spawn(path, () -> new Keeper(mood), options));
  }

  private static List<Entry> kept(ActorRef<Keeper.Box> keeper) {
    return await(keeper.ask(new Show(), Keeper.Kept.class)).entries();
  }

  private static void keeps(ActorRef<Keeper.Box> keeper, List<Item> items) {
    List<Entry> expected = items.stream().map(Entry::of).toList();
    Eventually.assertThat(
        PATIENCE, () -> assertThat(kept(keeper)).containsExactlyElementsOf(expected));
  }

  private void noBlobIsLeft() {
    Eventually.assertThat(PATIENCE, () -> assertThat(cell.blobs()).isZero());
  }

  private List<StoredParked> parked(int count) throws Exception {
    Eventually.assertThat(
        PATIENCE,
        () -> {
          try {
            assertThat(await(near.admin().parked(100))).hasSize(count);
          } catch (Exception e) {
            throw new AssertionError(e);
          }
        });
    return await(near.admin().parked(100));
  }

  @Test
  final void everySizeArrivesWhole() throws Exception {
    ActorRef<Keeper.Box> there = far.durableRef("/keepers/a", Keeper.Box.class);
    List<Item> items = new ArrayList<>();
    int[] sizes = {1 << 10, 31 << 10, 33 << 10, 500 << 10, 3 << 20, Limits.MESSAGE_BYTES};
    for (int n = 0; n < sizes.length; n++) {
      items.add(item(n, sizes[n]));
      await(there.tell(items.get(n)));
    }
    assertThat(cell.blobs()).isEqualTo(4);
    ActorRef<Keeper.Box> keeper = keeper("/keepers/a");
    keeps(keeper, items);
    for (int n = 0; n < sizes.length; n++) {
      Item again = item(10 + n, sizes[n]);
      items.add(again);
      await((n % 2 == 0 ? keeper : there).tell(again));
    }
    keeps(keeper, items);
    noBlobIsLeft();
  }

  @Test
  final void oneByteMoreIsRefusedBeforeAnythingIsStored() throws Exception {
    ActorRef<Keeper.Box> keeper = keeper("/keepers/a");
    Item large = item(1, Limits.MESSAGE_BYTES + 1);
    String[] details = {"/keepers/a", "16777217", "16777216"};
    fails(Code.PAYLOAD_TOO_LARGE, () -> await(keeper.tell(large)), details);
    fails(Code.PAYLOAD_TOO_LARGE, () -> await(keeper.ask(large, Keeper.Kept.class)), details);
    assertThat(cell.blobs()).isZero();
    assertThat(kept(keeper)).isEmpty();
  }

  @Test
  final void aSmallMessageDoesNotOvertakeALargeOne() throws Exception {
    ActorRef<Keeper.Box> keeper = keeper("/keepers/a");
    ActorRef<Keeper.Box> there = far.durableRef("/keepers/a", Keeper.Box.class);
    List<Item> items = new ArrayList<>();
    List<Future<Void>> sent = new ArrayList<>();
    SplittableRandom random = new SplittableRandom(7);
    for (int n = 0; n < 60; n++) {
      items.add(item(n, n % 3 == 0 ? random.nextInt(33 << 10, 1 << 20) : 40));
      sent.add(there.tell(items.get(n)));
    }
    await(Future.all(sent).<Void>mapEmpty());
    keeps(keeper, items);
    noBlobIsLeft();
  }

  @Test
  final void aTurnSendsLargeMessagesInItsOrder() throws Exception {
    ActorRef<Keeper.Box> keeper = keeper("/keepers/a");
    ActorRef<Keeper.Box> sender = keeper("/keepers/sender");
    List<Integer> sizes = List.of(2 << 20, 40, 100_000, 50, 33 << 10, 60);
    for (int from = 0; from < 30; from += 10) {
      await(sender.tell(new Keeper.Send("/keepers/a", from, sizes)));
    }
    List<Item> items = new ArrayList<>();
    for (int from = 0; from < 30; from += 10) {
      for (int i = 0; i < sizes.size(); i++) {
        items.add(item(from + i, sizes.get(i)));
      }
    }
    keeps(keeper, items);
    noBlobIsLeft();
  }

  @Test
  final void theLargeMessagesOfATurnHaveALimitTogether() throws Exception {
    ActorRef<Keeper.Box> sender = keeper("/keepers/sender");
    int most = Limits.TURN_BLOB_BYTES / Limits.MESSAGE_BYTES;
    List<Integer> sizes = java.util.Collections.nCopies(most + 1, Limits.MESSAGE_BYTES);
    await(sender.tell(new Keeper.Send("/keepers/a", 0, sizes)));
    String cause = new String(parked(1).get(0).bytes(), StandardCharsets.UTF_8);
    assertThat(cause).contains("/keepers/a", "large ones of one turn", "67108864");
    assertThat(cell.blobs()).isZero();
    assertThat(near.admin().metrics().blobs().forsaken())
        .isEqualTo(near.admin().metrics().blobs().written());
  }

  @Test
  final void aParkedLargeMessageIsShownReplayedAndDiscarded() throws Exception {
    ActorRef<Keeper.Box> keeper = keeper("/keepers/a");
    mood.bad(true);
    for (int n = 1; n <= 3; n++) {
      await(keeper.tell(item(n, 1 << 20)));
    }
    List<StoredParked> parked = parked(3);
    assertThat(cell.blobs()).isEqualTo(3);
    assertThat(parked)
        .allSatisfy(
            each ->
                assertThat(new String(each.bytes(), StandardCharsets.UTF_8))
                    .hasSizeLessThan(1_000)
                    .contains("\"blob\":", "\"bytes\":1048576"));
    mood.bad(false);
    await(far.admin().replay("/keepers/a", parked.get(0).id()));
    Item edited = item(5, 40_000);
    assertThat(await(far.admin().replay("/keepers/a", parked.get(1).id(), Json.tree(edited))).key())
        .isEqualTo(parked.get(1).key());
    await(far.admin().discard("/keepers/a", parked.get(2).id()));
    keeps(keeper, List.of(item(1, 1 << 20), edited));
    assertThat(parked(0)).isEmpty();
    noBlobIsLeft();
    assertThat(near.admin().metrics().blobs().written()).isEqualTo(new Moved(3, 3 << 20));
    assertThat(far.admin().metrics().blobs().written()).isEqualTo(new Moved(1, 40_000));
    assertThat(far.admin().metrics().blobs().deleted())
        .as("of the edited and of the discarded one")
        .isEqualTo(new Moved(2, 2 << 20));
    Eventually.assertThat(
        PATIENCE,
        () ->
            assertThat(near.admin().metrics().blobs().deleted())
                .as("of those that were handled")
                .isEqualTo(new Moved(2, (1 << 20) + 40_000)));
    assertThat(near.admin().metrics().blobs().fetched().count()).isPositive();
    assertThat(near.admin().metrics().blobs().fetchFailures()).isZero();
  }

  @Test
  final void aMessageWithoutItsBodyIsParkedAndTheActorGoesOn() throws Exception {
    ActorRef<Keeper.Box> there = far.durableRef("/keepers/a", Keeper.Box.class);
    Item after = item(2, 40);
    await(there.tell(item(1, 600_000)));
    await(there.tell(after));
    ActorPath path = ActorPath.of("/keepers/a");
    byte[] first = await(nearStore.peek(path, 1)).get(0).bytes();
    cell.loseBlob(
        new BlobKey(path, Objects.requireNonNull(Segment.decode("it", first).get(0).blob())));
    ActorRef<Keeper.Box> keeper = keeper("/keepers/a");
    keeps(keeper, List.of(after));
    StoredParked parked = parked(1).get(0);
    assertThat(new String(parked.bytes(), StandardCharsets.UTF_8)).contains("is missing");
    assertThat(near.admin().metrics().blobs().fetchFailures()).isPositive();
    fails(
        Code.BAD_MESSAGE,
        () -> await(far.admin().replay("/keepers/a", parked.id())),
        "missing or damaged");
    await(far.admin().discard("/keepers/a", parked.id()));
    assertThat(parked(0)).isEmpty();
  }

  @Test
  final void aLookShowsHowLargeAMessageIsAndNotWhatItSays() throws Exception {
    ActorRef<Keeper.Box> there = far.durableRef("/keepers/a", Keeper.Box.class);
    await(there.tell(item(1, 3 << 20)));
    await(there.tell(item(2, 40)));
    List<WaitingMessage> waiting = await(near.admin().waiting("/keepers/a", 10));
    assertThat(waiting).extracting(WaitingMessage::blob).containsExactly(true, false);
    assertThat(waiting).extracting(WaitingMessage::size).containsExactly(3 << 20, 40);
    assertThat(waiting.get(0).body()).isNull();
    assertThat(waiting.get(1).body()).isEqualTo(Json.tree(item(2, 40)));
  }
}
