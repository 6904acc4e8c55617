package io.callboard.jobs;

import io.callboard.jobs.internal.call.HandlerRunner;
import io.callboard.jobs.internal.files.ExitRecord;
import io.callboard.jobs.internal.files.FileLook;
import io.callboard.jobs.internal.files.FileStamp;
import io.callboard.jobs.internal.files.HostFiles;
import io.callboard.jobs.internal.files.LogBytes;
import io.callboard.jobs.internal.files.LogText;
import io.callboard.jobs.internal.files.OrphanedRun;
import io.callboard.jobs.internal.files.RunDirectories;
import io.callboard.jobs.internal.runner.RunKey;
import io.callboard.jobs.model.RunOutput;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Reports of the runs of a host, by processes in files and by handlers in memory, and the logs of
 * both, on disk.
 */
final class HostRunFiles implements HostFiles {
  private final RunDirectories directories;
  private final HandlerRunner handlers;

  HostRunFiles(RunDirectories directories, HandlerRunner handlers) {
    this.directories = directories;
    this.handlers = handlers;
  }

  @Override
  public List<OrphanedRun> unacknowledged() {
    return directories.unacknowledged();
  }

  @Override
  public Optional<ExitRecord> outcome(RunKey key) {
    return directories.outcome(key);
  }

  @Override
  public void acknowledge(RunKey key) {
    if (handlers.has(key)) {
      handlers.acknowledge(key);
    } else {
      directories.acknowledge(key);
    }
  }

  @Override
  public FileLook look(RunKey key, String name, @Nullable FileStamp known) {
    return handlers.has(key) ? handlers.look(key, name, known) : directories.look(key, name, known);
  }

  @Override
  public RunOutput output(RunKey key, boolean succeeded) {
    return directories.output(key, succeeded);
  }

  @Override
  public LogText log(RunKey key, int maxBytes) {
    return directories.log(key, maxBytes);
  }

  @Override
  public LogText tail(RunKey key, int lines, int maxBytes) {
    return directories.tail(key, lines, maxBytes);
  }

  @Override
  public LogBytes log(RunKey key, long offset, int maxBytes) {
    return directories.log(key, offset, maxBytes);
  }
}
