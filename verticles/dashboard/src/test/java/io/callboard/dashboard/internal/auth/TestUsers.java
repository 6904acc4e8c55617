package io.callboard.dashboard.internal.auth;

import io.callboard.dashboard.internal.contract.Role;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Base64;
import java.util.Map;
import java.util.stream.Collectors;

/** Users for tests: one of each role, named like it, with the word twice as the password. */
public final class TestUsers {
  /** Password that nobody has, as none is that long; that costs no hash. */
  public static final String WRONG = "x".repeat(Passwords.MOST + 1);

  /** Hashes of the passwords, of as few rounds as may be, made by {@link Passwords}. */
  static final Map<Role, String> HASHES =
      Map.of(
          Role.VIEWER,
          "$pbkdf2$it=100000$OEh6VIHc16igAY4TI1nyxQ$RKyQi3wf8XdU1cGlEq8axRMPmtk+y6FUtePiNIMsAW93rF53Z5PMWFAf2qHTWUZgwzWnqymksOSdxaRp8X1lsg",
          Role.OPERATOR,
          "$pbkdf2$it=100000$KxqXBGtEwNywHT11tZx9qQ$Spa9wp4A9Qh36g2ADHH6IpdFwfrP9koRwXUL3dyaa9Fo6oNILgc16k3lSmCVNQEFAp0DX5FlqskYOCo8W4GX5w",
          Role.ADMIN,
          "$pbkdf2$it=100000$XDCcVYQbVNLOIxbyg9uWAA$MzR+J+aL1l+vk9JOMUJXK0ivsOrGFBAKLxjSa5n6cQqrtVaYajGhmZP6GFUga5diAxxfm1N+2Cx+ON5sTuo3yg");

  private TestUsers() {}

  /** Returns a line for each role. */
  public static String text() {
    return Role.ofUsers().stream().map(role -> line(role)).collect(Collectors.joining("\n"));
  }

  /** Returns the line of a role. */
  public static String line(Role role) {
    return line(role.word(), role);
  }

  /** Returns the line of a user with a role and its password. */
  public static String line(String user, Role role) {
    return UsersFile.line(user, role, HASHES.get(role));
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
