package io.callboard.bootstrap.client;

import com.fasterxml.jackson.databind.JsonNode;
import io.callboard.bootstrap.client.NodeClient.RefusedException;
import io.callboard.dashboard.internal.contract.Problem.Kind;
import java.io.IOException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/** Output of a job as it is written, from its last run on, until the job has ended. */
final class LogFollower {
  private static final long LEAST_PAUSE_MS = 100;
  private static final long MOST_PAUSE_MS = 500;

  private final ClientCommand node;
  private final String id;
  private final Sink sink;
  private @Nullable LogReader reader;
  private int current;
  private boolean isNoted;

  /** Receiver of output. */
  interface Sink {
    /** Takes output of a run; returns false if nobody reads it any more. */
    boolean accept(int run, String text);
  }

  /** Creates a follower of the job with this id. */
  LogFollower(ClientCommand node, String id, Sink sink) {
    this.node = node;
    this.id = id;
    this.sink = sink;
  }

  /** Blocks until the job has ended, or nobody reads the output; returns the job. */
  JsonNode follow() throws IOException {
    long pause = LEAST_PAUSE_MS;
    while (true) {
      JsonNode job = node.get("/jobs/" + ClientCommand.encoded(id));
      boolean ended = JobView.isEnded(job);
      Progress progress = progress(job, ended);
      if (ended || progress == Progress.CLOSED) {
        return job;
      }
      pause = progress == Progress.SOME ? LEAST_PAUSE_MS : Math.min(2 * pause, MOST_PAUSE_MS);
      LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(pause));
    }
  }

  /** Result of a look at the output. */
  private enum Progress {
    /** Result of a look that brought nothing new. */
    NONE,
    /** Something new. */
    SOME,
    /** Result of a look of which nobody reads the news. */
    CLOSED
  }

  private Progress progress(JsonNode job, boolean ended) throws IOException {
    try {
      Progress progress = runs(job);
      isNoted = false;
      return progress;
    } catch (RefusedException e) {
      boolean mayPass =
          e.code().equals(Kind.UNAVAILABLE.name()) || e.code().equals(Kind.OVERLOADED.name());
      if (ended || !mayPass) {
        throw e;
      }
      if (!isNoted) {
        node.note("the output cannot be read, waiting: " + e.getMessage());
        isNoted = true;
      }
      return Progress.NONE;
    }
  }

  /** Reads on in the current run, then in those that came after it. */
  private Progress runs(JsonNode job) throws IOException {
    Progress progress = Progress.NONE;
    JsonNode runs = job.path("runs");
    if (reader == null && !runs.isEmpty()) {
      current = runs.path(runs.size() - 1).path("runId").asInt();
    }
    for (JsonNode run : runs) {
      int number = run.path("runId").asInt();
      if (number < current) {
        continue;
      }
      if (number > current) {
        node.note("run %d on %s".formatted(number, run.path("host").asText()));
      }
      if (reader == null || number > current) {
        reader = new LogReader(node, id, number);
        current = number;
      }
      Progress added = copy(reader, number, sink);
      if (added == Progress.CLOSED) {
        return added;
      }
      progress = added == Progress.SOME ? added : progress;
    }
    return progress;
  }

  private static Progress copy(LogReader reader, int run, Sink sink) throws IOException {
    Progress progress = Progress.NONE;
    while (!reader.isComplete()) {
      String text = reader.next();
      if (text.isEmpty()) {
        return progress;
      }
      if (!sink.accept(run, text)) {
        return Progress.CLOSED;
      }
      progress = Progress.SOME;
    }
    return progress;
  }
}
