package io.callboard.jobs.internal.actor;

import io.callboard.jobs.internal.files.FileLook;
import io.callboard.jobs.internal.files.FileStamp;
import io.callboard.jobs.internal.files.RunFiles;
import io.callboard.jobs.internal.protocol.JobCommand;
import io.callboard.jobs.model.FileContent;
import io.callboard.jobs.model.RunOutput;
import io.callboard.time.Machine;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Decides what the job of one live run learns about progress and checkpoints, and when. A new file
 * of either name is progress; content is reported at most once in {@link #EVERY}, the first
 * checkpoint, a stall and its end at once. What could not be sent is decided again.
 */
@Machine
final class RunProgress {
  /** Minimum time between two reports of content of one run. */
  static final Duration EVERY = Duration.ofSeconds(5);

  private final int runId;
  private final @Nullable Duration timeout;
  private @Nullable FileStamp progress;
  private @Nullable FileStamp checkpoint;
  private Instant movedAt;
  private long movedNs;

  private @Nullable String text;
  private @Nullable FileContent content;
  private final List<String> refused = new ArrayList<>();
  private final Set<String> knownRefusals = new HashSet<>();

  /** Checkpoint that the job has. */
  private @Nullable FileContent known;

  private boolean stalled;
  private boolean hasReported;

  /** Whether the job has a checkpoint of this run: one that is lost early continues from it. */
  private boolean hasWritten;

  private long reportedNs;
  private @Nullable JobCommand sent;

  /**
   * Creates the decisions about a run that starts now.
   *
   * @param timeout time without progress after which it counts as stalled; null for never
   * @param given checkpoint with which it starts; null for none
   */
  RunProgress(
      int runId, @Nullable Duration timeout, @Nullable FileContent given, Instant now, long nowNs) {
    this.runId = runId;
    this.timeout = timeout;
    this.known = given;
    this.movedAt = now;
    this.movedNs = nowNs;
  }

  /** Returns the identity of the progress that was seen last; null if none was. */
  @Nullable FileStamp progress() {
    return progress;
  }

  /** Returns the identity of the checkpoint that was seen last; null if none was. */
  @Nullable FileStamp checkpoint() {
    return checkpoint;
  }

  /** Returns the time of the last progress, or of the start, by the clock of the host. */
  Instant movedAt() {
    return movedAt;
  }

  /** Returns when the last progress was seen, by the monotonic clock of the host. */
  long movedNs() {
    return movedNs;
  }

  /** Processes a new snapshot of both files. */
  void saw(FileLook progressNow, FileLook checkpointNow, Instant now, long nowNs) {
    boolean moved = isNew(progressNow.stamp(), progress);
    progress = progressNow.stamp();
    if (progressNow.content() != null) {
      text = RunFiles.text(progressNow.content());
    }
    boolean given = checkpoint == null && isKnown(checkpointNow.content());
    moved |= !given && isNew(checkpointNow.stamp(), checkpoint);
    checkpoint = checkpointNow.stamp();
    if (checkpointNow.content() != null) {
      content = isKnown(checkpointNow.content()) ? null : checkpointNow.content();
    }
    for (FileLook look : List.of(progressNow, checkpointNow)) {
      if (look.refusal() != null && knownRefusals.add(look.refusal())) {
        refused.add(look.refusal());
      }
    }
    if (moved) {
      movedAt = now;
      movedNs = nowNs;
    }
  }

  private static boolean isNew(@Nullable FileStamp now, @Nullable FileStamp before) {
    return now != null && !now.equals(before);
  }

  private boolean isKnown(@Nullable FileContent checkpoint) {
    return checkpoint != null && checkpoint.equals(known);
  }

  /** Returns the next report to the job; empty if there is none, or while a report is under way. */
  Optional<JobCommand> next(Instant now, long nowNs) {
    if (sent == null) {
      sent = decide(now, nowNs);
    }
    return Optional.ofNullable(sent);
  }

  private @Nullable JobCommand decide(Instant now, long nowNs) {
    boolean still = timeout != null && nowNs - movedNs >= timeout.toNanos();
    boolean due = !hasReported || nowNs - reportedNs >= EVERY.toNanos();
    if (still && !stalled) {
      return new JobCommand.Stalled(runId, movedAt);
    } else if (!still && stalled) {
      return new JobCommand.Progressed(runId, text, text == null ? null : now);
    } else if (content != null && !hasWritten || due && (content != null || !refused.isEmpty())) {
      RunOutput news = new RunOutput(text, content, null, null, List.copyOf(refused));
      return new JobCommand.Wrote(runId, news, now);
    } else if (due && text != null) {
      return new JobCommand.Progressed(runId, text, now);
    }
    return null;
  }

  /** Returns whether a report is under way. */
  boolean isSending() {
    return sent != null;
  }

  /** Takes the outcome of the report under way; one that failed is decided again. */
  void sent(boolean accepted, long nowNs) {
    JobCommand report = sent;
    sent = null;
    if (!accepted || report == null) {
      return;
    }
    if (report instanceof JobCommand.Stalled) {
      stalled = true;
    } else if (report instanceof JobCommand.Progressed progressed) {
      stalled = false;
      reported(progressed.text(), nowNs);
    } else if (report instanceof JobCommand.Wrote wrote) {
      FileContent written = wrote.output().checkpoint();
      if (written != null) {
        hasWritten = true;
        known = written;
        content = written.equals(content) ? null : content;
      }
      refused.removeAll(wrote.output().refused());
      reported(wrote.output().progress(), nowNs);
    }
  }

  private void reported(@Nullable String reported, long nowNs) {
    if (reported != null && reported.equals(text)) {
      text = null;
    }
    hasReported = true;
    reportedNs = nowNs;
  }

  /** Returns what the run left when it ended, without the checkpoint that its job has. */
  RunOutput unreported(RunOutput output) {
    return output.withoutCheckpoint(known);
  }
}
