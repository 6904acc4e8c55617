package io.callboard.zookeeper.access;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.regex.Pattern;

/** User and password for ZooKeeper's scheme {@code digest}; its text never shows them. */
public final class ZooKeeperCredentials {
  /** ZooKeeper's name of the scheme. */
  public static final String SCHEME = "digest";

  private static final Pattern FORM = Pattern.compile("[\\x21-\\x7e&&[^:]]+:[\\x20-\\x7e]+");
  private static final long MOST_BYTES = 4_096;

  private final String userAndPassword;

  private ZooKeeperCredentials(String userAndPassword) {
    this.userAndPassword = userAndPassword;
  }

  /**
   * Returns the credentials of a user.
   *
   * @param where names the place it comes from, in the error
   * @param userAndPassword {@code user:password}, printable ASCII
   * @throws IllegalArgumentException without what was given
   */
  public static ZooKeeperCredentials of(String where, String userAndPassword) {
    if (!FORM.matcher(userAndPassword).matches()) {
      throw new IllegalArgumentException(
          where + " must hold one line, user:password, of printable ASCII characters");
    }
    return new ZooKeeperCredentials(userAndPassword);
  }

  /**
   * Reads a file with one line, {@code user:password}.
   *
   * @throws IllegalArgumentException if it cannot be read or holds something else
   */
  public static ZooKeeperCredentials read(Path file) {
    try {
      if (Files.size(file) > MOST_BYTES) {
        throw new IllegalArgumentException("%s is too long for credentials".formatted(file));
      }
      String text = new String(Files.readAllBytes(file), StandardCharsets.UTF_8);
      return of(file.toString(), text.replaceFirst("\\r?\\n\\z", ""));
    } catch (NoSuchFileException e) {
      throw new IllegalArgumentException("the file %s does not exist".formatted(file), e);
    } catch (IOException e) {
      throw new IllegalArgumentException("the file %s cannot be read".formatted(file), e);
    }
  }

  /** Returns the credentials as the scheme expects them. */
  public byte[] bytes() {
    return userAndPassword.getBytes(StandardCharsets.UTF_8);
  }

  @Override
  public String toString() {
    return SCHEME + " credentials";
  }
}
