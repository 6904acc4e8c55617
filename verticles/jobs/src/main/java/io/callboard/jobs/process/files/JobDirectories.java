package io.callboard.jobs.process.files;

import io.callboard.jobs.process.run.RunException;
import io.callboard.jobs.process.run.RunHome;
import java.io.IOException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import java.util.regex.Pattern;

/** Jobs that have files on this host, by the directories of their runs. Blocks. */
public final class JobDirectories {
  private static final Pattern UUID = Pattern.compile("[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}");

  private final RunHome home;

  /** Creates the view of a home. */
  public JobDirectories(RunHome home) {
    this.home = home;
  }

  /**
   * Returns ids of jobs none of whose runs has begun or ended since a time.
   *
   * @param wanted whether a job is asked for; called before its files are looked at
   * @param most maximum number to return
   */
  public List<String> unchanged(Instant since, Predicate<String> wanted, int most) {
    BlockingIo.check();
    List<String> jobs = new ArrayList<>();
    add(home.control(), since, wanted, most, jobs);
    add(home.runs(), since, id -> wanted.test(id) && !jobs.contains(id), most, jobs);
    return jobs;
  }

  private void add(
      Path parent, Instant since, Predicate<String> wanted, int most, List<String> jobs) {
    try (DirectoryStream<Path> children = Files.newDirectoryStream(parent)) {
      for (Path child : children) {
        String id = child.getFileName().toString();
        if (jobs.size() == most) {
          return;
        } else if (UUID.matcher(id).matches() && wanted.test(id) && !isChanged(id, since)) {
          jobs.add(id);
        }
      }
    } catch (NoSuchFileException e) {
      return;
    } catch (IOException | DirectoryIteratorException e) {
      throw RunException.directory("list", parent, e);
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
