package io.callboard.testkit.durable;

import static io.callboard.testkit.Futures.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.callboard.ActorOptions;
import io.callboard.ActorRef;
import io.callboard.Callboard;
import io.callboard.CallboardException;
import io.callboard.CallboardException.Code;
import io.callboard.DurableStateActor;
import io.callboard.Protocol;
import io.callboard.admin.NodeCounts;
import io.callboard.store.StoredSnapshot;
import io.callboard.store.WhenFull;
import io.callboard.testkit.Eventually;
import io.callboard.testkit.NodesExtension;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Test of senders to a durable mailbox without room, whose messages all arrive in the end. */
class FullMailboxTest {
  private static final int LIMIT = 10;

  @RegisterExtension final NodesExtension nodes = new NodesExtension();
  private final Promise<Void> gate = Promise.promise();
  private Callboard callboard;

  record Note(int number, String pass, int copies) {
    Note(int number) {
      this(number, "", 1);
    }
  }

  record Noted(List<Integer> numbers) {}

  /**
   * Actor that keeps the numbers of its notes and passes copies of them on. Its first turn waits
   * for a gate.
   */
  static final class Notes extends DurableStateActor<Note, Noted> {
    private final Future<Void> gate;

    Notes(Future<Void> gate) {
      this.gate = gate;
    }

    @Override
    protected Noted initial() {
      return new Noted(List.of());
    }

    @Override
    protected void protocol(Protocol<Note> on) {
      on.async(Note.class, note -> inTurn(gate).onSuccess(v -> note(note)));
    }

    private void note(Note note) {
      List<Integer> numbers = new ArrayList<>(state().numbers());
      numbers.add(note.number());
      update(new Noted(numbers));
      for (int i = 0; i < note.copies() && !note.pass().isEmpty(); i++) {
        String to = note.pass().replace("*", String.valueOf(i));
        tell(callboard().durableRef(to, Note.class), new Note(note.number()));
      }
    }
  }

  @BeforeEach
  void start() {
    callboard = nodes.open("one");
  }

  @AfterEach
  void stop() {
    boolean unused = gate.tryComplete();
  }

  private ActorRef<Note> spawn(String path, WhenFull wish, Future<Void> when) throws Exception {
    ActorOptions options = new ActorOptions().mailboxLimit(LIMIT).whenFull(wish).attempts(2);
    return await(callboard.spawn(path, () -> new Notes(when), options));
  }

  private List<Integer> numbers(String path) {
    return callboard
        .admin()
        .stored(path)
        .map(
            stored -> {
              List<Integer> numbers = new ArrayList<>();
              stored
                  .flatMap(found -> found.record().newest())
                  .map(StoredSnapshot::state)
                  .ifPresent(
                      state -> state.get("numbers").forEach(number -> numbers.add(number.asInt())));
              return numbers;
            })
        .await();
  }

  private void eventually(String path, List<Integer> wanted) {
    Eventually.assertThat(() -> assertThat(numbers(path)).isEqualTo(wanted));
  }

  /** Fills the mailbox: the first message is being handled, {@link #LIMIT} and more wait. */
  private List<Future<Void>> fill(ActorRef<Note> actor, int count) {
    return IntStream.range(0, count).mapToObj(i -> actor.tell(new Note(i))).toList();
  }

  private static List<Integer> upTo(int count) {
    return IntStream.range(0, count).boxed().toList();
  }

  @Test
  void aSenderFromOutsideWaitsForRoomAndKeepsItsOrder() throws Exception {
    ActorRef<Note> slow = spawn("/t/slow", WhenFull.WAIT, gate.future());
    List<Future<Void>> told = fill(slow, 500);
    await(told.get(0));
    gate.complete();
    for (Future<Void> each : told) {
      await(each);
    }
    eventually("/t/slow", upTo(500));
  }

  @Test
  void aSenderDoesNotWaitForEver() throws Exception {
    await(callboard.close());
    callboard = nodes.open("hurried", options -> options.roomTimeout(Duration.ofMillis(1_500)));
    ActorRef<Note> stuck = spawn("/t/stuck", WhenFull.WAIT, gate.future());
    List<Future<Void>> told = new ArrayList<>();
    for (int i = 0; i < 4 * LIMIT; i++) {
      Future<Void> each = stuck.tell(new Note(i));
      told.add(each);
      if (i < LIMIT) {
        await(each);
      }
    }
    assertThatThrownBy(() -> await(told.get(told.size() - 1)))
        .isInstanceOfSatisfying(
            CallboardException.class, e -> assertThat(e.code()).isEqualTo(Code.MAILBOX_FULL))
        .hasMessageContaining("/t/stuck");
    gate.complete();
    List<Integer> accepted =
        upTo(told.size()).stream().filter(i -> told.get(i).succeeded()).toList();
    assertThat(accepted.size()).isBetween(LIMIT, told.size() - 1);
    eventually("/t/stuck", accepted);
  }

  @Test
  void aRefusalIsToldAtOnce() throws Exception {
    await(callboard.close());
    callboard = nodes.open("strict", options -> options.roomTimeout(Duration.ofHours(1)));
    ActorRef<Note> strict = spawn("/t/strict", WhenFull.REJECT, Future.succeededFuture());
    await(strict.tell(new Note(0)));
    eventually("/t/strict", List.of(0));
    await(callboard.stop("/t/strict"));
    ActorRef<Note> again = callboard.durableRef("/t/strict", Note.class);
    for (int i = 1; i <= LIMIT; i++) {
      await(again.tell(new Note(i)));
    }
    assertThatThrownBy(() -> await(again.tell(new Note(99))))
        .isInstanceOfSatisfying(
            CallboardException.class, e -> assertThat(e.code()).isEqualTo(Code.MAILBOX_FULL));
  }

  @Test
  void aTurnThatSendsToOneThatRefusesIsParkedAtLast() throws Exception {
    ActorRef<Note> strict = spawn("/t/strict", WhenFull.REJECT, Future.succeededFuture());
    await(strict.tell(new Note(0)));
    eventually("/t/strict", List.of(0));
    await(callboard.stop("/t/strict"));
    for (int i = 1; i <= LIMIT; i++) {
      await(callboard.durableRef("/t/strict", Note.class).tell(new Note(i)));
    }
    ActorRef<Note> sender = spawn("/t/sender", WhenFull.WAIT, Future.succeededFuture());
    await(sender.tell(new Note(1, "/t/strict", 1)));
    await(sender.tell(new Note(2)));
    eventually("/t/sender", List.of(2));
    assertThat(await(callboard.admin().parked(10)))
        .singleElement()
        .satisfies(
            parked ->
                assertThat(new String(parked.bytes(), StandardCharsets.UTF_8))
                    .contains("the mailbox of /t/strict is full"));
  }

  @Test
  void aDroppedMessageIsADeadLetterAndTheRestOfTheTurnStays() throws Exception {
    ActorRef<Note> lossy = spawn("/t/lossy", WhenFull.DROP, Future.succeededFuture());
    await(lossy.tell(new Note(0)));
    eventually("/t/lossy", List.of(0));
    await(callboard.stop("/t/lossy"));
    for (int i = 1; i <= LIMIT; i++) {
      await(callboard.durableRef("/t/lossy", Note.class).tell(new Note(i)));
    }
    ActorRef<Note> sender = spawn("/t/sender", WhenFull.WAIT, Future.succeededFuture());
    NodeCounts before = callboard.admin().counts();
    await(sender.tell(new Note(1, "/t/lossy", 1)));
    eventually("/t/sender", List.of(1));
    Eventually.assertThat(
        () -> assertThat(callboard.admin().counts().dead()).isEqualTo(before.dead() + 1));
    await(callboard.stop("/t/sender"));
    assertThat(callboard.admin().counts().sent()).as("ours alone").isEqualTo(before.sent() + 1);
  }

  @Test
  void aSenderGoesOnWhileItsMessagesWaitInItsOutboxAndAnotherNodeTakesThemOver() throws Exception {
    ActorRef<Note> full = spawn("/t/full", WhenFull.PARK, Future.succeededFuture());
    await(full.tell(new Note(0)));
    eventually("/t/full", List.of(0));
    await(callboard.stop("/t/full"));
    ActorRef<Note> sender = spawn("/t/sender", WhenFull.WAIT, Future.succeededFuture());
    int count = 5 * LIMIT;
    for (int i = 1; i <= count; i++) {
      await(sender.tell(new Note(i, "/t/full", 1)));
    }
    eventually("/t/sender", upTo(count + 1).subList(1, count + 1));
    await(callboard.close());
    callboard = nodes.open("two");
    // its outbox alone wakes an actor whose mail is all handled
    await(callboard.host("/t", () -> new Notes(Future.succeededFuture()), new ActorOptions()));
    eventually("/t/full", upTo(count + 1));
  }

  @Test
  void actorsThatWaitForEachOtherMove() throws Exception {
    ActorRef<Note> ping = spawn("/t/ping", WhenFull.WAIT, gate.future());
    ActorRef<Note> pong = spawn("/t/pong", WhenFull.WAIT, gate.future());
    int count = 3 * LIMIT;
    for (int i = 0; i < LIMIT; i++) {
      await(ping.tell(new Note(i, "/t/pong", 3)));
      await(pong.tell(new Note(i, "/t/ping", 3)));
    }
    gate.complete();
    Eventually.assertThat(
        () -> {
          assertThat(numbers("/t/ping")).hasSize(LIMIT + count);
          assertThat(numbers("/t/pong")).hasSize(LIMIT + count);
        });
  }

  @Test
  void aTurnReachesMoreReceiversThanOneCommitServes() throws Exception {
    await(callboard.host("/r", () -> new Notes(Future.succeededFuture()), new ActorOptions()));
    ActorRef<Note> sender = spawn("/t/sender", WhenFull.WAIT, Future.succeededFuture());
    await(sender.tell(new Note(7, "/r/n*", 1_000)));
    for (int i = 0; i < 1_000; i++) {
      eventually("/r/n" + i, List.of(7));
    }
  }
}
