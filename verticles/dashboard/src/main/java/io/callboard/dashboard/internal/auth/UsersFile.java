package io.callboard.dashboard.internal.auth;

import io.callboard.dashboard.internal.contract.IsoText;
import io.callboard.dashboard.internal.contract.Role;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.regex.Pattern;

/**
 * Content of a users file: a line for each user, {@code name:role:hash}; empty lines and those that
 * begin with # are ignored. Pure.
 *
 * @param users users by name
 */
public record UsersFile(Map<String, Entry> users) {
  /** Maximum size of a file, in bytes. */
  static final int MOST_BYTES = 1024 * 1024;

  /** Maximum length of a user's name. */
  static final int MOST_NAME = 64;

  private static final int MOST_USERS = 5_000;
  private static final Pattern NAME = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._@-]{0,63}");

  /**
   * User of the file.
   *
   * @param name name
   * @param role what the user may do
   * @param hash hash of the password, as {@link Passwords} makes it
   */
  public record Entry(String name, Role role, String hash) {
    @Override
    public String toString() {
      return name + ":" + role.word(); // without the hash, which no log needs
    }
  }

  /** Copies the map. */
  public UsersFile {
    users = Map.copyOf(users);
  }

  /**
   * Returns a line of the file.
   *
   * @throws IllegalArgumentException if there can be no such user
   */
  public static String line(String name, Role role, String hash) {
    checkName(name);
    return "%s:%s:%s".formatted(name, role.word(), hash);
  }

  /**
   * Reads a file.
   *
   * @throws IllegalArgumentException that names the line, without what might be a secret
   */
  static UsersFile parse(String text) {
    Map<String, Entry> users = new LinkedHashMap<>();
    int number = 0;
    for (String line : text.split("\\R", -1)) {
      number++;
      if (line.isBlank() || line.startsWith("#")) {
        continue;
      }
      try {
        Entry entry = entry(line.strip());
        if (users.put(entry.name(), entry) != null) {
          throw new IllegalArgumentException("user %s is there twice".formatted(entry.name()));
        }
        if (users.size() > MOST_USERS) {
          throw new IllegalArgumentException("there are more than %d users".formatted(MOST_USERS));
        }
      } catch (IllegalArgumentException e) {
        throw new IllegalArgumentException("line %d: %s".formatted(number, e.getMessage()), e);
      }
    }
    return new UsersFile(users);
  }

  private static Entry entry(String line) {
    String[] fields = line.split(":", -1);
    if (fields.length != 3) {
      throw new IllegalArgumentException(
          "it must be name:role:hash, which has 3 fields, not %d".formatted(fields.length));
    }
    checkName(fields[0]);
    Role role = Role.ofUser(fields[1]);
    int unused = Passwords.iterations(fields[2]);
    return new Entry(fields[0], role, fields[2]);
  }

  private static void checkName(String name) {
    if (!NAME.matcher(name).matches()) {
      throw new IllegalArgumentException(
          "a user's name has up to 64 letters, digits and . _ @ -, the first a letter or digit, not "
              + IsoText.quoted(name));
    }
  }

  /**
   * Returns the iterations of each hash, in ascending order; those of a new one if there is none.
   */
  int[] iterations() {
    return users.isEmpty()
        ? new int[] {Passwords.ITERATIONS}
        : users.values().stream()
            .mapToInt(user -> Passwords.iterations(user.hash()))
            .sorted()
            .toArray();
  }
}
