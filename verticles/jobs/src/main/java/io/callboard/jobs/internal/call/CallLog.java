package io.callboard.jobs.internal.call;

import io.callboard.jobs.internal.files.RunHome;
import io.callboard.jobs.internal.files.RunLog;
import io.callboard.jobs.internal.runner.RunRequest;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Log of the call of a handler: lines wait in memory until they are written, at most {@value
 * #MOST_WAITING} bytes; what is over that is left out and counted in the log. All logs of a node
 * are written by turns, and together hold one worker thread. Its file is made with the first line.
 * Any thread.
 */
final class CallLog {
  /** Maximum number of bytes that wait to be written. */
  static final int MOST_WAITING = 1 << 20;

  private static final Logger LOG = LoggerFactory.getLogger(CallLog.class);

  private final Context writer;
  private final RunHome home;
  private final RunRequest request;
  private final RunLog file;
  private List<String> waiting = new ArrayList<>();
  private int bytes;
  private long leftOut;
  private boolean made;
  private boolean ended;
  private @Nullable Promise<Void> writing;

  /**
   * Creates the log of a call; touches no file.
   *
   * @param writer context whose blocking tasks, one after the other, write the logs of its node
   */
  CallLog(Context writer, RunHome home, RunRequest request, RunLog file) {
    this.writer = writer;
    this.home = home;
    this.request = request;
    this.file = file;
  }

  /** Appends a line, unless its run has ended. Half a character becomes a question mark. */
  void line(String text) {
    byte[] utf8 = text.getBytes(StandardCharsets.UTF_8);
    synchronized (this) {
      if (ended) {
        return;
      } else if (bytes + utf8.length + 1 > MOST_WAITING) {
        leftOut++;
      } else {
        bytes += utf8.length + 1;
        waiting.add(new String(utf8, StandardCharsets.UTF_8));
      }
      if (writing != null) {
        return;
      }
      writing = Promise.promise();
    }
    write();
  }

  /** Takes no more lines. */
  synchronized void end() {
    ended = true;
  }

  /** Returns whether a line was ever appended. */
  synchronized boolean hasLines() {
    return made || writing != null;
  }

  /** Completes when all lines are written that were appended before. */
  Future<Void> written() {
    synchronized (this) {
      return writing == null ? Future.succeededFuture() : writing.future();
    }
  }

  private void write() {
    writer
        .executeBlocking(
            () -> {
              writeNext();
              return null;
            },
            true)
        .onFailure(cause -> LOG.warn("the log of run {} cannot be written", request.key(), cause))
        .onComplete(done -> wrote());
  }

  /** Goes on with what came since the last look of the writer, or is done. */
  private void wrote() {
    Promise<Void> all = null;
    synchronized (this) {
      if (waiting.isEmpty() && leftOut == 0) {
        all = writing;
        writing = null;
      }
    }
    if (all == null) {
      write();
    } else {
      all.complete();
    }
  }

  /** Writes the lines of now; those that come meanwhile have a turn behind the other logs. */
  private void writeNext() throws IOException {
    String text = next();
    if (text != null) {
      if (!made) {
        make();
        made = true;
      }
      file.append(text);
      file.boundLive();
    }
  }

  private void make() throws IOException {
    Path control = home.control(request.key());
    Files.createDirectories(control);
    if (request.type() != null) {
      Files.writeString(home.type(request.key()), request.type());
    }
  }

  /** Returns the lines that wait, as one text; null if there are none. */
  private synchronized @Nullable String next() {
    if (waiting.isEmpty() && leftOut == 0) {
      return null;
    }
    String text = String.join("\n", waiting);
    if (leftOut > 0) {
      String note = "[callboard: %d lines left out, which came too fast]".formatted(leftOut);
      text = waiting.isEmpty() ? note : text + '\n' + note;
    }
    waiting = new ArrayList<>();
    bytes = 0;
    leftOut = 0;
    return text;
  }
}
