package io.callboard.bootstrap.process;

import io.callboard.bootstrap.config.StartupFailure;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import sun.misc.Signal;

/**
 * End of this process: by a signal, after a stop in order, with code 0; by a failure with its own
 * code.
 *
 * <p>A JVM that SIGTERM ends would exit with 143; the hook halts with the right code instead.
 */
public final class ShutdownHook {
  private static final AtomicInteger CODE = new AtomicInteger();
  private static final AtomicBoolean STOPS = new AtomicBoolean();
  private static final AtomicReference<@Nullable Runnable> STOP = new AtomicReference<>();
  private static final CountDownLatch NEVER = new CountDownLatch(1);

  private ShutdownHook() {}

  /**
   * Registers {@code stop} to run once when the process ends, whatever the cause, in place of what
   * was registered before; it must take a bounded time.
   */
  public static void beforeExit(Runnable stop) {
    if (STOP.getAndSet(stop) != null) {
      return;
    }
    Runtime.getRuntime()
        .addShutdownHook(
            new Thread(
                () -> {
                  STOPS.set(true);
                  Objects.requireNonNull(STOP.get()).run();
                  Runtime.getRuntime().halt(CODE.get());
                },
                "callboard-stop"));
  }

  /** Replaces the effect of SIGTERM and Ctrl-C, for a process that is ending already. */
  public static void onSignal(Runnable action) {
    for (String name : List.of("TERM", "INT")) {
      try {
        var unused = Signal.handle(new Signal(name), signal -> action.run());
      } catch (IllegalArgumentException | LinkageError e) { // with -Xrs, or without jdk.unsupported
        // not a constant: a command that lives for a moment would wait for its configuration
        Logger log = LoggerFactory.getLogger(ShutdownHook.class);
        log.info(
            "a second SIG{} cannot be handled, it does not end the wait for job runs: {}",
            name,
            e.toString());
      }
    }
  }

  /** Ends the process with code 1 after a failure that cannot be repaired. */
  public static void fail() {
    CODE.set(StartupFailure.FAILED);
    // Not on the caller's thread: it may be one that the stop must wait for.
    Thread exit = new Thread(() -> System.exit(StartupFailure.FAILED), "callboard-fail");
    exit.setDaemon(true);
    exit.start();
  }

  /** Waits until the process ends. */
  public static void await() throws InterruptedException {
    NEVER.await();
  }

  /** Ends the process; with the code of what ends it already, if something does. */
  public static void exit(int code) {
    if (!STOPS.get()) {
      CODE.set(code);
    }
    System.exit(code);
  }
}
