package io.callboard.internal.node;

import io.callboard.internal.commit.CommitPort;
import io.callboard.internal.commit.PendingUnit;
import io.callboard.internal.context.NodeContext;
import io.callboard.internal.messaging.MailboxAppender;
import io.callboard.time.Time;
import java.time.Duration;

/** Access of the mailbox appender to its node: commits, time and counters. */
record AppenderPort(NodeContext context, CommitPort commits) implements MailboxAppender.Node {
  @Override
  public void submit(PendingUnit unit) {
    commits.submit(unit);
  }

  @Override
  public long nanoTime() {
    return context.nanoTime();
  }

  @Override
  public long pauseNanos(int failures) {
    return context.pauseNanos(failures);
  }

  @Override
  public Time.Alarm later(long nanos, Runnable task) {
    return context.after(Duration.ofNanos(nanos), task);
  }

  @Override
  public void sent() {
    context.counters().sent.increment();
  }
}
