package io.callboard.bootstrap.house;

import io.callboard.time.Machine;
import io.callboard.time.Time;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import java.util.random.RandomGenerator;

/** Machine as it is to be: time, randomness and a port are arguments. */
@Machine
final class PureMachine {
  private final LongSupplier nanoTime;

  /** Port of the machine; who implements it may do I/O. */
  interface Port {
    void write(String line);
  }

  PureMachine(LongSupplier nanoTime) {
    this.nanoTime = nanoTime;
  }

  List<Long> decide(Instant now, RandomGenerator random, Port port) {
    Duration wait = Time.atMostLongest(Duration.ofSeconds(random.nextInt(5)));
    port.write(now.plus(wait).toString());
    return List.of(TimeUnit.NANOSECONDS.toMillis(nanoTime.getAsLong()));
  }
}
