package io.callboard.internal.zone;

import io.callboard.admin.Distribution;
import io.callboard.admin.ZoneStatus;
import io.callboard.zone.ZoneOptions;
import io.callboard.zone.ZoneOptions.Kind;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Watch over a zone: reports its status, and logs when its threads block. */
final class ZoneWatch {
  private static final Logger log = LoggerFactory.getLogger(ZoneWatch.class);
  private static final int FRAMES = 30;
  private static final double HALF = 0.5;
  private static final double MOST = 0.99;

  private final String name;
  private final ZoneOptions options;
  private final int loops;
  private final ZoneMeter meter;
  private final ThreadStates threadStates;
  private final LastMinute lastMinute;
  private final BlockedThreads blockedThreads;
  private final BlockedListener blockedListener;

  ZoneWatch(
      String name,
      ZoneOptions options,
      int loops,
      ZoneMeter meter,
      ThreadStates threadStates,
      long nowNanos,
      BlockedListener blockedListener) {
    this.blockedListener = blockedListener;
    this.name = name;
    this.options = options;
    this.loops = loops;
    this.meter = meter;
    this.threadStates = threadStates;
    this.lastMinute = new LastMinute(sample(nowNanos, List.of()));
    this.blockedThreads = new BlockedThreads(options.blockedAfter().toNanos());
  }

  private LastMinute.Sample sample(long nowNanos, List<ThreadState.Busy> busy) {
    long done = meter.busy.sum();
    long now = busy.stream().mapToLong(each -> Math.max(0, nowNanos - each.since())).sum();
    return new LastMinute.Sample(nowNanos, meter.waits.snapshot(), done + now);
  }

  // Blocked threads.

  /**
   * @param others threads that are busy, but with no slice of a zone
   */
  void look(long nowNanos, List<ThreadState.Busy> others) {
    List<ThreadState.Busy> busy = new ArrayList<>(threadStates.busy());
    if (lastMinute.isDue(nowNanos)) {
      lastMinute.add(sample(nowNanos, busy));
    }
    busy.addAll(others);
    List<BlockedThreads.Event> events;
    synchronized (blockedThreads) {
      events = blockedThreads.look(nowNanos, busy);
    }
    events.forEach(event -> tell(event, nowNanos));
  }

  private void tell(BlockedThreads.Event event, long nowNanos) {
    ThreadState.Busy busy = event.busy();
    long millis = (nowNanos - busy.since()) / 1_000_000;
    if (event instanceof BlockedThreads.Event.Ended) {
      log.info(
          "zone {}: thread {} is not blocked any more, after {} ms, by {}",
          name,
          busy.thread().getName(),
          millis,
          by(busy));
      return;
    }
    meter.blockages.increment();
    StackTraceElement[] frames = busy.thread().getStackTrace();
    String stack = String.join("\n", stack(frames));
    log.warn(
        "zone {}: thread {} has been blocked for {} ms, by {}; the limit is {} ms. Code that blocks belongs in a zone of kind fixed or virtual (ActorOptions.zone)\n{}",
        name,
        busy.thread().getName(),
        millis,
        by(busy) + BlockingCode.code(frames).map(code -> ", in " + code).orElse(""),
        options.blockedAfter().toMillis(),
        stack);
    Object whose = busy.label();
    if (whose != null) {
      String what =
          "the actor has held thread %s of zone %s for %d ms; the limit is %d ms"
              .formatted(busy.thread().getName(), name, millis, options.blockedAfter().toMillis());
      blockedListener.blocked(whose, what, stack);
    }
  }

  private static String by(ThreadState.Busy busy) {
    return busy.label() == null ? "code outside of actors" : "" + busy.label();
  }

  private static List<String> stack(StackTraceElement[] frames) {
    return Stream.of(frames).limit(FRAMES).map(f -> "\tat " + f).toList();
  }

  private ZoneStatus.Blocked blocked(ThreadState.Busy busy, long nowNanos) {
    Object actor = busy.label();
    return new ZoneStatus.Blocked(
        busy.thread().getName(),
        actor == null ? null : actor.toString(),
        Duration.ofNanos(Math.max(0, nowNanos - busy.since())),
        Stream.of(busy.thread().getStackTrace())
            .limit(FRAMES)
            .map(StackTraceElement::toString)
            .toList());
  }

  // Status.

  ZoneStatus status(int threads, int actors, boolean full, long nowNanos) {
    List<ThreadState.Busy> busy = threadStates.busy();
    List<ThreadState.Busy> standing;
    synchronized (blockedThreads) {
      standing = blockedThreads.standing();
    }
    LastMinute.Sample now = sample(nowNanos, busy);
    LastMinute.Sample begin = lastMinute.begin();
    Distribution waits = now.waits().since(begin.waits());
    int size = options.kind() == Kind.EVENT_LOOP ? loops : threads;
    return new ZoneStatus(
        name,
        options.kind().label(),
        size,
        Math.max(size, options.max()),
        actors,
        busy.size(),
        Math.max(0, meter.waiting.get()),
        full,
        Duration.ofNanos((long) waits.quantile(HALF)),
        Duration.ofNanos((long) waits.quantile(MOST)),
        utilisation(size, begin, now),
        meter.tasks.sum(),
        meter.overflowed.sum(),
        meter.rejected.sum(),
        meter.blockages.sum(),
        standing.stream().map(each -> blocked(each, nowNanos)).toList(),
        now.waits(),
        Duration.ofNanos(now.busyNanos()));
  }

  private static @Nullable Double utilisation(
      int size, LastMinute.Sample begin, LastMinute.Sample now) {
    double nanos = (double) size * (now.atNanos() - begin.atNanos());
    return nanos <= 0
        ? null
        : Math.min(1, Math.max(0, now.busyNanos() - begin.busyNanos()) / nanos);
  }
}
