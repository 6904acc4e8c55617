package io.callboard.bootstrap.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.callboard.bootstrap.LaunchedNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@Tag("real")
class LauncherConfTest {
  private static String[] run(String verticle, String conf) {
    return new String[] {"run", verticle, "-cluster", "-conf", conf};
  }

  private static void refused(String[] arguments, String message) {
    assertThatThrownBy(() -> LauncherConf.check(arguments))
        .isInstanceOfSatisfying(
            StartupFailure.class, e -> assertThat(e.exitCode()).isEqualTo(StartupFailure.USAGE))
        .hasMessageStartingWith("-conf")
        .hasMessageContaining(message)
        .satisfies(e -> assertThat(e.getMessage()).doesNotContain("Exception", "`", "Source:"));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "{\"cell\":\"a\"                  | -conf cannot be read: Unexpected end-of-input",
        "{\"cell\":\"a\",\"cell\":\"b\"}  | the key \"cell\" is there twice",
        "{} {}                            | something follows after its end",
        "nope.json                        | -conf nope.json is neither an existing file nor a JSON",
        "{\"cell\":5}                     | /cell: must be a text, not a number",
        "{\"zookeeper-secure\":\"yes\"}   | /zookeeper-secure: must be true or false, not a text",
        "{\"session-timeout\":\"10s\"}    | /session-timeout: must be an ISO 8601 duration such as PT30S, not the text \"10s\"",
        "{\"zones\":[]}                   | /zones: must be an object, not a list",
        "{\"zones\":{\"io\":{\"kind\":\"x\"}}} | /zones/io: there is no kind \"x\"",
        "{\"actor\":\"/greeter\"}         | /actor: must be an object, not a text",
      })
  void aMistakeIsNamed(String conf, String message) {
    refused(run("com.acme.Greeter", conf), message);
    refused(new String[] {"run", "com.acme.Greeter", "-conf=" + conf}, message);
    refused(new String[] {"run", "com.acme.Greeter", "--conf", conf}, message);
  }

  @Test
  void aFileIsReadAndNamed() throws IOException {
    Path file = LaunchedNode.directory("launcher").resolve("conf.json");
    Files.writeString(file, "");
    refused(run("com.acme.Greeter", file.toString()), file + " must hold a JSON object");
    Files.write(file, new byte[] {'{', '"', (byte) 0xfc, '"', ':', '1', '}'});
    refused(run("com.acme.Greeter", file.toString()), file + " cannot be read: ");
    Files.writeString(file, "/* as Vert.x allows */ {\"cell\":\"a\"}");
    assertThat(LauncherConf.check(run("com.acme.Greeter", file.toString()))).isEmpty();
  }

  @Test
  void aVerticlesOwnKeysPassAndNearOnesAreWarnedOf() {
    assertThat(LauncherConf.check(run("com.acme.Web", "{\"port\":8080,\"cell\":\"a\"}"))).isEmpty();
    assertThat(LauncherConf.check(run("com.acme.Web", "{\"zookeper\":\"h:1\"}")))
        .containsExactly(
            "-conf: \"zookeper\" is passed to the verticle; did you mean \"zookeeper\"?");
  }

  @Test
  void anActorHasNoKeysOfItsOwn() {
    refused(
        run("actor:com.acme.Greeter", "{\"zookeper\":\"h:1\"}"),
        "-conf: /zookeper: is unknown; did you mean \"zookeeper\"?");
    refused(
        run("actor:com.acme.Greeter", "{\"something-else\":1}"), "; there are actor, cell, name, ");
    assertThat(
            LauncherConf.check(
                run("actor:com.acme.Greeter", "{\"actor\":{\"path\":\"/g\"},\"cell\":\"a\"}")))
        .isEmpty();
  }

  @Test
  void withoutAConfNothingIsWrong() {
    assertThat(LauncherConf.check(new String[] {"run", "com.acme.Web"})).isEmpty();
    assertThat(LauncherConf.check(new String[] {"list"})).isEmpty();
  }
}
