package io.callboard.testkit.durable;

import static io.callboard.testkit.Futures.await;
import static org.assertj.core.api.Assertions.assertThat;

import io.callboard.ActorOptions;
import io.callboard.ActorRef;
import io.callboard.Callboard;
import io.callboard.DurableStateActor;
import io.callboard.Protocol;
import io.callboard.admin.ActorStatus;
import io.callboard.codecs.ActorPath;
import io.callboard.internal.outbox.Outbox;
import io.callboard.store.Commit;
import io.callboard.store.CommitOutcome.Reason;
import io.callboard.store.CommitOutcome.Refused;
import io.callboard.store.Store;
import io.callboard.store.WhenFull;
import io.callboard.store.memory.MemoryStore;
import io.callboard.testkit.Eventually;
import io.callboard.testkit.Intercepted;
import io.callboard.testkit.LogCapture;
import io.callboard.testkit.NodesExtension;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Test of senders whose outbox has messages to a mailbox that cannot be read any more. */
class DamagedReceiverTest {
  private static final ActorPath BROKEN = ActorPath.of("/t/broken");
  private static final int LIMIT = 10;

  @RegisterExtension final NodesExtension nodes = new NodesExtension();
  private final Promise<Void> gate = Promise.promise();
  private final List<Integer> received = new CopyOnWriteArrayList<>();
  private final List<Integer> passed = new CopyOnWriteArrayList<>();
  private final AtomicLong refusals = new AtomicLong();
  private volatile boolean damaged;
  private volatile Reason reason = Reason.CORRUPT;
  private Callboard callboard;

  record Note(int number, String pass, int copies) {
    Note(int number) {
      this(number, "", 0);
    }
  }

  record Seen(int number) {}

  /** Actor that passes copies of its notes on. Its turns wait for a gate. */
  static final class Passing extends DurableStateActor<Note, Seen> {
    private final Future<Void> gate;
    private final List<Integer> handled;

    Passing(Future<Void> gate, List<Integer> handled) {
      this.gate = gate;
      this.handled = handled;
    }

    @Override
    protected Seen initial() {
      return new Seen(0);
    }

    @Override
    protected void protocol(Protocol<Note> on) {
      on.async(Note.class, note -> inTurn(gate).onSuccess(v -> pass(note)));
    }

    private void pass(Note note) {
      update(new Seen(note.number()));
      for (int i = 0; i < note.copies(); i++) {
        tell(callboard().durableRef(note.pass(), Note.class), new Note(note.number()));
      }
      afterCommit(() -> handled.add(note.number()));
    }
  }

  @BeforeEach
  void start() {
    callboard =
        nodes.open("one", options -> options.store(() -> store(new MemoryStore(nodes.cell()))));
  }

  @AfterEach
  void stop() {
    boolean unused = gate.tryComplete();
  }

  /** Forwards to the store, which cannot read the broken mailbox while it is damaged. */
  private Store store(Store memory) {
    return Intercepted.of(
        Store.class,
        memory,
        call -> {
          if (damaged && call.is("commit")) {
            Commit commit = (Commit) call.arguments().get(0);
            for (int i = 0; i < commit.units().size(); i++) {
              if (commit.units().get(i).outgoing().containsKey(BROKEN)) {
                refusals.incrementAndGet();
                return Future.succeededFuture(Refused.to(BROKEN, i, reason, "it is damaged"));
              }
            }
          }
          return call.proceed();
        });
  }

  private ActorRef<Note> spawn(String path, Future<Void> when, List<Integer> handled) {
    ActorOptions options =
        new ActorOptions().mailboxLimit(LIMIT).whenFull(WhenFull.PARK).attempts(2);
    return await(callboard.spawn(path, () -> new Passing(when, handled), options));
  }

  /** Fills the mailbox that will be damaged; what is told to it then stays with its senders. */
  private void fill() {
    ActorRef<Note> broken = spawn(BROKEN.toString(), gate.future(), received);
    for (int i = 0; i < LIMIT; i++) {
      await(broken.tell(new Note(i)));
    }
  }

  private ActorStatus status(ActorRef<?> actor) {
    return callboard.admin().running(actor.path()).orElseThrow();
  }

  @ParameterizedTest
  @EnumSource(names = {"CORRUPT", "DENIED", "STALE"})
  void itsMessagesWaitAndAllOthersGoOn(Reason what) {
    reason = what;
    fill();
    ActorRef<Note> sender = spawn("/t/sender", Future.succeededFuture(), passed);
    List<Integer> heard = new CopyOnWriteArrayList<>();
    ActorRef<Note> sound = spawn("/t/sound", Future.succeededFuture(), heard);
    await(sender.tell(new Note(LIMIT, BROKEN.toString(), 1)));
    Eventually.assertThat(() -> assertThat(passed).containsExactly(LIMIT));
    try (LogCapture log = LogCapture.of("io.callboard.internal.durable.RelayDriver")) {
      damaged = true;
      Eventually.assertThat(() -> assertThat(refusals).hasPositiveValue());
      await(sender.tell(new Note(LIMIT + 1, BROKEN.toString(), 1)));
      for (int i = 0; i < 50; i++) {
        await(sender.tell(new Note(100 + i, sound.path().toString(), 1)));
      }
      Eventually.assertThat(() -> assertThat(heard).hasSize(50));
      Eventually.assertThat(() -> assertThat(refusals).hasValueGreaterThan(2));
      assertThat(log.lines())
          .as("it is reported once")
          .filteredOn(line -> line.text().contains("it is damaged"))
          .singleElement()
          .satisfies(line -> assertThat(line.text()).contains("/t/sender", BROKEN.toString()));
    }
    assertThat(status(sender).failures()).isZero();
    damaged = false;
    gate.complete();
    Eventually.assertThat(
        () ->
            assertThat(received)
                .containsExactlyElementsOf(IntStream.rangeClosed(0, LIMIT + 1).boxed().toList()));
  }

  /** The turn that sends to it is committed, and what waits is counted and shown. */
  @ParameterizedTest
  @EnumSource(names = {"CORRUPT", "DENIED"})
  void theTurnThatFindsItGoesOnAndItsMessageWaits(Reason what) {
    reason = what;
    ActorRef<Note> broken = spawn(BROKEN.toString(), Future.succeededFuture(), received);
    ActorRef<Note> sender = spawn("/t/sender", Future.succeededFuture(), passed);
    await(broken.tell(new Note(1)));
    damaged = true;
    await(sender.tell(new Note(2, BROKEN.toString(), 2)));
    await(sender.tell(new Note(3)));
    Eventually.assertThat(() -> assertThat(passed).containsExactly(2, 3));
    assertThat(status(sender).failures()).isZero();
    assertThat(callboard.admin().stuckMail())
        .singleElement()
        .satisfies(
            stuck -> {
              assertThat(stuck.sender()).isEqualTo(sender.path());
              assertThat(stuck.receiver()).isEqualTo(BROKEN);
              assertThat(stuck.messages()).isEqualTo(2);
              assertThat(stuck.why()).contains("it is damaged");
            });
    assertThat(callboard.admin().metrics().stuckMessages()).isEqualTo(2);
    damaged = false;
    Eventually.assertThat(() -> assertThat(received).containsExactly(1, 2, 2));
    Eventually.assertThat(() -> assertThat(callboard.admin().stuckMail()).isEmpty());
  }

  /** A turn that would wait until an operator acts is refused, and its message parked. */
  @Test
  void anOutboxThatIsFullOfItKeepsTheActorFromNothingElse() {
    fill();
    ActorRef<Note> sender = spawn("/t/sender", Future.succeededFuture(), passed);
    await(sender.tell(new Note(LIMIT, BROKEN.toString(), Outbox.MOST_MESSAGES)));
    Eventually.assertThat(() -> assertThat(passed).containsExactly(LIMIT));
    damaged = true;
    Eventually.assertThat(() -> assertThat(refusals).hasPositiveValue());
    await(sender.tell(new Note(LIMIT + 1, BROKEN.toString(), 1)));
    await(sender.tell(new Note(LIMIT + 2)));
    Eventually.assertThat(() -> assertThat(passed).containsExactly(LIMIT, LIMIT + 2));
    assertThat(await(callboard.admin().parked(10)))
        .singleElement()
        .satisfies(
            parked ->
                assertThat(new String(parked.bytes(), StandardCharsets.UTF_8))
                    .contains("the outbox has no room", BROKEN.toString()));
    assertThat(status(sender).state()).isEqualTo(ActorStatus.State.RUNNING);
  }
}
