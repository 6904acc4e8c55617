package io.callboard.zookeeper.faults;

import static io.callboard.testkit.Futures.await;

import io.callboard.Actor;
import io.callboard.ActorOptions;
import io.callboard.ActorRef;
import io.callboard.Callboard;
import io.callboard.CallboardOptions;
import io.callboard.DurableStateActor;
import io.callboard.Priority;
import io.callboard.Protocol;
import io.callboard.TellOptions;
import io.callboard.store.Limits;
import io.callboard.store.Store;
import io.callboard.supervision.Backoff;
import io.callboard.zookeeper.access.ZooKeeperOptions;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/** Actors that run in the processes that are killed, and in those that go on. */
final class CrashLoad {
  static final String NODE = "victim";
  static final String HOME = "home";
  static final String KEEPER = "/crash/keeper";

  /** Receivers of a note that is for many: one more than a commit serves. */
  static final int MANY = Limits.RELAY_RECEIVERS + 1;

  private static final int LARGE = 40_000;
  private static final int PATIENCE_S = 60;
  private static final int WARM_UPS = 50;

  /** A message with a priority is never handled before it is stored. */
  static final TellOptions BY_MAILBOX = TellOptions.priority(Priority.HIGH);

  private CrashLoad() {}

  /**
   * @param copies how many receivers get one
   * @param bad whether the keeper fails on it, each time
   * @param form what makes it large
   */
  record Note(long n, int copies, boolean bad, String form) {}

  /** The numbers of the notes, as they were handled. */
  record Noted(List<Long> numbers) {
    Noted and(long n) {
      List<Long> more = new ArrayList<>(numbers);
      more.add(n);
      return new Noted(more);
    }
  }

  static Note note(long n) {
    return new Note(n, 1, false, "");
  }

  /** The note that a process is killed over. */
  static Note fatal(CrashPoint.Step step) {
    return new Note(
        2,
        step.isRelay() ? MANY : 1,
        step == CrashPoint.Step.PARK,
        step.isLarge() ? "x".repeat(LARGE) : "");
  }

  static String copy(int number) {
    return "/copies/c" + number;
  }

  /** Keeps the numbers, passes copies on, and answers. */
  static final class Keeper extends DurableStateActor<Note, Noted> {
    @Override
    protected Noted initial() {
      return new Noted(List.of());
    }

    @Override
    protected void protocol(Protocol<Note> on) {
      on.message(
          Note.class,
          note -> {
            if (note.bad()) {
              throw new IllegalArgumentException("a bad note");
            }
            update(state().and(note.n()));
            for (int i = 0; i < note.copies(); i++) {
              tell(callboard().durableRef(copy(i), Note.class), note(note.n()));
            }
            reply(state());
          });
    }
  }

  /** Keeps the numbers. */
  static final class Copy extends DurableStateActor<Note, Noted> {
    @Override
    protected Noted initial() {
      return new Noted(List.of());
    }

    @Override
    protected void protocol(Protocol<Note> on) {
      on.message(Note.class, note -> update(state().and(note.n())));
    }
  }

  /** Starts a node of that name, as the next process of the same home. */
  static Callboard open(Supplier<Store> store) throws Exception {
    Vertx vertx = Vertx.vertx(new VertxOptions().setEventLoopPoolSize(1).setWorkerPoolSize(1));
    try {
      return Callboard.create(vertx, new CallboardOptions().name(NODE).homeId(HOME).store(store))
          .await(PATIENCE_S, TimeUnit.SECONDS);
    } catch (Exception e) {
      vertx.close().await(PATIENCE_S, TimeUnit.SECONDS);
      throw e;
    }
  }

  static ZooKeeperOptions options(String servers, String cell) {
    return new ZooKeeperOptions(servers, cell, Duration.ofSeconds(15), Duration.ofSeconds(30));
  }

  static Future<?> spawnKeeper(Callboard node) {
    ActorOptions options =
        new ActorOptions()
            .attempts(2)
            .backoff(Backoff.exponential(Duration.ofMillis(5), Duration.ofMillis(5)));
    return node.spawn(KEEPER, Keeper::new, options);
  }

  /** Asks with a message that lies in the mailbox first, since it has a priority. */
  static Future<Noted> askByMailbox(Callboard node, ActorRef<Note> keeper, Note note) {
    Promise<Noted> answer = Promise.promise();
    return node.spawn("/asker-" + note.n(), () -> new Asker(answer))
        .compose(asker -> keeper.tell(note, BY_MAILBOX.withReplyTo(asker)))
        .compose(v -> answer.future());
  }

  /** Gets one answer. */
  static final class Asker extends Actor<Noted> {
    private final Promise<Noted> answer;

    Asker(Promise<Noted> answer) {
      this.answer = answer;
    }

    @Override
    protected void protocol(Protocol<Noted> on) {
      on.message(Noted.class, answer::complete);
    }
  }

  /** Lets what handles a message be compiled; no copies are sent. */
  static void warmUp(Callboard node) throws Exception {
    ActorRef<Note> warm = await(node.spawn("/warm/keeper", Keeper::new, new ActorOptions()));
    for (int i = 0; i < WARM_UPS; i++) {
      Noted unused = await(warm.ask(new Note(0, 0, false, ""), Noted.class));
    }
  }

  /** Starts the receivers of the copies; many are made as they are needed. */
  static Future<?> spawnCopies(Callboard node, CrashPoint.Step step) {
    return step.isRelay()
        ? node.host("/copies", Copy::new, new ActorOptions())
        : node.spawn(copy(0), Copy::new);
  }
}
