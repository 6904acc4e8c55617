package io.callboard.dashboard.auth;

import io.callboard.dashboard.contract.Role;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Base64;
import java.util.stream.Collectors;

/** Users for tests: one of each role, named like it, with the word twice as the password. */
public final class TestUsers {
  private TestUsers() {}

  /** Returns a line for each role; the hashes are as fast as may be. */
  public static String text() {
    return Role.ofUsers().stream().map(role -> line(role)).collect(Collectors.joining("\n"));
  }

  /** Returns the line of a role. */
  public static String line(Role role) {
    return line(role.word(), role);
  }

  /** Returns the line of a user with a role and its password. */
  public static String line(String user, Role role) {
    return UsersFile.line(user, role, Passwords.hash(password(role), 100_000));
  }

  /** Returns the password of a role. */
  public static String password(Role role) {
    return role.word() + role.word();
  }

  /** Writes a users file, whole at once. */
  public static Path write(Path file, String text) {
    try {
      Path whole = Files.writeString(file.resolveSibling(file.getFileName() + ".new"), text);
      return Files.move(whole, file, StandardCopyOption.ATOMIC_MOVE);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Returns the value of an Authorization header. */
  public static String basic(String user, String password) {
    byte[] pair = (user + ":" + password).getBytes(StandardCharsets.UTF_8);
    return "Basic " + Base64.getEncoder().encodeToString(pair);
  }

  /** Returns the value of an Authorization header for the user of a role. */
  public static String basic(Role role) {
    return basic(role.word(), password(role));
  }
}
