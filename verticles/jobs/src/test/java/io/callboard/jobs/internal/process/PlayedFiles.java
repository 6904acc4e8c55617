package io.callboard.jobs.internal.process;

import io.callboard.jobs.internal.files.ExitRecord;
import io.callboard.jobs.internal.files.FileLook;
import io.callboard.jobs.internal.files.FileStamp;
import io.callboard.jobs.internal.files.HostFiles;
import io.callboard.jobs.internal.files.LogBytes;
import io.callboard.jobs.internal.files.LogText;
import io.callboard.jobs.internal.files.OrphanedRun;
import io.callboard.jobs.internal.files.RunFiles;
import io.callboard.jobs.internal.runner.RunKey;
import io.callboard.jobs.model.RunOutput;
import io.callboard.testkit.internal.world.WorldTime;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** Files of a {@link PlayedMachine}, as one boot of its node sees them. */
public final class PlayedFiles implements HostFiles {
  private final PlayedMachine machine;
  private final String boot;

  public PlayedFiles(PlayedMachine machine, String boot) {
    this.machine = machine;
    this.boot = boot;
  }

  @Override
  public List<OrphanedRun> unacknowledged() {
    return machine.all().stream()
        .filter(each -> !each.boot.equals(boot) && !each.acknowledged)
        .map(each -> new OrphanedRun(each.key, 1, each.boot, Instant.EPOCH, each.exit))
        .toList();
  }

  @Override
  public Optional<ExitRecord> outcome(RunKey key) {
    PlayedMachine.Files run = machine.files(key);
    return run == null ? Optional.empty() : run.exit;
  }

  @Override
  public void acknowledge(RunKey key) {
    PlayedMachine.Files run = machine.files(key);
    if (run != null) {
      run.acknowledged = true;
    }
  }

  /** A process writes its progress anew each second, until it stalls. */
  @Override
  public FileLook look(RunKey key, String name, FileStamp known) {
    if (machine.isUnreadable()) {
      throw new UncheckedIOException(new IOException("the disk does not answer"));
    }
    PlayedMachine.Files run = machine.files(key);
    if (run == null || !name.equals(RunFiles.PROGRESS)) {
      return FileLook.NONE;
    }
    long moved = Math.min(machine.time().now() - run.beganNs, run.plan.stallsAfterNs());
    FileTime at = FileTime.from(Instant.EPOCH.plusSeconds(moved / WorldTime.SECOND));
    return new FileLook(new FileStamp("file", 1, at), null, null);
  }

  @Override
  public RunOutput output(RunKey key, boolean succeeded) {
    return RunOutput.NONE;
  }

  @Override
  public LogText log(RunKey key, int maxBytes) {
    return new LogText("", 0, true);
  }

  @Override
  public LogText tail(RunKey key, int lines, int maxBytes) {
    return log(key, maxBytes);
  }

  @Override
  public LogBytes log(RunKey key, long offset, int maxBytes) {
    throw new UnsupportedOperationException("nobody reads logs in a world");
  }
}
