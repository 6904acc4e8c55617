package io.callboard.chaos.evidence;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import io.callboard.chaos.runs.LoadedSteps;
import io.callboard.chaos.runs.StepLine;
import io.callboard.workflows.StepContext;
import io.callboard.workflows.StepHandler;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.UUID;
import java.util.concurrent.ThreadLocalRandom;
import org.jspecify.annotations.Nullable;

/**
 * Handler of the steps of a workflow under load: writes a line as a run begins and as it ends, and
 * holds a lock of the operating system meanwhile, one for each step of each instance. The kernel
 * frees the locks of a killed process, so a run that finds its lock taken proves that another one
 * is alive.
 */
public final class StepNotes implements StepHandler {
  /** Property with the directory in which the nodes write. */
  public static final String PROPERTY = "chaos.steps";

  /** Ending of the files with what steps have written. */
  public static final String ENDING = ".steps";

  /** Name of the handler. */
  public static final String NAME = "chaos-step@1";

  /** Bits of a position in the file of locks that tell the steps of an instance apart. */
  private static final int STEP_BITS = 4;

  private static final long INSTANCES = (1L << 57) - 1;

  private final Vertx vertx;
  private final String node;
  private final FileChannel lines;
  private final FileChannel locks;

  private StepNotes(Vertx vertx, String node, FileChannel lines, FileChannel locks) {
    this.vertx = vertx;
    this.node = node;
    this.lines = lines;
    this.locks = locks;
  }

  /** Opens the files of a node; they stay open until its process ends. */
  public static StepNotes open(Vertx vertx, String node) throws IOException {
    Path directory = Files.createDirectories(Path.of(System.getProperty(PROPERTY)));
    return new StepNotes(
        vertx,
        node,
        FileChannel.open(
            directory.resolve(node + ENDING), StandardOpenOption.CREATE, StandardOpenOption.APPEND),
        FileChannel.open(
            directory.resolve("locks"), StandardOpenOption.CREATE, StandardOpenOption.WRITE));
  }

  @Override
  public Future<JsonNode> run(StepContext step) {
    try {
      FileLock lock = lock(step);
      write("begin", step);
      if (lock == null) {
        write("twice", step);
      }
      Promise<JsonNode> end = Promise.promise();
      step.cancelled().onSuccess(v -> end.tryFail("it was cancelled"));
      int most = step.input().path("input").path("millis").asInt();
      long lasts = ThreadLocalRandom.current().nextInt(most + 1);
      if (lasts == 0) {
        end(step, end);
      } else {
        long unused = vertx.setTimer(lasts, timer -> end(step, end));
      }
      return end.future().eventually(() -> release(lock));
    } catch (IOException e) {
      return Future.failedFuture(e);
    }
  }

  private void end(StepContext step, Promise<JsonNode> end) {
    try {
      if (!end.future().isComplete()) {
        write("end", step);
      }
      end.tryComplete(JsonNodeFactory.instance.objectNode());
    } catch (IOException e) {
      end.tryFail(e);
    }
  }

  private @Nullable FileLock lock(StepContext step) throws IOException {
    long instance = UUID.fromString(step.instance()).getLeastSignificantBits() & INSTANCES;
    try {
      return locks.tryLock(instance << STEP_BITS | LoadedSteps.number(step.step()), 1, false);
    } catch (OverlappingFileLockException e) {
      return null; // another run in this process
    }
  }

  private static Future<Void> release(@Nullable FileLock lock) {
    try {
      if (lock != null) {
        lock.release();
      }
      return Future.succeededFuture();
    } catch (IOException e) {
      return Future.failedFuture(e);
    }
  }

  private void write(String what, StepContext step) throws IOException {
    StepLine line =
        new StepLine(
            what,
            step.instance(),
            step.step(),
            step.run(),
            System.nanoTime(),
            node,
            ProcessHandle.current().pid());
    ByteBuffer bytes = ByteBuffer.wrap((line.text() + "\n").getBytes(StandardCharsets.UTF_8));
    synchronized (lines) {
      while (bytes.hasRemaining()) {
        int unused = lines.write(bytes);
      }
    }
  }
}
