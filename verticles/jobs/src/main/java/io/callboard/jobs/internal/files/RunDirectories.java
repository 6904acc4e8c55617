package io.callboard.jobs.internal.files;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.file.StandardOpenOption.CREATE_NEW;
import static java.nio.file.StandardOpenOption.WRITE;

import io.callboard.jobs.internal.runner.RunException;
import io.callboard.jobs.internal.runner.RunKey;
import io.callboard.jobs.internal.runner.RunRequest;
import io.callboard.jobs.model.RunOutput;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Files of runs. They survive restarts, and stay until {@link #remove}. Older nodes kept the
 * contents of {@link RunHome#control} in the working directories and in {@code runs/open}: that is
 * still read.
 *
 * <p>Every method blocks; on an event loop it throws {@link IllegalStateException}. A file that
 * cannot be used is a {@link RunException} of kind DIRECTORY.
 */
public final class RunDirectories implements HostFiles {
  /** Record of a start: epoch, boot and time; then, once its shim runs, its group. */
  private static final Pattern START =
      Pattern.compile("(-?\\d{1,18}) (\\S+) (\\d{1,18})\n(\\d+\n)?");

  private static final int PROBE_BYTES = 64 << 10;

  private final RunHome home;
  private final LogLimits limits;
  private final RunFiles files;

  /** Creates the view of a home; touches no file. */
  public RunDirectories(RunHome home, LogLimits limits) {
    this.home = home;
    this.limits = limits;
    this.files = new RunFiles(home);
  }

  /** Returns the working directory of a run, which need not exist. Does not block. */
  public Path directory(RunKey key) {
    return home.directory(key);
  }

  @Override
  public List<OrphanedRun> unacknowledged() {
    BlockingIo.check();
    List<OrphanedRun> left = new ArrayList<>();
    addLeft(home.openRuns(), home::control, left);
    addLeft(formerOpenRuns(), home::directory, left);
    left.sort(
        Comparator.comparing((OrphanedRun run) -> run.key().jobId())
            .thenComparing(run -> run.key().runId()));
    return left;
  }

  private void addLeft(Path openRuns, Function<RunKey, Path> records, List<OrphanedRun> left) {
    try (DirectoryStream<Path> open = Files.newDirectoryStream(openRuns)) {
      for (Path file : open) {
        leftRun(file, records).ifPresent(left::add);
      }
    } catch (NoSuchFileException e) {
      return;
    } catch (IOException e) {
      throw RunException.directory("list", openRuns, e);
    }
  }

  private Path formerOpenRuns() {
    return home.runs().resolve("open");
  }

  /** Returns the log of a run, also of one in the former format, which has no control directory. */
  private RunLog runLog(RunKey key) {
    boolean former = !Files.exists(home.control(key), LinkOption.NOFOLLOW_LINKS);
    return new RunLog(former ? home.directory(key).resolve("log") : home.log(key), limits);
  }

  @Override
  public Optional<ExitRecord> outcome(RunKey key) {
    BlockingIo.check();
    try {
      return ExitRecord.read(home.control(key));
    } catch (IOException e) {
      throw RunException.directory("read", home.control(key), e);
    }
  }

  private Optional<OrphanedRun> leftRun(Path file, Function<RunKey, Path> records)
      throws IOException {
    String[] name = file.getFileName().toString().split("_", 2);
    RunKey key;
    try {
      key = new RunKey(name[0], Integer.parseInt(name[1]));
    } catch (IllegalArgumentException | ArrayIndexOutOfBoundsException e) {
      return Optional.empty(); // not written by Callboard
    }
    Matcher start = START.matcher(Files.readString(file, ISO_8859_1));
    // torn by a power loss: only the name of the run is known
    boolean torn = !start.matches();
    String bootId = torn ? "" : start.group(2);
    if (bootId.equals(home.bootId())) {
      return Optional.empty();
    }
    return Optional.of(
        new OrphanedRun(
            key,
            torn ? 0 : Long.parseLong(start.group(1)),
            bootId,
            torn ? Instant.EPOCH : Instant.ofEpochMilli(Long.parseLong(start.group(3))),
            ExitRecord.read(records.apply(key))));
  }

  @Override
  public void acknowledge(RunKey key) {
    BlockingIo.check();
    try {
      try {
        // the log of a lost run was never cut
        runLog(key).boundEnded();
      } finally { // a log that cannot be cut must not keep the run open
        Files.deleteIfExists(home.openRun(key));
        Files.deleteIfExists(formerOpenRuns().resolve(RunHome.openName(key)));
      }
    } catch (IOException e) {
      throw RunException.directory("acknowledge", home.openRun(key), e);
    }
  }

  /** Deletes the files of all runs of a job. A run that is alive loses its log and its outcome. */
  public void remove(String jobId) {
    BlockingIo.check();
    RunKey.checkJobId(jobId);
    for (Path openRuns : List.of(home.openRuns(), formerOpenRuns())) {
      try (DirectoryStream<Path> open = Files.newDirectoryStream(openRuns, jobId + "_*")) {
        for (Path file : open) {
          Files.deleteIfExists(file);
        }
      } catch (NoSuchFileException e) {
        continue;
      } catch (IOException e) {
        throw RunException.directory("remove runs of " + jobId + " from", openRuns, e);
      }
    }
    FileTree.delete(home.control().resolve(jobId));
    FileTree.delete(home.runs().resolve(jobId));
  }

  @Override
  public LogText log(RunKey key, int maxBytes) {
    BlockingIo.check();
    try {
      return runLog(key).last(maxBytes);
    } catch (IOException e) {
      throw RunException.directory("read", home.log(key), e);
    }
  }

  @Override
  public LogText tail(RunKey key, int lines, int maxBytes) {
    BlockingIo.check();
    try {
      return runLog(key).tail(lines, maxBytes);
    } catch (IOException e) {
      throw RunException.directory("read", home.log(key), e);
    }
  }

  @Override
  public FileLook look(RunKey key, String name, @Nullable FileStamp known) {
    BlockingIo.check();
    return files.look(key, name, known);
  }

  @Override
  public RunOutput output(RunKey key, boolean succeeded) {
    BlockingIo.check();
    return files.output(key, runLog(key), succeeded);
  }

  @Override
  public LogBytes log(RunKey key, long offset, int maxBytes) {
    BlockingIo.check();
    try {
      return runLog(key).from(offset, maxBytes);
    } catch (IOException e) {
      throw RunException.directory("read", home.log(key), e);
    }
  }

  /**
   * Tests what a run needs: creates the directories of runs if they are missing, and writes a file
   * to each.
   *
   * @throws RunException of kind DIRECTORY if no run could begin
   */
  public void probe() {
    BlockingIo.check();
    for (Path parent : List.of(home.openRuns(), home.control(), home.runs())) {
      try {
        Files.createDirectories(parent);
      } catch (IOException e) {
        throw RunException.directory("create", parent, e);
      }
    }
    probe(home.control());
    probe(home.runs());
  }

  private static void probe(Path parent) {
    Path directory = parent.resolve("probe-" + UUID.randomUUID());
    try {
      Files.createDirectory(directory);
      try {
        Files.write(
            directory.resolve("file"),
            new byte[PROBE_BYTES],
            CREATE_NEW,
            WRITE,
            StandardOpenOption.SYNC);
      } finally {
        FileTree.delete(directory);
      }
    } catch (IOException e) {
      throw RunException.directory("write below", parent, e);
    }
  }

  /** Opens a run: records it as unacknowledged, then creates its directories, which must be new. */
  public void open(RunRequest request, Instant startedAt) {
    RunKey key = request.key();
    Path directory = home.directory(key);
    Path control = home.control(key);
    try {
      Files.createDirectories(home.openRuns());
      Files.createDirectories(control.getParent());
      Files.createDirectories(directory.getParent());
      if (Files.exists(control) || Files.exists(directory)) {
        throw RunException.alreadyStarted(key);
      }
      Files.writeString(
          home.openRun(key),
          request.epoch() + " " + home.bootId() + ' ' + startedAt.toEpochMilli() + '\n');
    } catch (IOException e) {
      throw RunException.directory("create", directory, e);
    }
    try {
      Files.createDirectory(control);
      Files.createDirectory(directory);
      if (request.type() != null) {
        Files.writeString(home.type(key), request.type(), CREATE_NEW);
      }
      if (request.checkpoint() != null) {
        Files.write(
            directory.resolve(RunFiles.CHECKPOINT), request.checkpoint().bytes(), CREATE_NEW);
      }
    } catch (FileAlreadyExistsException e) {
      throw RunException.alreadyStarted(key);
    } catch (IOException e) {
      throw RunException.directory("create", directory, e);
    }
  }
}
