package io.callboard.bootstrap.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.callboard.dashboard.AuthOptions;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class HttpSettingsTest {
  @TempDir Path directory;

  private HttpSettings read(String yaml) throws IOException {
    return ConfFileTest.right(
            ConfFile.read(Files.writeString(directory.resolve("conf.yaml"), yaml)))
        .http();
  }

  @Test
  void aFileThatSaysNothingAsksForNoLogin() throws IOException {
    assertThat(read("slots: 1")).isEqualTo(HttpSettings.NONE);
  }

  @Test
  void everyKeyIsRead() throws IOException {
    HttpSettings http =
        read(
            """
            http:
              readOnly: true
              names: [callboard.example.org]
              auth:
                users: /etc/callboard/users
                proxies: [10.0.0.7, "::1"]
                session: {idle: PT5M, most: PT8H}
                tokens:
                  issuer: https://login.example.org
                  audience: callboard
                  keys: /etc/callboard/jwks.json
                  userClaim: email
                  roleClaim: realm_access.roles
                  roles: {sre: admin}
            """);
    assertThat(http.readOnly()).isTrue();
    assertThat(http.names()).containsExactly("callboard.example.org");
    AuthOptions auth = http.auth().orElseThrow();
    assertThat(auth.users()).contains(Path.of("/etc/callboard/users"));
    assertThat(auth.proxies()).containsExactly("10.0.0.7", "0:0:0:0:0:0:0:1");
    assertThat(auth.idle()).isEqualTo(Duration.ofMinutes(5));
    assertThat(auth.most()).isEqualTo(Duration.ofHours(8));
    AuthOptions.Tokens tokens = auth.tokens().orElseThrow();
    assertThat(tokens.keys()).isEqualTo("/etc/callboard/jwks.json");
    assertThat(tokens.userClaim()).isEqualTo("email");
    assertThat(tokens.roles()).containsEntry("sre", "admin");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "http: 5                      | /http: must be an object, not a number",
        "http: {readonly: true}       | /http/readonly: is unknown; did you mean \"readOnly\"?",
        "http: {readOnly: 1}          | /http/readOnly: must be true or false, not a number",
        "http: {names: a}             | /http/names: must be a list of up to 50 texts",
        "http:                        | /http: is empty: give it a value, or delete the key",
        "http: {auth: }               | /http/auth: is empty: give it a value, or delete the key",
        "http: {auth: '  '}           | /http/auth: is empty",
        "http: {auth: a}              | /http/auth: must be an object, not a text",
        "http: {auth: {tokens: {isuer: a}}} | /http/auth/tokens/isuer: is unknown; did you mean \"issuer\"?",
        "http: {auth: {users: a, proxies: [localhost]}} | /http/auth: proxies are addresses, not names: localhost",
        "http: {auth: {}}             | /http/auth: a login needs users or tokens",
        "http: {auth: {user: a}}      | /http/auth/user: is unknown; did you mean \"users\"?",
        "http: {auth: {users: 7}}     | /http/auth/users: must be a text, not a number",
        "http: {auth: {users: a, session: {idle: 5}}} | /http/auth/session/idle: must be an ISO 8601 duration such as PT30S, not a number",
        "http: {auth: {users: a, session: {idle: PT1S}}} | /http/auth: idle is PT1M to PT720H, not PT1S",
        "http: {auth: {tokens: {audience: a}}} | /http/auth/tokens/issuer: is missing",
        "http: {auth: {tokens: {issuer: 'http://a.example', audience: b}}} | /http/auth: the keys of tokens are read over https",
        "http: {auth: {tokens: {issuer: a, audience: b, keys: 'http://a.example/k'}}} | not from http://a.example/k",
        "http: {auth: {tokens: {issuer: a, audience: b}}} | without keys the issuer must be a URL",
        "http: {auth: {tokens: {issuer: a, audience: b, keys: c, roles: {x: root}}}} | a role is viewer, operator or admin, not \"root\"",
      })
  void aMistakeIsNamedWithItsPlace(String yaml, String why) {
    assertThatThrownBy(() -> read(yaml)).hasMessageContaining(why);
  }
}
