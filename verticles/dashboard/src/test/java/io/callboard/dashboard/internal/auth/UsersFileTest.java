package io.callboard.dashboard.internal.auth;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.callboard.dashboard.internal.contract.Role;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class UsersFileTest {
  private static final String HASH = TestUsers.HASHES.get(Role.VIEWER);

  @Test
  void aWrittenLineIsReadAgain() {
    String line = UsersFile.line("ann", Role.OPERATOR, Passwords.hash("correct horse"));
    UsersFile file = UsersFile.parse("# people\n\n" + line + "\r\nbob:viewer:" + HASH + "\n");
    assertThat(file.users()).containsOnlyKeys("ann", "bob");
    UsersFile.Entry ann = file.users().get("ann");
    assertThat(ann.role()).isEqualTo(Role.OPERATOR);
    assertThat(Passwords.matches(ann.hash(), "correct horse")).isTrue();
    assertThat(Passwords.matches(HASH, "viewerviewes")).isFalse();
    assertThat(Passwords.matches(ann.hash(), "x".repeat(Passwords.MOST + 1))).isFalse();
    assertThat(file.iterations()).containsExactly(100_000, 210_000);
    assertThat(file.toString()).as("what a log may get").doesNotContain(ann.hash());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "ann:viewer                      | line 1: it must be name:role:hash, which has 3 fields, not 2",
        "ann:root:HASH                   | line 1: a role is viewer, operator or admin, not \"root\"",
        "ann:anyone:HASH                 | line 1: a role is viewer",
        "a b:viewer:HASH                 | line 1: a user's name has",
        "ann:viewer:secret               | line 1: the hash must be $pbkdf2$it=N",
        "ann:viewer:$sha512$$c2FsdA$aGFzaA | line 1: the hash must be",
        "ann:viewer:HASH;ann:admin:HASH  | line 2: user ann is there twice",
      })
  void aWrongLineIsNamedWithoutWhatMightBeASecret(String text, String why) {
    assertThatThrownBy(() -> UsersFile.parse(text.replace("HASH", HASH).replace(";", "\n")))
        .hasMessageContaining(why)
        .hasMessageNotContaining("secret")
        .hasMessageNotContaining(HASH);
  }

  @ParameterizedTest
  @CsvSource({"99999", "5000001", "0"})
  void aHashThatIsTooFastOrTooSlowIsRefused(int iterations) {
    String hash = HASH.replace("it=100000", "it=" + iterations);
    assertThatThrownBy(() -> Passwords.iterations(hash)).hasMessageContaining("100000 to 5000000");
  }

  @Test
  void aShortPasswordGetsNoHash() {
    assertThatThrownBy(() -> Passwords.hash("1234567"))
        .hasMessage("a password has 8 to 256 characters, not 7");
  }
}
