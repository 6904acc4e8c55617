package io.callboard.testkit.tck;

import static io.callboard.testkit.Futures.await;
import static io.callboard.testkit.Stage.assertCode;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonMappingException;
import com.fasterxml.jackson.databind.JsonNode;
import io.callboard.ActorOptions;
import io.callboard.ActorRef;
import io.callboard.Callboard;
import io.callboard.CallboardException.Code;
import io.callboard.DurableStateActor;
import io.callboard.Protocol;
import io.callboard.admin.BulkReplay;
import io.callboard.admin.ParkedFilter;
import io.callboard.admin.WaitingMessage;
import io.callboard.codecs.ActorPath;
import io.callboard.codecs.CodecException;
import io.callboard.codecs.Json;
import io.callboard.store.StoredParked;
import io.callboard.store.memory.MemoryCell;
import io.callboard.store.memory.MemoryStore;
import io.callboard.supervision.Backoff;
import io.callboard.testkit.CallboardExtension;
import io.callboard.testkit.Eventually;
import io.vertx.core.Future;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Test of an operator's actions on messages that kept failing. */
class ParkedMessagesTest {
  private final MemoryCell cell = new MemoryCell();
  private final AtomicBoolean fixed = new AtomicBoolean();

  @RegisterExtension
  final CallboardExtension node =
      new CallboardExtension(options -> options.store(() -> new MemoryStore(cell)));

  private Callboard callboard;

  record Add(int amount) {}

  record Noted(List<Integer> amounts) {}

  /** Refuses negative amounts until it is fixed. */
  static final class Notes extends DurableStateActor<Add, Noted> {
    private final AtomicBoolean fixed;

    Notes(AtomicBoolean fixed) {
      this.fixed = fixed;
    }

    @Override
    protected Noted initial() {
      return new Noted(List.of());
    }

    @Override
    protected void protocol(Protocol<Add> on) {
      on.message(
          Add.class,
          add -> {
            if (add.amount() < 0 && !fixed.get()) {
              throw new IllegalArgumentException("negative " + add.amount());
            }
            List<Integer> amounts = new ArrayList<>(state().amounts());
            if (add.amount() != 0) {
              amounts.add(add.amount());
              update(new Noted(amounts));
            }
            reply(new Noted(amounts));
          });
    }
  }

  @BeforeEach
  void start(Callboard given) {
    callboard = given;
  }

  /** Returns an actor that has parked {@code amounts}. */
  private ActorRef<Add> withParked(String path, int... amounts) throws Exception {
    ActorOptions options =
        new ActorOptions()
            .attempts(2)
            .backoff(
                Backoff.exponential(
                    Duration.ofMillis(1), Duration.ofMillis(2), Backoff.Jitter.FULL));
    options.supervision(options.supervision().intensity(1_000, Duration.ofMinutes(1)));
    ActorRef<Add> actor = await(callboard.spawn(path, () -> new Notes(fixed), options));
    int before = parked().size();
    for (int amount : amounts) {
      await(actor.tell(new Add(amount)));
    }
    Eventually.assertThat(() -> assertThat(parked()).hasSize(before + amounts.length));
    return actor;
  }

  private List<StoredParked> parked() {
    return await(callboard.admin().parked(100));
  }

  private static List<Integer> noted(ActorRef<Add> actor) throws Exception {
    return await(actor.ask(new Add(0), Noted.class)).amounts();
  }

  private static JsonNode add(int amount) {
    return Json.tree(Map.of("amount", amount));
  }

  @Test
  void aParkedMessageIsEditedReplayedAndHandledOnce() throws Exception {
    ActorRef<Add> notes = withParked("/notes", -7);
    String id = parked().get(0).id();
    assertThat(await(callboard.admin().parked("/notes", id)).orElseThrow().key())
        .isEqualTo(parked().get(0).key());
    assertThat(await(callboard.admin().replay("/notes", id, add(7))))
        .as("the original")
        .satisfies(
            original -> {
              assertThat(original.id()).isEqualTo(id);
              assertThat(new String(original.bytes(), StandardCharsets.UTF_8))
                  .contains("{\"amount\":-7}");
            });
    assertThat(noted(notes)).containsExactly(7);
    assertThat(parked()).isEmpty();
    assertCode(() -> await(callboard.admin().replay("/notes", id)), Code.NO_SUCH_MESSAGE);
    assertCode(() -> await(callboard.admin().discard("/notes", id)), Code.NO_SUCH_MESSAGE);
    assertThat(noted(notes)).containsExactly(7);
  }

  @Test
  void aMessageThatFailsAgainIsParkedAgainUnderAnotherId() throws Exception {
    ActorRef<Add> notes = withParked("/notes", -7);
    String id = parked().get(0).id();
    await(callboard.admin().replay("/notes", id));
    Eventually.assertThat(
        () ->
            assertThat(parked())
                .singleElement()
                .satisfies(again -> assertThat(again.id()).isNotEqualTo(id)));
    fixed.set(true);
    await(callboard.admin().replay("/notes", parked().get(0).id()));
    assertThat(noted(notes)).containsExactly(-7);
  }

  @Test
  void ofManyReplaysAtOnceOneMovesIt() throws Exception {
    ActorRef<Add> notes = withParked("/notes", -7);
    String id = parked().get(0).id();
    List<Future<StoredParked>> replays = new ArrayList<>();
    for (int i = 0; i < 20; i++) {
      replays.add(callboard.admin().replay("/notes", id, add(i + 1)));
    }
    Future<?> all = Future.join(replays);
    Eventually.assertThat(() -> assertThat(all.isComplete()).isTrue());
    assertThat(replays).filteredOn(Future::succeeded).hasSize(1);
    assertThat(noted(notes)).hasSize(1);
  }

  @Test
  void aDiscardedMessageIsNeverHandled() throws Exception {
    ActorRef<Add> notes = withParked("/notes", -1, -2);
    fixed.set(true);
    await(callboard.admin().discard("/notes", parked().get(0).id()));
    await(callboard.admin().replay("/notes", parked().get(0).id()));
    assertThat(noted(notes)).containsExactly(-2);
  }

  @Test
  void aMessageThatCouldNeverBeReadCanOnlyBeDiscarded() throws Exception {
    TckNode other = new TckNode(new MemoryStore(cell));
    assertThat(other.open("other", "boot", "home").partitions()).isPositive();
    ActorPath broken = ActorPath.of("/elsewhere/broken");
    TckUnit parks =
        TckUnit.turn(broken, -1, 1)
            .parks("0-0", "{\"f\":1,\"attempts\":1,\"cause\":\"damaged\",\"envelope\":null}")
            .parks("1-0", "no JSON");
    other.applies(other.claim(broken), parks.unit());
    for (String id : List.of("0-0", "1-0")) {
      assertCode(() -> await(callboard.admin().replay("/elsewhere/broken", id)), Code.BAD_MESSAGE);
      assertCode(
          () -> await(callboard.admin().replay("/elsewhere/broken", id, add(1))), Code.BAD_MESSAGE);
    }
    assertThat(await(await(callboard.admin().replay(ParkedFilter.ALL, 1_000)).replayed())).isZero();
    for (String id : List.of("0-0", "1-0")) {
      await(callboard.admin().discard("/elsewhere/broken", id));
    }
    assertThat(parked()).isEmpty();
    await(other.store().close());
  }

  @Test
  void anEditedBodyHasTheLimitOfAMessage() throws Exception {
    ActorRef<Add> unused = withParked("/notes", -7);
    String id = parked().get(0).id();
    JsonNode large = Json.tree("x".repeat(16 << 20));
    assertCode(() -> await(callboard.admin().replay("/notes", id, large)), Code.PAYLOAD_TOO_LARGE);
    assertThat(parked()).hasSize(1);
  }

  private static void isRefused(ThrowingCallable call) {
    assertThatThrownBy(call)
        .isInstanceOfSatisfying(
            CodecException.class,
            e -> assertThat(e.reason()).isEqualTo(CodecException.Reason.MALFORMED))
        .hasMessageContaining("message \"add\" of Add")
        .cause()
        .isInstanceOfSatisfying(
            JsonMappingException.class,
            e -> assertThat(e.getPath().get(0).getFieldName()).isEqualTo("amount"));
  }

  @Test
  void anEditedBodyMustFitTheActorThatIsKnownHere() throws Exception {
    ActorRef<Add> notes = withParked("/notes", -7);
    String id = parked().get(0).id();
    JsonNode wrong = Json.tree(Map.of("amount", "seven"));
    isRefused(() -> await(callboard.admin().replay("/notes", id, wrong)));
    JsonNode incomplete = Json.tree(Map.of("amont", 7));
    assertThatThrownBy(() -> await(callboard.admin().replay("/notes", id, incomplete)))
        .hasMessageContaining("\"amount\" of Add must be there");
    assertThat(parked()).singleElement().satisfies(left -> assertThat(left.id()).isEqualTo(id));
    assertThat(noted(notes)).isEmpty();

    await(callboard.stop("/notes"));
    assertThat(await(callboard.admin().replay("/notes", id, wrong)).id())
        .as("here nobody knows the actor now")
        .isEqualTo(id);
    assertThat(parked()).isEmpty();
  }

  @Test
  void anEditedBodyMustFitAHostedActorToo() throws Exception {
    TckNode other = new TckNode(new MemoryStore(cell));
    assertThat(other.open("other", "boot", "home").partitions()).isPositive();
    ActorPath far = ActorPath.of("/hosted/far");
    String parked =
        "{\"f\":1,\"attempts\":1,\"cause\":\"why\",\"envelope\":{\"from\":\"x\",\"n\":1,"
            + "\"t\":\"add\",\"v\":1,\"b\":{\"amount\":-1}}}";
    other.applies(other.claim(far), TckUnit.turn(far, -1, 1).parks("0-0", parked).unit());
    await(callboard.host("/hosted", () -> new Notes(fixed), new ActorOptions()));
    isRefused(
        () ->
            await(
                callboard.admin().replay("/hosted/far", "0-0", Json.tree(Map.of("amount", "x")))));
    assertThat(parked()).hasSize(1);
    await(other.store().close());
  }

  // Many.

  @Test
  void manyAreReplayedInOrderAndNoFasterThanTold() throws Exception {
    ActorRef<Add> notes = withParked("/notes", -1, -2, -3, -4, -5, -6, -7, -8, -9, -10, -11, -12);
    fixed.set(true);
    double rate = 40;
    long began = System.nanoTime();
    BulkReplay bulk = await(callboard.admin().replay(ParkedFilter.ALL, rate));
    assertThat(bulk.matched()).isEqualTo(12);
    Eventually.assertThat(
        () -> {
          int gone = 12 - parked().size();
          double seconds = (System.nanoTime() - began) / 1e9;
          // two at once, twenty times a second
          if (gone > seconds * rate + 2) {
            throw new IllegalStateException("%d within %f s".formatted(gone, seconds));
          }
          assertThat(gone).isEqualTo(12);
        });
    assertThat(await(bulk.replayed())).isEqualTo(12);
    assertThat(noted(notes)).containsExactly(-1, -2, -3, -4, -5, -6, -7, -8, -9, -10, -11, -12);
    assertThat(await(await(callboard.admin().replay(ParkedFilter.ALL, rate)).replayed())).isZero();
  }

  @Test
  void aFilterTellsWhichAreMeant() throws Exception {
    ActorRef<Add> one = withParked("/notes/one", -1, -2);
    ActorRef<Add> two = withParked("/notes/two", -1, -2);
    fixed.set(true);
    ParkedFilter other =
        new ParkedFilter(Optional.empty(), Optional.of("nothing"), Optional.empty());
    assertThat(await(callboard.admin().replay(other, 100)).matched()).isZero();
    ParkedFilter meant =
        new ParkedFilter(
            Optional.of(ActorPath.of("/notes/two")),
            Optional.of("add"),
            Optional.of("negative -2"));
    BulkReplay bulk = await(callboard.admin().replay(meant, 100));
    assertThat(bulk.matched()).isEqualTo(1);
    assertThat(await(bulk.replayed())).isEqualTo(1);
    assertThat(noted(two)).containsExactly(-2);
    assertThat(noted(one)).isEmpty();
    assertThat(parked()).hasSize(3);
  }

  @Test
  void aReplayOfManyIsTheOnlyOneAndEndsWithTheNode() throws Exception {
    ActorRef<Add> unused = withParked("/notes", -1, -2, -3);
    BulkReplay bulk = await(callboard.admin().replay(ParkedFilter.ALL, 0.01));
    assertCode(() -> await(callboard.admin().replay(ParkedFilter.ALL, 0.01)), Code.CONFLICT);
    await(callboard.close());
    assertCode(() -> await(bulk.replayed()), Code.STOPPED);
    assertCode(() -> await(callboard.admin().replay(ParkedFilter.ALL, 1)), Code.STOPPED);
  }

  // Peek.

  @Test
  void aLookIntoAMailboxTakesNothingOut() throws Exception {
    ActorRef<Add> later = callboard.durableRef("/later", Add.class);
    for (int amount = 1; amount <= 5; amount++) {
      await(later.tell(new Add(amount)));
    }
    List<WaitingMessage> waiting = await(callboard.admin().waiting("/later", 3));
    assertThat(waiting).extracting(WaitingMessage::body).containsExactly(add(1), add(2), add(3));
    assertThat(waiting)
        .allSatisfy(
            message -> {
              assertThat(message.type().name()).isEqualTo("add");
              assertThat(message.id().sender()).startsWith("edge:test:");
              assertThat(message.size()).isEqualTo("{\"amount\":1}".length());
              assertThat(message.unreadable()).isNull();
            });
    assertThat(await(callboard.admin().waiting("/later", 100))).hasSize(5);
    assertThat(await(callboard.admin().waiting("/nobody", 100))).isEmpty();
  }
}
