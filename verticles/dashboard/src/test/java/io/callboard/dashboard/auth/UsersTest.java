package io.callboard.dashboard.auth;

import static io.callboard.testkit.Futures.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.callboard.dashboard.contract.Role;
import io.callboard.testkit.LogCapture;
import io.callboard.time.Time;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.event.Level;

class UsersTest {
  private final Vertx vertx = Vertx.vertx();
  @TempDir Path directory;
  private Path file;

  @BeforeEach
  void write() {
    file = TestUsers.write(directory.resolve("users"), TestUsers.text());
  }

  @AfterEach
  void close() {
    await(vertx.close());
  }

  @Test
  void theFileIsLookedAtThoughNobodyAsks() {
    Users users = Users.open(vertx, file);
    UsersFile.Entry admin = users.find("admin").orElseThrow();
    users.watch(Time.SYSTEM);
    TestUsers.write(file, TestUsers.line(Role.VIEWER));
    Instant end = Instant.now().plus(Duration.ofSeconds(30));
    while (users.has(admin) && Instant.now().isBefore(end)) {
      LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(20));
    }
    assertThat(users.has(admin)).isFalse();
    assertThat(users.find("viewer")).isPresent();
    users.close();
  }

  @Test
  void anUnknownNameTakesAsLongAsSomeUserAndNoPasswordIsRight() {
    Users users = Users.open(vertx, file);
    assertThat(Passwords.iterations(users.decoy("nobody"))).isEqualTo(100_000);
    assertThat(Passwords.matches(users.decoy("nobody"), "")).isFalse();
    assertThat(users.decoy("nobody")).isEqualTo(users.decoy("nobody"));
  }

  @Test
  void whoIsTakenOutWhileThePasswordIsCheckedIsNotLetIn() {
    String slow = UsersFile.line("ann", Role.ADMIN, Passwords.hash("annannann", 600_000));
    Users users =
        Users.open(vertx, TestUsers.write(file, slow + "\n" + TestUsers.line(Role.VIEWER)));
    PasswordLogin login = new PasswordLogin(vertx, users, Clock.systemUTC());
    Future<UsersFile.Entry> checked = login.check("ann", "annannann", "a");
    TestUsers.write(file, TestUsers.line(Role.VIEWER));
    users.readAgain();
    assertThat(users.find("ann")).isEmpty();
    assertThatThrownBy(() -> await(checked)).hasMessageContaining("the user or the password");
  }

  @Test
  void aFileWithoutAUserIsNoWayToStartAndMeansNobodyLater() {
    Path empty = TestUsers.write(directory.resolve("empty"), "# nobody\n");
    assertThatThrownBy(() -> Users.open(vertx, empty)).hasMessageContaining("there is no user in");
    Users users = Users.open(vertx, file);
    TestUsers.write(file, "# nobody\n");
    users.readAgain();
    assertThat(users.find("admin")).isEmpty();
  }

  @Test
  void oneThatOthersMayWriteToIsAWarningOnceForEachChange() throws Exception {
    permit("rw-rw----");
    try (LogCapture log = LogCapture.of(Users.class)) {
      Users users = Users.open(vertx, file);
      assertThat(log.expect(Level.WARN, file.toString()).text())
          .contains("member of the group")
          .contains("chmod go-w");
      users.readAgain();
      assertThat(warnings(log)).isEqualTo(1);
      permit("rw-----w-");
      users.readAgain();
      users.readAgain();
      assertThat(log.expect(Level.WARN, "every user of this machine")).isNotNull();
      assertThat(warnings(log)).isEqualTo(2);
      permit("rw-r--r--");
      users.readAgain();
      assertThat(warnings(log)).isEqualTo(2);
      assertThat(users.find("admin")).isPresent();
    }
  }

  private void permit(String rights) throws IOException {
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString(rights));
  }

  private static long warnings(LogCapture log) {
    return log.lines().stream().filter(line -> line.level() == Level.WARN).count();
  }

  @Test
  void anotherFileOfTheSameSizeAndTimeIsRead() throws Exception {
    Users users = Users.open(vertx, file);
    FileTime before = Files.getLastModifiedTime(file);
    Path other =
        TestUsers.write(
            directory.resolve("other"), TestUsers.text().replace("admin:admin:", "adnim:admin:"));
    Files.setLastModifiedTime(other, before);
    Files.move(other, file, StandardCopyOption.REPLACE_EXISTING);
    users.readAgain();
    assertThat(users.find("admin")).isEmpty();
  }
}
