package io.callboard.internal.messaging;

import io.callboard.CallboardException;
import io.callboard.CallboardException.Code;
import io.callboard.codecs.ActorPath;
import io.callboard.internal.commit.Append;
import io.callboard.internal.commit.Committer;
import io.callboard.internal.commit.PendingUnit;
import io.callboard.internal.commit.PendingUnit.Result;
import io.callboard.internal.turn.BypassMessage;
import io.callboard.internal.turn.MailboxBypass;
import io.callboard.store.WhenFull;
import io.callboard.time.Time;
import io.vertx.core.Future;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * Appender of messages sent outside of any turn to durable mailboxes. Messages to a full mailbox
 * wait in line, one line for each receiver, so that none overtakes another. Every method is called
 * on the durable context.
 */
public final class MailboxAppender {
  /** Messages of a line that are submitted together to find out whether there is room. */
  private static final int TOGETHER = 256;

  /** Time for which messages wait for the start of their receiver before they go to its mailbox. */
  private static final long START_NANOS = 1_000_000_000L;

  /** Interval of the checks for messages held too long. */
  private static final long EXPIRY_CHECK_NANOS = 1_000_000_000L;

  private final Node node;
  private final Map<ActorPath, Line> lines = new HashMap<>();
  private final Map<ActorPath, Integer> underWay = new HashMap<>();
  private int waiting;
  private int direct;
  private boolean closed;

  /** The node, as far as the appender needs it. */
  public interface Node {
    void submit(PendingUnit pendingUnit);

    long nanoTime();

    /** Returns the wait for room after that many failures in a row, in nanoseconds. */
    long pauseNanos(int failures);

    /** Runs {@code task} on the durable context after {@code nanos}. */
    Time.Alarm later(long nanos, Runnable task);

    /** Counts one more durable message. */
    void sent();
  }

  private static final class Line {
    private final Deque<Append> waiting = new ArrayDeque<>();
    private final List<Append> returned = new ArrayList<>();
    private int underWay;
    private int failures;
    private boolean held;
  }

  public MailboxAppender(Node node) {
    this.node = node;
  }

  /**
   * Sends a message: past the mailbox if the receiver takes it so, else into the mailbox. The
   * receiver is asked only while no earlier message to it waits in line or is under way; while it
   * starts, the message waits for it.
   */
  public void send(Append append, BypassTarget bypass) {
    boolean first = !underWay.containsKey(append.to()) && !lines.containsKey(append.to());
    if (!first || !bypass.handles(append, direct < Committer.MOST_WAITING)) {
      if (first && !closed) {
        bypass.starts(append.to()).ifPresent(up -> awaitStart(append.to(), up, bypass));
      }
      add(append);
    }
  }

  /** Opens a line of messages that wait for the start of their receiver. */
  private void awaitStart(ActorPath to, Future<Void> up, BypassTarget bypass) {
    Line line = new Line();
    if (lines.putIfAbsent(to, line) == null) {
      Time.Alarm limit = node.later(START_NANOS, () -> release(to, line, this::add));
      up.onComplete(
          done -> {
            limit.cancel();
            release(to, line, append -> send(append, bypass));
          });
    }
  }

  /** Closes a line of messages that waited for a start, and sends them on in their order. */
  private void release(ActorPath to, Line line, Consumer<Append> further) {
    if (lines.remove(to, line)) {
      waiting -= line.waiting.size();
      line.waiting.forEach(further);
    }
  }

  private void add(Append append) {
    Line line = lines.get(append.to());
    if (line == null) {
      submit(append);
    } else {
      enqueue(line.waiting, append);
    }
  }

  private void enqueue(Collection<Append> line, Append append) {
    if (closed) {
      append.done().fail(CallboardException.stopped("the node"));
    } else if (waiting >= Committer.MOST_WAITING) {
      append.done().fail(CallboardException.mailboxFull(append.to()));
    } else {
      waiting++;
      line.add(append);
    }
  }

  private void submit(Append append) {
    submit(append, result -> settled(append, result));
  }

  private void submit(Append append, Consumer<Result> settled) {
    underWay.merge(append.to(), 1, Integer::sum);
    node.submit(
        new PendingUnit(
            append.unit(),
            Optional.empty(),
            result -> {
              underWay.computeIfPresent(append.to(), (to, n) -> n == 1 ? null : n - 1);
              settled.accept(result);
            }));
  }

  /**
   * Returns the outlet of an actor's mailbox bypass into its mailbox.
   *
   * @param goOn called when the actor may have something new to decide
   */
  public MailboxBypass.Outlet outlet(ActorPath to, MailboxBypass mail, Runnable goOn) {
    return new MailboxBypass.Outlet() {
      @Override
      public void taken() {
        direct++;
      }

      @Override
      public void hold() {
        Line line = new Line();
        if (lines.putIfAbsent(to, line) == null) {
          line.held = true;
          expireLater(to, line);
        }
      }

      @Override
      public void put(BypassMessage message) {
        direct--;
        submit(message.append(), result -> stored(message, result));
      }

      @Override
      public void release(List<BypassMessage> messages) {
        direct -= (int) messages.stream().filter(BypassMessage::isHere).count();
        MailboxAppender.this.release(to, messages.stream().map(BypassMessage::append).toList());
      }

      private void stored(BypassMessage message, Result result) {
        if (mail.stored(message, result)) {
          goOn.run();
        } else {
          settled(message.append(), result);
        }
      }

      @Override
      public void ended(BypassMessage message, Result result) {
        direct -= message.isHere() ? 1 : 0;
        settled(message.append(), result);
      }
    };
  }

  /** Fails held messages after as long a wait as those that wait for room. */
  private void expireLater(ActorPath to, Line line) {
    Time.Alarm unused =
        node.later(
            EXPIRY_CHECK_NANOS,
            () -> {
              if (line.held) {
                List<Append> late =
                    line.waiting.stream()
                        .filter(append -> append.untilNanos() - node.nanoTime() <= 0)
                        .toList();
                line.waiting.removeAll(late);
                waiting -= late.size();
                late.forEach(append -> append.done().fail(CallboardException.mailboxFull(to)));
                expireLater(to, line);
              }
            });
  }

  /**
   * Submits the messages that were held, behind {@code first}; all together, for nothing says that
   * there is no room.
   */
  private void release(ActorPath to, List<Append> first) {
    Line line = lines.get(to);
    if (line == null) {
      first.forEach(this::submit);
    } else if (!line.held) {
      first.forEach(append -> enqueue(line.waiting, append)); // it waits for room by now
    } else {
      lines.remove(to);
      line.held = false;
      first.forEach(this::submit);
      waiting -= line.waiting.size();
      line.waiting.forEach(this::submit);
    }
  }

  private void settled(Append append, Result result) {
    Line line = lines.get(append.to());
    if (result instanceof Result.Full full) {
      if (full.whenFull() == WhenFull.REJECT || full.whenFull() == WhenFull.DROP) {
        append.done().fail(CallboardException.mailboxFull(append.to()));
      } else if (line == null) {
        Line opened = new Line();
        lines.put(append.to(), opened);
        enqueue(opened.waiting, append);
        pause(append.to(), opened);
      } else {
        enqueue(line.underWay > 0 ? line.returned : line.waiting, append);
      }
    } else {
      settle(append, result);
    }
    if (line != null && line.underWay > 0 && --line.underWay == 0) {
      goOn(append.to(), line);
    }
  }

  private void settle(Append append, Result result) {
    if (result instanceof Result.Committed) {
      node.sent();
      append.done().complete();
    } else {
      append.done().fail(failure(append.to(), result));
    }
  }

  /** Returns the failure that the sender of a message gets that did not become durable. */
  public static CallboardException failure(ActorPath to, Result result) {
    if (result instanceof Result.Failed failed) {
      return switch (failed.reason()) {
        case FULL -> new CallboardException(Code.MAILBOX_FULL, failed.detail());
        case UNSENDABLE -> new CallboardException(Code.BAD_MESSAGE, failed.detail());
        case TOO_LARGE -> new CallboardException(Code.PAYLOAD_TOO_LARGE, failed.detail());
        case DENIED -> new CallboardException(Code.DENIED, failed.detail());
        case CORRUPT -> new CallboardException(Code.UNAVAILABLE, failed.detail());
        case STALE ->
            new CallboardException(
                Code.UNAVAILABLE,
                "the body of the message to %s: %s".formatted(to, failed.detail()));
        default -> new CallboardException(Code.STOPPED, failed.detail());
      };
    } else if (result instanceof Result.Unknown unknown) {
      return new CallboardException(Code.STOPPED, unknown.detail());
    }
    return CallboardException.mailboxFull(to);
  }

  private void pause(ActorPath to, Line line) {
    line.failures++;
    Time.Alarm unused = node.later(node.pauseNanos(line.failures), () -> tryAgain(to, line));
  }

  /** Goes on with the line once all messages submitted together are settled. */
  private void goOn(ActorPath to, Line line) {
    if (line.returned.isEmpty()) {
      line.failures = 0;
      tryAgain(to, line);
      return;
    }
    for (int i = line.returned.size() - 1; i >= 0; i--) {
      line.waiting.addFirst(line.returned.get(i));
    }
    line.returned.clear();
    pause(to, line);
  }

  private void tryAgain(ActorPath to, Line line) {
    List<Append> together = new ArrayList<>();
    while (together.size() < TOGETHER && !line.waiting.isEmpty()) {
      Append next = line.waiting.removeFirst();
      waiting--;
      if (next.untilNanos() - node.nanoTime() <= 0) {
        next.done().fail(CallboardException.mailboxFull(to));
      } else {
        together.add(next);
      }
    }
    if (together.isEmpty()) {
      lines.remove(to, line);
      return;
    }
    line.underWay = together.size();
    together.forEach(this::submit);
  }

  /** Fails the messages in line: the node stops. */
  public void close() {
    closed = true;
    waiting = 0;
    for (Line line : lines.values()) {
      line.held = false;
      stopped(line.returned);
      stopped(line.waiting);
    }
  }

  private static void stopped(Collection<Append> appends) {
    appends.forEach(append -> append.done().fail(CallboardException.stopped("the node")));
    appends.clear();
  }
}
