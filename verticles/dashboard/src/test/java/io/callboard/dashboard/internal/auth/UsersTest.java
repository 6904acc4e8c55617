package io.callboard.dashboard.internal.auth;

import static io.callboard.testkit.Futures.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.callboard.dashboard.internal.contract.Role;
import io.callboard.testkit.Eventually;
import io.callboard.testkit.LogCapture;
import io.callboard.testkit.ManualTime;
import io.callboard.testkit.Waits;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Clock;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.event.Level;

class UsersTest {
  private final Vertx vertx = Vertx.vertx(new VertxOptions().setWorkerPoolSize(1));
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
  void theFileIsCheckedThoughNobodyAsks() {
    ManualTime time = new ManualTime();
    Users users = Users.open(vertx, file);
    users.watch(time);
    for (Role role : List.of(Role.VIEWER, Role.OPERATOR)) { // again and again
      TestUsers.write(file, TestUsers.line(role));
      assertThat(time.untilNext()).contains(Users.EVERY);
      assertThat(time.advance(Users.EVERY)).isOne();
      Eventually.assertThat(() -> assertThat(time.untilNext()).as("it has looked").isPresent());
      assertThat(users.find("admin")).isEmpty();
      assertThat(users.find(role.word())).isPresent();
    }
    users.close();
    assertThat(time.untilNext()).isEmpty();
  }

  @Test
  void anUnknownNameTakesAsLongAsSomeUserAndNoPasswordIsRight() {
    Users users = Users.open(vertx, file);
    assertThat(Passwords.iterations(users.decoy("nobody"))).isEqualTo(100_000);
    assertThat(Passwords.matches(users.decoy("nobody"), "")).isFalse();
    assertThat(users.decoy("nobody")).isEqualTo(users.decoy("nobody"));
  }

  @Test
  void aFileWithMoreRoundsIsReadAndUnknownNamesTakeAsLongAsItsUsers() {
    String slow =
        "ann:admin:$pbkdf2$it=600000$XijyeB/nMx/0qMJyy1W0iw$4ZIfdGu6NUV7+1PiHoVOumgR9h25jtqaB69d0Pj4pmdAmm4AZ/VeLQNAKmue/59puMkA668cQOMAsdkMleyOUw";
    Users users =
        Users.open(vertx, TestUsers.write(file, slow + "\n" + TestUsers.line(Role.VIEWER)));
    assertThat(users.find("ann").orElseThrow().role()).isEqualTo(Role.ADMIN);
    assertThat(Stream.of("bob", "eve", "kim", "nobody", "zoe").map(users::decoy))
        .extracting(Passwords::iterations)
        .contains(600_000, 100_000);
  }

  @Test
  void aUserWhoIsRemovedWhileThePasswordIsCheckedIsRefused() {
    Users users = Users.open(vertx, file);
    PasswordLogin login = new PasswordLogin(vertx, users, Clock.systemUTC());
    CountDownLatch held = new CountDownLatch(1);
    Future<Boolean> worker =
        vertx.executeBlocking(
            () -> {
              Waits.opened(held);
              return true;
            }); // the only one
    Future<UsersFile.Entry> taken =
        login.check("admin", TestUsers.password(Role.ADMIN), "127.0.0.1");
    Future<UsersFile.Entry> stays =
        login.check("viewer", TestUsers.password(Role.VIEWER), "127.0.0.1");
    TestUsers.write(file, TestUsers.line(Role.VIEWER));
    users.readAgain();
    assertThat(users.find("admin")).isEmpty();
    assertThat(taken.isComplete()).isFalse();
    held.countDown();
    assertThat(await(worker)).isTrue();
    assertThatThrownBy(() -> await(taken)).hasMessageContaining("the user or the password");
    assertThat(await(stays).name()).isEqualTo("viewer");
  }

  @Test
  void aFileWithoutUsersPreventsAStartAndLocksEverybodyOutLater() {
    Path empty = TestUsers.write(directory.resolve("empty"), "# nobody\n");
    assertThatThrownBy(() -> Users.open(vertx, empty)).hasMessageContaining("there is no user in");
    Users users = Users.open(vertx, file);
    TestUsers.write(file, "# nobody\n");
    users.readAgain();
    assertThat(users.find("admin")).isEmpty();
  }

  @Test
  void aFileThatOthersMayWriteToIsAWarningOnceForEachChange() throws Exception {
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
