package io.callboard.bootstrap.house;

import com.tngtech.archunit.core.domain.AccessTarget.CodeUnitAccessTarget;
import com.tngtech.archunit.core.domain.JavaAccess;
import com.tngtech.archunit.core.domain.JavaClass;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;

/**
 * Kind of access, in bytecode, to what no argument gives: a clock, a source of randomness, a thread
 * or the world outside the process. Method references count as calls do.
 */
enum Ambient {
  /** Readings of the system's wall clock. */
  WALL_CLOCK(
      use ->
          isNow(use)
              || use.is("java.lang.System", "currentTimeMillis")
              || use.is("java.time.Clock", "systemUTC", "systemDefaultZone", "system")
              || use.is("java.time.Clock", "tickMillis", "tickSeconds", "tickMinutes")
              || use.is("java.time.InstantSource", "system")
              || use.is("java.util.Calendar", "getInstance")
              || use.creates("java.util.GregorianCalendar")
              || (use.creates("java.util.Date") && use.takes())),

  /** Readings of the system's monotonic clock, and timers that go by it. */
  MONOTONIC_CLOCK(
      use ->
          use.is("java.lang.System", "nanoTime")
              || (use.isIn("io.vertx") && use.isNamed("setTimer", "setPeriodic", "timer"))),

  /** The time of a node that is not injected. */
  SYSTEM_TIME(use -> use.is("io.callboard.time.Time", "SYSTEM")),

  /** Random values that no seed decides. */
  RANDOMNESS(
      use ->
          use.is("java.lang.Math", "random")
              || use.is("java.lang.StrictMath", "random")
              || (use.creates("java.util.Random") && use.takes())
              || (use.creates("java.util.SplittableRandom") && use.takes())
              || use.isOf("java.security.SecureRandom")
              || use.isOf("java.util.concurrent.ThreadLocalRandom")
              || use.is("java.util.UUID", "randomUUID")
              || use.is("java.util.random.RandomGenerator", "getDefault", "of")
              || (use.is("java.util.random.RandomGeneratorFactory", "create") && use.takes())
              || (use.is("java.util.Collections", "shuffle") && use.takes("java.util.List"))
              || use.is("java.lang.System", "identityHashCode")),

  /** Threads: starting, blocking, finding out about and sharing with them. */
  THREADS(
      use ->
          use.isOf(
                  "java.lang.Thread",
                  "java.lang.ThreadGroup",
                  "java.lang.ThreadLocal",
                  "java.lang.InheritableThreadLocal",
                  "java.util.Timer",
                  "java.util.TimerTask")
              || use.is("java.lang.Object", "wait", "notify", "notifyAll")
              || use.is("java.util.concurrent.TimeUnit", "sleep", "timedWait", "timedJoin")
              || use.isNamed("parallelStream")
              || (use.isIn("java.util.stream") && use.isNamed("parallel"))
              || use.isIn("java.util.concurrent.locks")
              || use.isOf(
                  "java.util.concurrent.CompletableFuture",
                  "java.util.concurrent.CountDownLatch",
                  "java.util.concurrent.CyclicBarrier",
                  "java.util.concurrent.Exchanger",
                  "java.util.concurrent.Executor",
                  "java.util.concurrent.ExecutorService",
                  "java.util.concurrent.Executors",
                  "java.util.concurrent.ForkJoinPool",
                  "java.util.concurrent.ForkJoinTask",
                  "java.util.concurrent.Phaser",
                  "java.util.concurrent.ScheduledExecutorService",
                  "java.util.concurrent.ScheduledThreadPoolExecutor",
                  "java.util.concurrent.Semaphore",
                  "java.util.concurrent.ThreadPoolExecutor")),

  /** Files, network, other processes, and properties of this one. */
  OUTSIDE(
      use ->
          (use.isIn("java.io") && !isInMemory(use))
              || use.isIn("java.nio.file", "java.nio.channels", "java.net", "javax.net")
              || use.isIn("java.sql", "javax.sql", "java.lang.management")
              || use.isOf(
                  "java.lang.Runtime",
                  "java.lang.Process",
                  "java.lang.ProcessBuilder",
                  "java.lang.ProcessHandle",
                  "java.lang.ClassLoader",
                  "java.util.Scanner",
                  "java.util.ServiceLoader",
                  "java.util.ResourceBundle")
              || use.is("java.lang.Class", "getResource", "getResourceAsStream")
              || use.is("java.lang.System", "in", "out", "err", "console", "exit")
              || use.is("java.lang.System", "getenv", "getProperty", "getProperties")
              || use.is("java.util.Locale", "getDefault")
              || use.is("java.util.TimeZone", "getDefault")
              || use.is("java.time.ZoneId", "systemDefault"));

  private final Predicate<Use> test;

  Ambient(Predicate<Use> test) {
    this.test = test;
  }

  private record Use(String owner, String name, List<String> parameters) {
    static Use of(JavaAccess<?> access) {
      return new Use(
          access.getTargetOwner().getName(),
          access.getName(),
          access.getTarget() instanceof CodeUnitAccessTarget target
              ? target.getRawParameterTypes().stream().map(JavaClass::getName).toList()
              : List.of());
    }

    boolean is(String type, String... names) {
      return owner.equals(type) && isNamed(names);
    }

    boolean creates(String type) {
      return is(type, "<init>");
    }

    boolean isNamed(String... names) {
      return List.of(names).contains(name);
    }

    boolean isOf(String... types) {
      return List.of(types).contains(owner);
    }

    boolean isIn(String... packages) {
      return Arrays.stream(packages).anyMatch(each -> owner.startsWith(each + "."));
    }

    boolean takes(String... types) {
      return parameters.equals(List.of(types));
    }
  }

  /** With a clock as its argument it is one that was injected. */
  private static boolean isNow(Use use) {
    return use.isIn("java.time")
        && use.isNamed("now", "dateNow")
        && !use.parameters().contains("java.time.Clock");
  }

  private static boolean isInMemory(Use use) {
    return use.isOf(
        "java.io.ByteArrayInputStream",
        "java.io.ByteArrayOutputStream",
        "java.io.IOException",
        "java.io.UncheckedIOException");
  }

  boolean is(JavaAccess<?> access) {
    return test.test(Use.of(access));
  }

  /** The kinds of an access; empty if it is none. */
  static Set<Ambient> kinds(JavaAccess<?> access) {
    Use use = Use.of(access);
    Set<Ambient> kinds = EnumSet.noneOf(Ambient.class);
    for (Ambient each : values()) {
      if (each.test.test(use)) {
        kinds.add(each);
      }
    }
    return kinds;
  }
}
