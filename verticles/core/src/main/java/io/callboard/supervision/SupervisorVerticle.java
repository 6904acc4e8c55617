package io.callboard.supervision;

import io.callboard.Time;
import io.callboard.supervision.Supervisor.Directive;
import io.vertx.core.Future;
import io.vertx.core.VerticleBase;
import io.vertx.core.internal.ContextInternal;
import io.vertx.core.internal.deployment.DeploymentContext;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.function.BiFunction;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Carries the supervisors of a failure zone. All its work is done on its own context, in the
 * supervision zone, so that a busy zone cannot delay a restart. Its timers are of a thread of its
 * own, so that a blocked event loop cannot either.
 */
public final class SupervisorVerticle extends VerticleBase {
  private static final Logger log = LoggerFactory.getLogger(SupervisorVerticle.class);

  private final Time time;
  private final RandomGenerator random;
  private final Map<Supervised, Child> children = new HashMap<>();
  private final @Nullable OwnTimers timers;
  private volatile boolean stopping;

  public SupervisorVerticle(Time time, RandomGenerator random) {
    this.timers = time == Time.SYSTEM ? new OwnTimers() : null;
    this.time = timers == null ? time : timers;
    this.random = random;
  }

  /** A restart that was asked for; not done if another one, or none, is due when it comes. */
  private static final class Due {
    final Supervised supervised;
    final Child child;

    Due(Supervised supervised, Child child) {
      this.supervised = supervised;
      this.child = child;
    }
  }

  private static final class Child {
    final Supervisor supervisor;
    @Nullable Due due;
    Time.@Nullable Alarm alarm;

    Child(Supervisor supervisor) {
      this.supervisor = supervisor;
    }
  }

  /** Of this verticle's deployment; null before it. */
  public @Nullable String deploymentId() {
    return context == null ? null : context.deploymentID();
  }

  /** Below which the children are, as Vert.x sees it. Once it is deployed. */
  public DeploymentContext deployment() {
    return Objects.requireNonNull(((ContextInternal) context).deployment(), "deployed");
  }

  /** What ends from now on does so because all does. Any thread. */
  public void ends() {
    stopping = true;
  }

  @Override
  public Future<?> stop() {
    stopping = true;
    children.values().forEach(SupervisorVerticle::cancel);
    children.clear();
    if (timers != null) {
      timers.close();
    }
    return Future.succeededFuture();
  }

  /** The child has started. Nothing is known of one that has not failed, nor kept of it. */
  public void started(Supervised child) {
    context.runOnContext(
        v -> {
          Child known = children.get(child);
          if (known != null) {
            known.supervisor.started(time.nanoTime());
          }
        });
  }

  /** The child failed and does not run any more. */
  public void failed(Supervised child, Throwable cause) {
    context.runOnContext(v -> decide(child, cause, Supervisor::failed));
  }

  /** The child does not run any more because what it needs is not there, for now. */
  public void interrupted(Supervised child, Throwable cause) {
    context.runOnContext(v -> decide(child, cause, Supervisor::interrupted));
  }

  /** The child failed and does not run any more, and to start it again is of no use. */
  public void failedForGood(Supervised child, Throwable cause) {
    context.runOnContext(
        v -> {
          if (!stopping) {
            cancelDue(child);
            rest(child, String.valueOf(cause.getMessage()), cause);
          }
        });
  }

  /** The child is to run again, now. */
  public void resume(Supervised child) {
    context.runOnContext(
        v -> {
          cancelDue(child);
          Child known = children.get(child);
          if (known != null) {
            known.supervisor.resumed();
          }
          child.restart();
        });
  }

  /** The child was stopped on purpose. */
  public void forget(Supervised child) {
    context.runOnContext(
        v -> {
          Child known = children.remove(child);
          if (known != null) {
            cancel(known);
          }
        });
  }

  private Child child(Supervised supervised) {
    return children.computeIfAbsent(
        supervised, s -> new Child(new Supervisor(s.supervision(), random)));
  }

  private void decide(
      Supervised supervised, Throwable cause, BiFunction<Supervisor, Long, Directive> machine) {
    if (stopping) {
      return;
    }
    Child child = child(supervised);
    Directive directive = machine.apply(child.supervisor, time.nanoTime());
    if (directive instanceof Directive.Restart restart) {
      log.warn(
          "{} failed and is started again in {} ms; its mail waits: {}",
          supervised.label(),
          restart.delay().toMillis(),
          String.valueOf(cause));
      log.debug("{}", supervised.label(), cause);
      restartAfter(restart.delay(), supervised, child);
    } else if (directive instanceof Directive.Retry retry) {
      if (Long.bitCount(retry.times()) == 1) {
        log.warn(
            "{} was interrupted, {} times so far, and is tried again until it runs; its mail waits:"
                + " {}",
            supervised.label(),
            retry.times(),
            String.valueOf(cause));
      }
      restartAfter(retry.delay(), supervised, child);
    } else if (directive instanceof Directive.Rest rest) {
      rest(supervised, rest.why(), cause);
    }
  }

  private void restartAfter(Duration delay, Supervised supervised, Child child) {
    supervised.willRestart(delay);
    cancel(child);
    Due due = new Due(supervised, child);
    child.due = due;
    child.alarm = time.after(context, delay, () -> run(due));
  }

  private static void rest(Supervised supervised, String why, Throwable cause) {
    log.error(
        "{} failed and does not run any more ({}); its mail waits. When the cause is gone, restart"
            + " the node (its program can also call Callboard.resume)",
        supervised.label(),
        why,
        cause);
    supervised.rest(why);
  }

  private void run(Due due) {
    Child child = due.child;
    if (!stopping && child.due == due && children.get(due.supervised) == child) {
      child.due = null;
      child.alarm = null;
      due.supervised.restart();
    }
  }

  private void cancelDue(Supervised child) {
    Child known = children.get(child);
    if (known != null) {
      cancel(known);
    }
  }

  private static void cancel(Child child) {
    if (child.alarm != null) {
      child.alarm.cancel();
      child.alarm = null;
    }
    child.due = null;
  }
}
