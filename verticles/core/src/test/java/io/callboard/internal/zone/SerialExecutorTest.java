package io.callboard.internal.zone;

import static org.assertj.core.api.Assertions.assertThat;

import io.callboard.internal.Waits;
import io.callboard.zone.ZoneOptions;
import io.vertx.core.internal.VertxInternal;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;

/**
 * Tests of the influence of contexts of a fork-join zone on each other, and of the failures they
 * survive.
 */
class SerialExecutorTest {
  private static final long SLOW_NANOS = 3_000_000;

  private static SerialExecutor serial(ZoneStage stage, String whose) {
    return new SerialExecutor(stage.zone, ((VertxInternal) stage.vertx).workerPool(), whose);
  }

  @SuppressWarnings({"unchecked", "TypeParameterUnusedInFormals"})
  private static <T extends Throwable> T undeclared(Throwable cause) throws T {
    throw (T) cause;
  }

  @Test
  void goesOnWhateverATaskThrows() throws Exception {
    try (ZoneStage stage = new ZoneStage(ZoneOptions.forkJoin(1))) {
      SerialExecutor serial = serial(stage, "/a");
      for (Throwable thrown : List.of(new Exception(), new Error(), new RuntimeException())) {
        CountDownLatch next = new CountDownLatch(1);
        serial.execute(
            () -> {
              RuntimeException unused = SerialExecutorTest.<RuntimeException>undeclared(thrown);
            });
        serial.execute(next::countDown);
        Waits.opened(next);
      }
    }
  }

  private static void slow() {
    long begun = System.nanoTime();
    while (System.nanoTime() - begun < SLOW_NANOS) {
      Thread.onSpinWait();
    }
  }

  @Test
  void aSlowTaskIsTheLastOfItsTurn() throws Exception {
    try (ZoneStage stage = new ZoneStage(ZoneOptions.forkJoin(1))) {
      List<String> ran = new CopyOnWriteArrayList<>();
      CountDownLatch all = new CountDownLatch(4);
      SerialExecutor slow = serial(stage, "/slow");
      SerialExecutor other = serial(stage, "/other");
      serial(stage, "/first")
          .execute(
              () -> {
                for (int i = 0; i < 3; i++) {
                  slow.execute(
                      () -> {
                        slow();
                        ran.add("slow");
                        all.countDown();
                      });
                }
                other.execute(
                    () -> {
                      ran.add("other");
                      all.countDown();
                    });
              });
      Waits.opened(all);
      assertThat(ran).containsExactly("slow", "other", "slow", "slow");
    }
  }
}
