package io.callboard.bootstrap.client;

import static org.assertj.core.api.Assertions.assertThat;

import io.callboard.bootstrap.client.ScriptedNode.Reply;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Base64;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What commands send of the login, the reason and the media type. */
class LoginCommandsTest {
  @TempDir Path directory;

  private static ScriptedNode node() throws IOException {
    return new ScriptedNode(request -> Reply.of("{\"items\":[],\"name\":\"ocr\"}"));
  }

  private Path file(String content) throws IOException {
    return Files.writeString(directory.resolve("secret"), content);
  }

  @Test
  void aPasswordComesFromAFileAndAReasonIsEncoded() throws IOException {
    try (ScriptedNode node = node()) {
      String password = file("pass:wörd\nsecond line\n").toString();
      assertThat(
              node.run(
                  "pause",
                  "ocr",
                  "--user",
                  "ann",
                  "--password-file",
                  password,
                  "--reason",
                  "voll ä"))
          .as(node.err())
          .isZero();
      byte[] pair = "ann:pass:wörd".getBytes(StandardCharsets.UTF_8);
      assertThat(node.headers())
          .containsExactly(
              "Basic %s|application/json|voll%%20%%C3%%A4"
                  .formatted(Base64.getEncoder().encodeToString(pair)));
    }
  }

  @Test
  void aTokenComesFromAFileAndReadsHaveNoMediaType() throws IOException {
    try (ScriptedNode node = node()) {
      assertThat(node.run("types", "--token-file", file("abc.def\n").toString())).isZero();
      assertThat(node.headers()).containsExactly("Bearer abc.def|null|null");
    }
  }

  @Test
  void withoutALoginNoneIsSentAndARefusalSaysHow() throws IOException {
    try (ScriptedNode node =
        new ScriptedNode(request -> Reply.refusal(401, "UNAUTHENTICATED", "needs a login"))) {
      assertThat(node.run("types")).isEqualTo(1);
      assertThat(node.headers()).containsExactly("null|null|null");
      assertThat(node.err()).contains("needs a login; log in with --user or --token-file");
    }
  }

  @Test
  void aRefusalOfAWriteSaysWhyThoughTheJdkDropsItsBody() throws IOException {
    try (ScriptedNode node =
        new ScriptedNode(
            request ->
                new Reply(
                    401,
                    Map.of("WWW-Authenticate", "Basic realm=\"Callboard\""),
                    "{\"code\":\"UNAUTHENTICATED\",\"detail\":\"needs a login\"}"
                        .getBytes(StandardCharsets.UTF_8)))) {
      assertThat(node.run("pause", "ocr")).isEqualTo(1);
      assertThat(node.err()).contains("needs a login; log in with --user or --token-file");
      assertThat(node.run("pause", "ocr", "--token-file", file("abc").toString())).isEqualTo(1);
      assertThat(node.err()).contains("the node refuses the login that was given");
      assertThat(node.asked()).hasSize(2);
    }
  }

  @Test
  void aLoginIsNotSentInClearTextToAnotherMachine() throws IOException {
    try (ScriptedNode node = node()) {
      String token = file("abc").toString();
      String url = node.url().replace("127.0.0.1", "[::ffff:127.0.0.1]"); // no name of loopback
      assertThat(node.runAt(url, "types", "--token-file", token)).isEqualTo(1);
      assertThat(node.err())
          .contains("the login would be sent to %s in clear text".formatted(url))
          .contains("--plain-http");
      assertThat(node.asked()).isEmpty();
      assertThat(node.runAt(url, "types", "--token-file", token, "--plain-http")).isZero();
      assertThat(node.headers()).containsExactly("Bearer abc|null|null");
    }
  }

  @Test
  void twoLoginsAreOneTooMany() throws IOException {
    try (ScriptedNode node = node()) {
      String token = file("abc").toString();
      assertThat(node.run("types", "--user", "ann", "--token-file", token)).isEqualTo(1);
      assertThat(node.err()).contains("give --user or --token-file, not both");
      assertThat(node.run("types", "--password-file", token)).isEqualTo(1);
      assertThat(node.err()).contains("--password-file needs --user");
      assertThat(node.asked()).isEmpty();
    }
  }

  @Test
  void aTokenThatIsNoneIsRefusedWithoutBeingShown() throws IOException {
    try (ScriptedNode node = node()) {
      assertThat(node.run("types", "--token-file", file("sec ret").toString())).isEqualTo(1);
      assertThat(node.err()).contains("one word of visible ASCII").doesNotContain("sec ret");
      assertThat(node.asked()).isEmpty();
    }
  }
}
