package io.callboard.bootstrap.house;

import io.callboard.time.Machine;
import io.callboard.time.Time;
import io.vertx.core.Vertx;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Instant;
import java.time.LocalDateTime;
import java.util.Random;
import java.util.SplittableRandom;
import java.util.UUID;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/** Machines each of which breaks the rule of machines in one way. */
final class ImpureMachines {
  private ImpureMachines() {}

  @Machine
  static final class WithRandom {
    int next(Random random) {
      return random.nextInt();
    }
  }

  @Machine
  static final class WithMathRandom {
    double next() {
      return Math.random();
    }
  }

  @Machine
  static final class WithSplittableRandom {
    long next() {
      return new SplittableRandom(1).nextLong();
    }
  }

  @Machine
  static final class WithUuid {
    String next() {
      return UUID.randomUUID().toString();
    }
  }

  @Machine
  static final class WithLocalDateTime {
    LocalDateTime now() {
      return LocalDateTime.now();
    }
  }

  @Machine
  static final class WithClock {
    Instant now(Clock clock) {
      return clock.instant();
    }
  }

  @Machine
  static final class WithNowOfAReference {
    Supplier<Instant> now() {
      return Instant::now;
    }
  }

  @Machine
  static final class WithNanoTimeInALambda {
    LongSupplier now() {
      return () -> System.nanoTime() + 1;
    }
  }

  @Machine
  static final class WithTimeOfTheNode {
    long now(Time time) {
      return time.nanoTime();
    }
  }

  @Machine
  static final class WithThread {
    void start() {
      new Thread(() -> {}).start();
    }
  }

  @Machine
  static final class WithSleep {
    void pause() throws InterruptedException {
      Thread.sleep(1);
    }
  }

  @Machine
  static final class WithExecutor {
    Future<?> start() {
      return Executors.newSingleThreadExecutor().submit(() -> {});
    }
  }

  @Machine
  static final class WithMonitor {
    void pause() throws InterruptedException {
      synchronized (this) {
        wait();
      }
    }
  }

  @Machine
  static final class WithFile {
    String read(Path file) throws IOException {
      return Files.readString(file);
    }
  }

  @Machine
  static final class WithSocket {
    Socket open() throws IOException {
      return new Socket("localhost", 1);
    }
  }

  @Machine
  static final class WithStream {
    byte[] bytes() {
      return new ByteArrayOutputStream().toByteArray();
    }
  }

  @Machine
  static final class WithEnvironment {
    String read() {
      return System.getenv("HOME");
    }
  }

  @Machine
  static final class WithVertx {
    long later(Vertx vertx) {
      return vertx.setTimer(1, id -> {});
    }
  }

  /** The class that does it is nested in the marked one. */
  @Machine
  static final class WithNested {
    static final class Inner {
      long now() {
        return System.currentTimeMillis();
      }
    }

    Inner inner() {
      return new Inner();
    }
  }

  /** Another class reads the clock for it. */
  @Machine
  static final class ThroughAnother {
    long next() {
      return AmbientSamples.monotonicNanoTime() + 1;
    }
  }

  /** To initialise another class reads the clock. */
  @Machine
  static final class ThroughAnInitializer {
    Object next() {
      return AmbientSamples.Initialized.BEGUN;
    }
  }
}
