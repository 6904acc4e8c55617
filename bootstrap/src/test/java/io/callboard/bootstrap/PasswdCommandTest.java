package io.callboard.bootstrap;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.abort;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFileAttributeView;
import java.nio.file.attribute.PosixFileAttributes;
import java.nio.file.attribute.PosixFilePermissions;
import java.nio.file.attribute.UserPrincipalLookupService;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Lines of the users file, with the password from the input, as there is no terminal. */
class PasswdCommandTest {
  private static final String HASH = "\\$pbkdf2\\$it=210000\\$[^:$]+\\$[^:$]+";

  @TempDir Path directory;
  private final InputStream before = System.in;

  @AfterEach
  void giveBack() {
    System.setIn(before);
  }

  private static CommandRun passwd(String password, String... arguments) {
    System.setIn(new ByteArrayInputStream((password + "\n").getBytes(StandardCharsets.UTF_8)));
    return CommandRun.of(arguments);
  }

  @Test
  void aLineIsPrintedWithoutThePassword() {
    CommandRun run = passwd("correct horse", "passwd", "ann", "operator");
    assertThat(run.code()).as(run.err()).isZero();
    assertThat(run.out().strip()).matches("ann:operator:" + HASH).doesNotContain("correct");
  }

  @Test
  void aFileGetsTheLineAndKeepsTheOthers() throws IOException {
    Path users = directory.resolve("users");
    String file = users.toString();
    assertThat(passwd("12345678", "passwd", "ann", "viewer", "--file", file).out())
        .contains("ann was added");
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(users)))
        .isEqualTo("rw-------");
    assertThat(passwd("12345678", "passwd", "bob", "viewer", "--file", file).code()).isZero();
    assertThat(passwd("87654321", "passwd", "ann", "admin", "--file", file).out())
        .contains("ann was replaced");
    List<String> lines = Files.readAllLines(users);
    assertThat(lines).hasSize(2);
    assertThat(lines.get(0)).matches("bob:viewer:" + HASH);
    assertThat(lines.get(1)).matches("ann:admin:" + HASH);
    try (var all = Files.list(directory)) {
      assertThat(all).containsExactly(users);
    }
  }

  @Test
  void theFileBehindALinkIsChangedAndKeepsItsRights() throws IOException {
    Path users = Files.writeString(directory.resolve("users"), "# people\n");
    Files.setPosixFilePermissions(users, PosixFilePermissions.fromString("rw-r-----"));
    Path link = Files.createSymbolicLink(directory.resolve("link"), users);
    assertThat(passwd("12345678", "passwd", "ann", "viewer", "--file", link.toString()).code())
        .isZero();
    assertThat(link).isSymbolicLink();
    assertThat(Files.readString(users)).startsWith("# people\nann:viewer:");
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(users)))
        .isEqualTo("rw-r-----");
  }

  @Test
  void theFileKeepsItsOwnerAndGroup() throws IOException {
    Path users = Files.writeString(directory.resolve("users"), "# people\n");
    UserPrincipalLookupService names = directory.getFileSystem().getUserPrincipalLookupService();
    PosixFileAttributeView view = Files.getFileAttributeView(users, PosixFileAttributeView.class);
    PosixFileAttributes before = view.readAttributes();
    try {
      view.setOwner(names.lookupPrincipalByName("65534"));
      view.setGroup(names.lookupPrincipalByGroupName("65534"));
    } catch (FileSystemException e) {
      abort("only root may give a file to somebody else: " + e.getMessage());
    }
    PosixFileAttributes given = view.readAttributes();
    assertThat(given.owner()).isNotEqualTo(before.owner());
    assertThat(given.group()).isNotEqualTo(before.group());
    assertThat(passwd("12345678", "passwd", "ann", "viewer", "--file", users.toString()).code())
        .isZero();
    PosixFileAttributes now = Files.readAttributes(users, PosixFileAttributes.class);
    assertThat(Files.readString(users)).contains("ann:viewer:");
    assertThat(now.owner()).isEqualTo(given.owner());
    assertThat(now.group()).isEqualTo(given.group());
  }

  @Test
  void aWrongNameRoleOrPasswordIsNamed() {
    passwd("12345678", "passwd", "a:b", "viewer").failed(2, "a user's name has");
    passwd("12345678", "passwd", "ann", "root").failed(2, "a role is viewer, operator or admin");
    passwd("short", "passwd", "ann", "viewer")
        .failed(2, "a password has 8 to 256 characters, not 5");
  }
}
