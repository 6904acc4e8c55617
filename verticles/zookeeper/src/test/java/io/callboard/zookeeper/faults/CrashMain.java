package io.callboard.zookeeper.faults;

import static io.callboard.testkit.Futures.await;

import io.callboard.ActorRef;
import io.callboard.Callboard;
import io.callboard.zookeeper.ZooKeeperStore;
import io.callboard.zookeeper.faults.CrashLoad.Note;
import io.callboard.zookeeper.faults.CrashLoad.Noted;
import io.callboard.zookeeper.faults.CrashPoint.Moment;
import io.callboard.zookeeper.faults.CrashPoint.Step;
import io.vertx.core.Future;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.CountDownLatch;

/**
 * A process that is killed at a crash point. It tells its parent, a line each, what it knows of its
 * notes, and the request that the network is to catch. Ends with its parent.
 */
final class CrashMain {
  /** Begins the lines for the parent. */
  static final String PREFIX = "crash: ";

  /** The request that holds what follows is to be caught. */
  static final String CATCH = "catch ";

  /** The exit code of a process whose fatal note took another way than through the crash point. */
  static final int MISSED = 3;

  /** Line that the parent writes when the network is ready. */
  static final String READY = "ready";

  private final CountDownLatch ready = new CountDownLatch(1);

  private CrashMain() {}

  /**
   * @param arguments servers, step, moment, run
   */
  public static void main(String[] arguments) throws Exception {
    CrashPoint point =
        new CrashPoint(
            Step.valueOf(arguments[1]),
            Moment.valueOf(arguments[2]),
            Integer.parseInt(arguments[3]));
    new CrashMain().run(arguments[0], point);
  }

  private void run(String servers, CrashPoint point) throws Exception {
    Thread parent = new Thread(this::listen, "parent");
    parent.setDaemon(true);
    parent.start();
    CrashingStore store =
        new CrashingStore(
            new ZooKeeperStore(CrashLoad.options(servers, point.cell())), point, this::request);
    Callboard node = CrashLoad.open(() -> store);
    ActorRef<Note> keeper = node.durableRef(CrashLoad.KEEPER, Note.class);
    Step step = point.step();
    if (step.isTakeOver()) {
      await(keeper.tell(CrashLoad.fatal(step)).onSuccess(v -> say("accepted 2")));
      store.arm();
      await(CrashLoad.spawnKeeper(node));
    } else if (step.isInside()) {
      await(CrashLoad.spawnKeeper(node));
      if (step == Step.DIRECT) {
        CrashLoad.warmUp(node);
      }
      await(
          CrashLoad.askByMailbox(node, keeper, CrashLoad.note(1))
              .onSuccess(v -> say("answered 1")));
      store.arm();
      await(tell(node, keeper, step));
      if (step == Step.DIRECT) {
        // answered: on a busy machine, the note got no thread in time and went into the mailbox
        Runtime.getRuntime().halt(MISSED);
      }
    } else {
      await(keeper.tell(CrashLoad.note(1)).onSuccess(v -> say("accepted 1")));
      store.arm();
      await(keeper.tell(CrashLoad.fatal(step)).onSuccess(v -> say("accepted 2")));
    }
    new CountDownLatch(1).await(); // what is to come, comes on other threads
  }

  /** Tells the fatal note. */
  private static Future<?> tell(Callboard node, ActorRef<Note> keeper, Step step) {
    Note fatal = CrashLoad.fatal(step);
    return switch (step) {
      case DIRECT -> keeper.ask(fatal, Noted.class).onSuccess(v -> say("answered 2"));
      case TURN -> CrashLoad.askByMailbox(node, keeper, fatal).onSuccess(v -> say("answered 2"));
      default -> keeper.tell(fatal, CrashLoad.BY_MAILBOX).onSuccess(v -> say("accepted 2"));
    };
  }

  private static synchronized void say(String what) {
    System.out.println(PREFIX + what);
    System.out.flush();
  }

  private void request(String marker) {
    say(CATCH + marker);
    try {
      ready.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    }
  }

  private void listen() {
    try (BufferedReader in =
        new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8))) {
      for (String line = in.readLine(); line != null; line = in.readLine()) {
        if (line.equals(READY)) {
          ready.countDown();
        }
      }
    } catch (IOException e) {
      System.err.println("nothing can be heard of the parent: " + e);
    }
    Runtime.getRuntime().halt(1);
  }
}
