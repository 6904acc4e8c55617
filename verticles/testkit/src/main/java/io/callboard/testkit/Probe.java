package io.callboard.testkit;

import com.google.errorprone.annotations.CanIgnoreReturnValue;
import io.callboard.ActorRef;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * A test's actor: other actors send it messages, and the test states its expectations.
 *
 * <pre>{@code
 * Probe<Greeting> probe = probes.probe(Greeting.class);
 * greeter.tell(new Greet("Ann"), TellOptions.replyTo(probe.ref()));
 * probe.expectMessage(new Greeting("Hello, Ann"));
 * probe.expectNoMessage();
 * }</pre>
 *
 * <p>Messages are taken in the order of their arrival. The last one taken can be answered with
 * {@link #reply} until the next is expected. For use by one thread that is not a Vert.x thread.
 */
public final class Probe<M> {
  /** Time for which {@link #expectNoMessage()} waits where messages may come by real time. */
  public static final Duration SILENCE = Duration.ofMillis(100);

  private static final int REMEMBERED = 10;

  private final Probes probes;
  private final ActorRef<M> ref;
  private final BlockingQueue<ProbeActor.Received<M>> received;
  private final Deque<Object> before = new ArrayDeque<>();
  private ProbeActor.@Nullable Received<M> current;

  Probe(Probes probes, ActorRef<M> ref, BlockingQueue<ProbeActor.Received<M>> received) {
    this.probes = probes;
    this.ref = ref;
    this.received = received;
  }

  /** Returns the ref to which other actors send messages. */
  public ActorRef<M> ref() {
    return ref;
  }

  /** Waits for the next message of any type, and takes it. */
  @CanIgnoreReturnValue
  public M expectMessage() {
    return next("a message");
  }

  /** Waits for the next message, which must be of that type, and takes it. */
  @CanIgnoreReturnValue
  public <T extends M> T expectMessage(Class<T> type) {
    M message = next("a " + type.getSimpleName());
    if (!type.isInstance(message)) {
      throw instead("a " + type.getSimpleName(), message);
    }
    return type.cast(message);
  }

  /** Waits for the next message, which must be equal to {@code expected}, and takes it. */
  @CanIgnoreReturnValue
  public M expectMessage(M expected) {
    M message = next(expected.toString());
    if (!message.equals(expected)) {
      throw instead(expected.toString(), message);
    }
    return message;
  }

  /** Waits for the next message of that type, and takes it; those before it are skipped. */
  @CanIgnoreReturnValue
  public <T extends M> T fishFor(Class<T> type) {
    return fishFor(type, message -> true);
  }

  /**
   * Waits for the next message of that type that {@code wanted} accepts, and takes it; those before
   * it are skipped. The patience covers the whole wait.
   */
  @CanIgnoreReturnValue
  public <T extends M> T fishFor(Class<T> type, Predicate<? super T> wanted) {
    WaitLimit wait = WaitLimit.of(probes.patience());
    List<Object> others = new ArrayList<>();
    while (true) {
      M message = poll(wait.leftNs());
      if (message == null) {
        throw new AssertionError(
            "no matching %s arrived at %s within %s, but %s"
                .formatted(type.getSimpleName(), ref, probes.patience(), others));
      } else if (type.isInstance(message) && wanted.test(type.cast(message))) {
        return type.cast(message);
      }
      others.add(message);
    }
  }

  /**
   * Asserts that no message comes. With {@link Probes#stillness(Stillness)} it waits until the node
   * has come to rest; then for {@link #SILENCE}, unless the node's time stands still ({@link
   * Probes#time(ManualTime)}).
   */
  public void expectNoMessage() {
    finish();
    probes.stillness().ifPresent(Stillness::await);
    expectNoMessage(probes.silence());
  }

  /** Asserts that no message comes within that real time. */
  public void expectNoMessage(Duration wait) {
    M message = poll(wait.toNanos());
    if (message != null) {
      throw instead("no message", message);
    }
  }

  /**
   * Answers the message that was taken last: to the future or the actor that waits for it.
   *
   * @throws IllegalStateException if none was taken, or it was answered already
   */
  public void reply(Object answer) {
    if (current == null) {
      throw new IllegalStateException(
          "%s has no message to answer: expect one first".formatted(ref));
    }
    current.reply(answer);
    finish();
  }

  /**
   * Asserts that a volatile actor has ended, or ends within the patience: it was stopped, given up
   * by its supervisor, or never existed. Needs no watch before.
   *
   * @return the cause of its end
   */
  @CanIgnoreReturnValue
  public String expectTerminated(ActorRef<?> actor) {
    return probes.end(actor);
  }

  private M next(String what) {
    M message = poll(WaitLimit.stretched(probes.patience()).toNanos());
    if (message == null) {
      throw new AssertionError(
          "expected %s, but nothing arrived at %s within %s%s"
              .formatted(what, ref, probes.patience(), before()));
    }
    return message;
  }

  private AssertionError instead(String what, Object message) {
    return new AssertionError(
        "expected %s, but %s received %s%s".formatted(what, ref, message, before()));
  }

  private String before() {
    List<Object> earlier = new ArrayList<>(before);
    if (current != null && !earlier.isEmpty()) {
      earlier.remove(earlier.size() - 1);
    }
    return earlier.isEmpty() ? "" : "; received before: " + earlier;
  }

  private void finish() {
    if (current != null) {
      current.done();
      current = null;
    }
  }

  private @Nullable M poll(long nanos) {
    finish();
    try {
      current = received.poll(nanos, TimeUnit.NANOSECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new AssertionError("interrupted while waiting for a message to " + ref, e);
    }
    if (current == null) {
      return null;
    }
    before.addLast(current.message());
    if (before.size() > REMEMBERED) {
      Object unused = before.removeFirst();
    }
    return current.message();
  }

  @Override
  public String toString() {
    return "probe " + ref;
  }
}
