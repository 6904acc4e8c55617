package io.callboard.internal.messaging;

import io.callboard.admin.DeadLetter;
import io.callboard.codecs.ActorPath;
import io.callboard.codecs.Envelope;
import io.callboard.codecs.MessageType;
import io.callboard.internal.context.NodeContext;
import io.callboard.internal.mailbox.Delivery;
import io.callboard.supervision.Causes;
import io.vertx.core.Context;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Consumer;
import java.util.function.IntConsumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reporter of dead letters: counts each, logs the first of every ten seconds, and calls listeners
 * on a context of their own. What a storm costs is bounded: {@value #MOST_WAITING} letters wait for
 * listeners, {@link Brake#MOST} lines are logged in ten seconds, and as many about listeners that
 * fail; of those beyond the limits the number is logged. Thread-safe.
 */
public final class DeadLetters {
  static final int MOST_WAITING = 1_000;
  private static final int SLICE = 64;
  private static final Logger log = LoggerFactory.getLogger(DeadLetters.class);

  private final NodeContext node;
  private final LongAdder counted;
  private final Context context;
  private final List<Consumer<DeadLetter>> listeners = new CopyOnWriteArrayList<>();
  private final Queue<DeadLetter> waiting = new ConcurrentLinkedQueue<>();
  private final AtomicInteger places = new AtomicInteger(MOST_WAITING);
  private final AtomicInteger unreported = new AtomicInteger();
  private final AtomicInteger drains = new AtomicInteger();
  private final Brake brake = new Brake();
  private final Brake failures = new Brake();

  /**
   * @param context on which listeners are called
   */
  public DeadLetters(NodeContext node, LongAdder counted, Context context) {
    this.node = node;
    this.counted = counted;
    this.context = context;
  }

  /**
   * Calls {@code listener} for each dead letter from now on.
   *
   * @return removes the listener
   */
  public Runnable listen(Consumer<DeadLetter> listener) {
    Consumer<DeadLetter> own = listener::accept; // the same may listen twice
    listeners.add(own);
    return () -> listeners.remove(own);
  }

  /**
   * @param sender null if it is not known
   */
  public void add(ActorPath receiver, @Nullable ActorPath sender, Object message, Throwable cause) {
    add(
        new DeadLetter(
            receiver.toString(),
            sender == null ? null : sender.toString(),
            MessageType.of(message.getClass()),
            null,
            message,
            cause));
  }

  /** Adds a message of a durable mailbox, or one on its way there. */
  public void add(
      ActorPath receiver, @Nullable ActorPath sender, Envelope message, Throwable cause) {
    add(
        new DeadLetter(
            receiver.toString(),
            sender == null ? message.id().sender() : sender.toString(),
            message.type(),
            message.id(),
            message.message(),
            cause));
  }

  /** Adds a message in memory that nobody will handle, and fails its ask with the cause. */
  public void lose(ActorPath receiver, Object item, Throwable why) {
    Delivery lost = Delivery.from(item);
    lost.lost(why);
    add(receiver, lost.sender(), lost.message(), why);
  }

  /**
   * Loses a message of a durable actor to itself. It is a dead letter if another life would have
   * handled it, and none if it ends with its life, or with the stay of its actor on this node.
   *
   * @param forGood whether that stay ends
   */
  public void loseOwn(ActorPath actor, Delivery own, boolean forGood, Throwable cause) {
    if (forGood ? own.endsWithItsActor() : own.endsWithItsLife()) {
      ended(actor, own);
    } else {
      add(actor, actor, own.message(), cause);
    }
  }

  /** Logs a message of an actor to itself that has ended with it, and is no dead letter. */
  public void ended(ActorPath actor, Delivery own) {
    log.debug("{} has ended before its {}", actor, MessageType.of(own.message().getClass()).name());
  }

  void add(DeadLetter letter) {
    counted.increment();
    if (mayWrite(brake, "dead letters")) {
      log(letter);
    }
    if (!listeners.isEmpty()) {
      offer(letter);
    }
  }

  private static void log(DeadLetter letter) {
    log.warn(
        "dead letter: {}{} from {} for {}: {}",
        letter.type().name(),
        letter.id() == null ? "" : " " + letter.id(),
        letter.sender() == null ? "an unknown sender" : letter.sender(),
        letter.receiver(),
        Causes.text(letter.cause()));
  }

  /**
   * Returns whether a line may be written to the log. The number of those that may not is logged
   * when the window ends.
   *
   * @param what the subject of the lines
   */
  private boolean mayWrite(Brake lines, String what) {
    return lines.mayWrite(node, count -> log.warn("{} more {} in the last seconds", count, what));
  }

  private void offer(DeadLetter letter) {
    if (places.decrementAndGet() < 0) {
      places.incrementAndGet();
      unreported.incrementAndGet();
      return;
    }
    waiting.add(readable(letter));
    if (drains.getAndIncrement() == 0) {
      context.runOnContext(v -> drain());
    }
  }

  /** Returns the letter with a cause that each listener can read. */
  private static DeadLetter readable(DeadLetter letter) {
    Throwable cause = Causes.readable(letter.cause());
    return cause == letter.cause()
        ? letter
        : new DeadLetter(
            letter.receiver(),
            letter.sender(),
            letter.type(),
            letter.id(),
            letter.message(),
            cause);
  }

  private void drain() {
    int before = drains.get();
    int reported = 0;
    for (DeadLetter next = take(); next != null; next = take()) {
      tell(next);
      if (++reported >= SLICE) {
        context.runOnContext(v -> drain());
        return;
      }
    }
    int missed = unreported.getAndSet(0);
    if (missed > 0) {
      log.warn(
          "{} dead letters were not reported to the listeners, which are too "
              + "slow: {} waited already",
          missed,
          MOST_WAITING);
    }
    if (drains.addAndGet(-before) > 0) {
      context.runOnContext(v -> drain());
    }
  }

  private @Nullable DeadLetter take() {
    DeadLetter next = waiting.poll();
    if (next != null) {
      places.incrementAndGet();
    }
    return next;
  }

  private void tell(DeadLetter letter) {
    for (Consumer<DeadLetter> listener : listeners) {
      try {
        listener.accept(letter);
      } catch (RuntimeException | LinkageError | AssertionError e) {
        if (mayWrite(failures, "failures of listeners for dead letters")) {
          log.error(
              "a listener for dead letters failed to handle {}",
              letter.type().name(),
              Causes.readable(e));
        }
      }
    }
  }

  /** Rate limit of log lines: the first {@value #MOST} of each window are written. Thread-safe. */
  public static final class Brake {
    static final int MOST = 20;
    static final long WINDOW_NANOS = 10_000_000_000L;
    private boolean begun;
    private long beganNanos;
    private int written;
    private int heldBack;

    /** Verdict on a line. */
    enum Line {
      WRITTEN,
      /** The first held back since {@link #heldBack()} was called. */
      FIRST_HELD_BACK,
      HELD_BACK
    }

    /**
     * Returns whether a line may be written to the log.
     *
     * @param whenOver called at the end of the window with the number of lines held back
     */
    public boolean mayWrite(NodeContext node, IntConsumer whenOver) {
      Line line = next(node.nanoTime());
      if (line == Line.FIRST_HELD_BACK) {
        node.afterMillis(WINDOW_NANOS / 1_000_000, () -> whenOver.accept(heldBack()));
      }
      return line == Line.WRITTEN;
    }

    synchronized Line next(long nowNanos) {
      if (!begun || nowNanos - beganNanos >= WINDOW_NANOS) {
        begun = true;
        beganNanos = nowNanos;
        written = 0;
      }
      if (written < MOST) {
        written++;
        return Line.WRITTEN;
      }
      return ++heldBack == 1 ? Line.FIRST_HELD_BACK : Line.HELD_BACK;
    }

    /** Returns the number of lines held back since the last call. */
    synchronized int heldBack() {
      int count = heldBack;
      heldBack = 0;
      return count;
    }
  }
}
