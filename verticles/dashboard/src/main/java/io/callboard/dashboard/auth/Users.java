package io.callboard.dashboard.auth;

import io.vertx.core.Vertx;
import java.io.IOException;
import java.nio.charset.CharacterCodingException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Users of a file, which is read again when it has changed. While it cannot be read, the users stay
 * as they were. Thread-safe.
 */
final class Users {
  /** Time after which a look at the file is due again. */
  static final Duration EVERY = Duration.ofSeconds(2);

  private static final Logger log = LoggerFactory.getLogger(Users.class);

  private final Vertx vertx;
  private final Path file;
  private volatile Read read;
  private long lookedMs;
  private boolean looking;
  private @Nullable String failure;

  /**
   * What was read.
   *
   * @param stamp what tells whether the file has changed since
   * @param users its users
   * @param decoy hash that is checked for a user who does not exist: nobody's password
   */
  private record Read(Stamp stamp, UsersFile users, String decoy) {}

  private record Stamp(FileTime changed, long size) {}

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
    return new Users(vertx, file, readAll(file));
  }

  private static Read readAll(Path file) {
    try {
      Stamp stamp = stamp(file);
      if (stamp.size() > UsersFile.MOST_BYTES) {
        throw new IllegalArgumentException(
            "the users file %s has more than %d bytes".formatted(file, UsersFile.MOST_BYTES));
      }
      UsersFile users = parsed(file, Files.readString(file));
      return new Read(stamp, users, Passwords.hash("", users.iterations()));
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
    return new Stamp(Files.getLastModifiedTime(file), Files.size(file));
  }

  /** Returns a user. */
  Optional<UsersFile.Entry> find(String name) {
    return Optional.ofNullable(read.users().users().get(name));
  }

  /** Returns whether a user is in the file as before: with the same role and password. */
  boolean has(UsersFile.Entry user) {
    return find(user.name()).filter(user::equals).isPresent();
  }

  /** Returns a hash that takes as long to check as those of users, and that no login passes. */
  String decoy() {
    return read.decoy();
  }

  /** Looks at the file, on another thread, if the last look was some time ago. */
  void look(long nowMs) {
    synchronized (this) {
      if (looking || nowMs - lookedMs < EVERY.toMillis()) {
        return;
      }
      looking = true;
      lookedMs = nowMs;
    }
    var unused =
        vertx
            .executeBlocking(
                () -> {
                  readAgain();
                  return null;
                },
                false)
            .onComplete(
                done -> {
                  synchronized (this) {
                    looking = false;
                  }
                });
  }

  /** Reads the file if it has changed; blocks. */
  private void readAgain() {
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
