package io.callboard.bootstrap;

import io.callboard.bootstrap.config.Secrets;
import io.callboard.bootstrap.config.StartupFailure;
import io.callboard.bootstrap.process.Console;
import io.callboard.dashboard.internal.auth.Passwords;
import io.callboard.dashboard.internal.auth.UsersFile;
import io.callboard.dashboard.internal.contract.Role;
import io.callboard.node.internal.data.FileFailure;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFileAttributeView;
import java.nio.file.attribute.PosixFileAttributes;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Command that makes the line of a user for the users file of {@code http.auth}. */
@Command(
    sortOptions = false,
    description =
        "Makes the line of a user for the users file of a node (http.auth.users). The password is asked for, or is the first line of the input where there is no terminal.",
    footer = {
      "",
      "A node reads its users file again when it has changed. To take a user out, delete the line."
    })
final class PasswdCommand implements Callable<Integer> {
  @Parameters(index = "0", paramLabel = "NAME", description = "Name of the user.")
  String name = "";

  @Parameters(index = "1", paramLabel = "ROLE", description = "viewer, operator or admin.")
  String role = "";

  @Option(
      names = "--file",
      paramLabel = "FILE",
      description =
          "Users file in which the line is added, or replaces that of the user, instead of being printed.")
  @Nullable Path file;

  @Mixin Console console = new Console();

  @Override
  public Integer call() {
    String line;
    try {
      Role meant = Role.ofUser(role);
      String unused = UsersFile.line(name, meant, ""); // a wrong name before the password
      line = UsersFile.line(name, meant, Passwords.hash(password()));
    } catch (IllegalArgumentException e) {
      throw StartupFailure.usage(String.valueOf(e.getMessage()));
    }
    Path users = file;
    if (users == null) {
      console.print(line);
    } else {
      console.print(
          "%s: %s was %s".formatted(users, name, write(users, line) ? "replaced" : "added"));
    }
    return 0;
  }

  private String password() {
    return Secrets.asked("Password of %s: ".formatted(name))
        .map(
            first -> {
              if (!first.equals(Secrets.asked("The same again: ").orElse(""))) {
                throw StartupFailure.usage("the two passwords differ");
              }
              return first;
            })
        .orElseGet(PasswdCommand::read);
  }

  private static String read() {
    try {
      BufferedReader in =
          new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
      String line = in.readLine();
      return line == null ? "" : line;
    } catch (IOException e) {
      throw StartupFailure.failed("the password cannot be read: " + e.getMessage());
    }
  }

  /** Writes the line into a new file, which only its owner can read and which takes the place. */
  private boolean write(Path given, String line) {
    try {
      Path users = Files.exists(given) ? given.toRealPath() : given.toAbsolutePath();
      List<String> lines = new ArrayList<>();
      if (Files.exists(users)) {
        lines.addAll(Files.readAllLines(users));
      }
      boolean replaced = lines.removeIf(each -> each.strip().startsWith(name + ":"));
      lines.add(line);
      Path next = Files.createTempFile(users.getParent(), users.getFileName() + "-", "");
      try {
        Files.write(next, lines);
        keepOwner(users, next);
        Files.move(
            next, users, StandardCopyOption.REPLACE_EXISTING, StandardCopyOption.ATOMIC_MOVE);
      } finally {
        boolean unused = Files.deleteIfExists(next); // there only after a failure
      }
      return replaced;
    } catch (IOException e) {
      throw StartupFailure.failed(
          "%s cannot be written: %s".formatted(given, FileFailure.reason(e)));
    }
  }

  /** Gives a new file the owner, group and permissions of the one whose place it takes. */
  private static void keepOwner(Path users, Path next) throws IOException {
    PosixFileAttributeView to = Files.getFileAttributeView(next, PosixFileAttributeView.class);
    if (to == null || !Files.exists(users)) {
      return;
    }
    PosixFileAttributes before = Files.readAttributes(users, PosixFileAttributes.class);
    PosixFileAttributes now = to.readAttributes();
    if (!now.owner().equals(before.owner())) {
      to.setOwner(before.owner());
    }
    if (!now.group().equals(before.group())) {
      to.setGroup(before.group());
    }
    to.setPermissions(before.permissions());
  }
}
