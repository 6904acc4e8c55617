package io.callboard.jobs.internal.files;

import io.callboard.jobs.internal.runner.RunException;
import io.callboard.jobs.internal.runner.RunKey;
import java.io.IOException;
import java.nio.charset.MalformedInputException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Jobs that have files on this host, by the directories of their runs. Blocks. */
public final class JobDirectories {
  private static final Logger log = LoggerFactory.getLogger(JobDirectories.class);
  private static final Pattern UUID = Pattern.compile("[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}");

  private static final Pattern NUMBER = Pattern.compile("[1-9]\\d{0,8}");

  private final RunHome home;

  /** Creates the view of a home. */
  public JobDirectories(RunHome home) {
    this.home = home;
  }

  /**
   * Returns ids of jobs none of whose runs has begun or ended since a time.
   *
   * @param since returns the time for jobs of a type; the type is empty if it is not known
   * @param wanted whether a job is asked for; called before its files are looked at
   * @param most maximum number to return
   */
  public List<String> unchanged(
      Function<String, Instant> since, Predicate<String> wanted, int most) {
    BlockingIo.check();
    Set<String> jobs = new LinkedHashSet<>();
    add(home.control(), since, wanted, most, jobs);
    add(home.runs(), since, id -> wanted.test(id) && !jobs.contains(id), most, jobs);
    return List.copyOf(jobs);
  }

  /**
   * Deletes logs that were not written to since a time, of runs whose outcome is reported.
   *
   * @param since returns the time for jobs of a type, or null if their logs stay
   * @param live whether a run is alive
   * @return number of deleted logs
   */
  public int deleteLogs(Function<String, @Nullable Instant> since, Predicate<RunKey> live) {
    BlockingIo.check();
    int deleted = 0;
    for (Path job : children(home.control())) {
      String id = job.getFileName().toString();
      try {
        deleted += UUID.matcher(id).matches() ? deleteLogs(id, children(job), since, live) : 0;
      } catch (RunException e) {
        log.warn("logs of runs of job {} are left, which no other job's are: {}", id, why(e));
      }
    }
    return deleted;
  }

  private int deleteLogs(
      String id,
      List<Path> runs,
      Function<String, @Nullable Instant> since,
      Predicate<RunKey> live) {
    int deleted = 0;
    for (Path run : runs) {
      String number = run.getFileName().toString();
      if (NUMBER.matcher(number).matches()) {
        RunKey key = new RunKey(id, Integer.parseInt(number));
        deleted += isOld(key, since) && !live.test(key) && delete(home.log(key)) ? 1 : 0;
      }
    }
    return deleted;
  }

  private static String why(Throwable cause) {
    return String.valueOf(cause.getMessage());
  }

  private boolean isOld(RunKey key, Function<String, @Nullable Instant> since) {
    Path log = home.log(key);
    try {
      Instant before = Files.exists(log, LinkOption.NOFOLLOW_LINKS) ? since.apply(type(key)) : null;
      return before != null
          && !Files.exists(home.openRun(key), LinkOption.NOFOLLOW_LINKS)
          && !isAfter(log, before);
    } catch (NoSuchFileException e) {
      return false;
    } catch (IOException e) {
      throw RunException.directory("read", log, e);
    }
  }

  private static boolean delete(Path log) {
    try {
      return Files.deleteIfExists(log);
    } catch (IOException e) {
      throw RunException.directory("delete", log, e);
    }
  }

  /** Returns the type of a run's job; empty if it is not recorded. */
  private String type(RunKey key) throws IOException {
    try {
      return Files.readString(home.type(key));
    } catch (NoSuchFileException e) {
      return "";
    } catch (MalformedInputException e) {
      return ""; // torn by a power loss
    }
  }

  /** Returns the type of a job by the first of its runs that records it. */
  private String type(String id) throws IOException {
    for (Path run : children(home.control().resolve(id))) {
      String number = run.getFileName().toString();
      String type =
          NUMBER.matcher(number).matches() ? type(new RunKey(id, Integer.parseInt(number))) : "";
      if (!type.isEmpty()) {
        return type;
      }
    }
    return "";
  }

  private static List<Path> children(Path parent) {
    List<Path> all = new ArrayList<>();
    try (DirectoryStream<Path> children = Files.newDirectoryStream(parent)) {
      children.forEach(all::add);
      return all;
    } catch (NoSuchFileException | NotDirectoryException e) {
      return all;
    } catch (IOException | DirectoryIteratorException e) {
      throw RunException.directory("list", parent, e);
    }
  }

  private void add(
      Path parent,
      Function<String, Instant> since,
      Predicate<String> wanted,
      int most,
      Set<String> jobs) {
    try (DirectoryStream<Path> children = Files.newDirectoryStream(parent)) {
      for (Path child : children) {
        String id = child.getFileName().toString();
        if (jobs.size() == most) {
          return;
        } else if (UUID.matcher(id).matches() && wanted.test(id) && isUnchanged(id, since)) {
          jobs.add(id);
        }
      }
    } catch (NoSuchFileException e) {
      return;
    } catch (IOException | DirectoryIteratorException e) {
      throw RunException.directory("list", parent, e);
    }
  }

  /** Returns false also for a job whose files cannot be looked at: they are left. */
  private boolean isUnchanged(String id, Function<String, Instant> since) {
    try {
      return !isChanged(id, since.apply(type(id)));
    } catch (RunException | IOException e) {
      log.warn("the files of runs of job {} are left, as they cannot be read: {}", id, why(e));
      return false;
    }
  }

  /** Returns whether a run of the job has begun or ended since that time. */
  private boolean isChanged(String id, Instant since) {
    return isChanged(home.control().resolve(id), since)
        || isChanged(home.runs().resolve(id), since);
  }

  private static boolean isChanged(Path job, Instant since) {
    try {
      if (isAfter(job, since)) {
        return true;
      }
      try (DirectoryStream<Path> runs = Files.newDirectoryStream(job)) {
        for (Path run : runs) {
          if (isAfter(run, since)) {
            return true;
          }
        }
      }
      return false;
    } catch (NoSuchFileException e) {
      return false;
    } catch (IOException | DirectoryIteratorException e) {
      throw RunException.directory("list", job, e);
    }
  }

  private static boolean isAfter(Path path, Instant since) throws IOException {
    return Files.getLastModifiedTime(path, LinkOption.NOFOLLOW_LINKS).toInstant().isAfter(since);
  }
}
