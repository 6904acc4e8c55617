package io.callboard.dashboard.internal.auth;

import io.callboard.time.Time;
import io.vertx.core.Vertx;
import java.io.IOException;
import java.nio.charset.CharacterCodingException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFileAttributeView;
import java.nio.file.attribute.PosixFileAttributes;
import java.nio.file.attribute.PosixFilePermission;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Users of a file, which is checked every two seconds and read again when it has changed. While it
 * cannot be read, the users stay as they were; one without a user means nobody. One that others may
 * write to is read, with a warning. Thread-safe.
 */
final class Users {
  /** Time between looks at the file. */
  static final Duration EVERY = Duration.ofSeconds(2);

  private static final Logger log = LoggerFactory.getLogger(Users.class);

  private final Vertx vertx;
  private final Path file;
  private volatile Read read;
  private Time.@Nullable Alarm next;
  private boolean closed;
  private volatile @Nullable String failure;

  /**
   * Users file as it was read.
   *
   * @param stamp what tells whether the file has changed since
   * @param users its users
   * @param iterations those of the users' hashes; never empty
   * @param decoy hash that is checked for a user who does not exist: nobody's password
   */
  @SuppressWarnings("ArrayRecordComponent")
  private record Read(Stamp stamp, UsersFile users, int[] iterations, String decoy) {}

  /**
   * State of the file.
   *
   * @param writers who else may write to it, in words; empty if nobody
   */
  private record Stamp(
      FileTime changed, long size, @Nullable Object fileKey, Optional<String> writers) {}

  private Users(Vertx vertx, Path file, Read read) {
    this.vertx = vertx;
    this.file = file;
    this.read = read;
  }

  /**
   * Reads the file; blocks.
   *
   * @throws IllegalArgumentException with one line that names the file and what is wrong with it
   */
  static Users open(Vertx vertx, Path file) {
    Read first = readAll(file);
    if (first.users().users().isEmpty()) {
      throw new IllegalArgumentException(
          "the users file %s: there is no user in it; make a line with callboard passwd NAME ROLE"
              .formatted(file));
    }
    return new Users(vertx, file, first);
  }

  private static Read readAll(Path file) {
    try {
      Stamp stamp = stamp(file);
      if (stamp.size() > UsersFile.MOST_BYTES) {
        throw new IllegalArgumentException(
            "the users file %s has more than %d bytes".formatted(file, UsersFile.MOST_BYTES));
      }
      UsersFile users = parsed(file, Files.readString(file));
      stamp.writers().ifPresent(others -> warn(file, others));
      return new Read(stamp, users, users.iterations(), Passwords.decoy());
    } catch (NoSuchFileException e) {
      throw new IllegalArgumentException("the users file %s does not exist".formatted(file), e);
    } catch (CharacterCodingException e) {
      throw new IllegalArgumentException("the users file %s is not UTF-8".formatted(file), e);
    } catch (IOException e) {
      throw new IllegalArgumentException(
          "the users file %s cannot be read: %s".formatted(file, e.getMessage()), e);
    }
  }

  private static UsersFile parsed(Path file, String text) {
    try {
      return UsersFile.parse(text);
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException(
          "the users file %s: %s".formatted(file, e.getMessage()), e);
    }
  }

  private static Stamp stamp(Path file) throws IOException {
    BasicFileAttributes read = Files.readAttributes(file, BasicFileAttributes.class);
    return new Stamp(read.lastModifiedTime(), read.size(), read.fileKey(), writers(file));
  }

  private static Optional<String> writers(Path file) throws IOException {
    PosixFileAttributeView view = Files.getFileAttributeView(file, PosixFileAttributeView.class);
    if (view == null) {
      return Optional.empty(); // where there are no such permissions
    }
    PosixFileAttributes now = view.readAttributes();
    return now.permissions().contains(PosixFilePermission.OTHERS_WRITE)
        ? Optional.of("every user of this machine")
        : now.permissions().contains(PosixFilePermission.GROUP_WRITE)
            ? Optional.of("every member of the group " + now.group().getName())
            : Optional.empty();
  }

  private static void warn(Path file, String others) {
    log.warn(
        "{} may write to the users file {}, and so log in as anybody: take that right away with chmod go-w",
        others,
        file);
  }

  /** Returns a user. */
  Optional<UsersFile.Entry> find(String name) {
    return Optional.ofNullable(read.users().users().get(name));
  }

  /** Returns whether a user is in the file as before: with the same role and password. */
  boolean has(UsersFile.Entry user) {
    return find(user.name()).filter(user::equals).isPresent();
  }

  /**
   * Returns a hash that no password matches. It takes as long to check as that of one of the users,
   * always the same for a name, so that the time does not tell a name that exists.
   */
  String decoy(String name) {
    Read now = read;
    int[] iterations = now.iterations();
    int like = iterations[Math.floorMod(name.hashCode(), iterations.length)];
    return Passwords.withIterations(now.decoy(), like);
  }

  /** Begins to check the file for changes, on another thread, until {@link #close}. */
  synchronized void watch(Time time) {
    if (!closed) {
      next = time.after(vertx.getOrCreateContext(), EVERY, () -> look(time));
    }
  }

  private void look(Time time) {
    var unused =
        vertx
            .executeBlocking(
                () -> {
                  readAgain();
                  return null;
                },
                false)
            .onFailure(cause -> log.error("the users file {} was not looked at", file, cause))
            .onComplete(done -> watch(time));
  }

  /** Ends the checks. */
  synchronized void close() {
    closed = true;
    if (next != null) {
      next.cancel();
    }
  }

  /** Reads the file if it has changed; blocks. */
  void readAgain() {
    try {
      Stamp now = stamp(file);
      if (now.equals(read.stamp()) && failure == null) {
        return;
      }
      Read next = readAll(file);
      read = next;
      failure = null;
      log.info("the users file {} was read again: {} users", file, next.users().users().size());
    } catch (IOException | IllegalArgumentException e) {
      String why = String.valueOf(e.getMessage());
      if (!why.equals(failure)) {
        log.error("{}; the users stay as they were read before", why);
      }
      failure = why;
    }
  }
}
