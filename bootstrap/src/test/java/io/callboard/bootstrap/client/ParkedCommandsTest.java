package io.callboard.bootstrap.client;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;

/** Test of the commands on parked messages, against a scripted node. */
class ParkedCommandsTest {
  private final StringWriter out = new StringWriter();
  private HttpServer server;
  private String answer = "{}";

  @BeforeEach
  void start() throws IOException {
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.createContext(
        "/api/v1/deadletters/x~1/replay",
        exchange -> {
          byte[] body = answer.getBytes(StandardCharsets.UTF_8);
          exchange.sendResponseHeaders(202, body.length);
          exchange.getResponseBody().write(body);
          exchange.close();
        });
    server.start();
  }

  @AfterEach
  void stop() {
    server.stop(0);
  }

  private String run(String... arguments) {
    CommandLine command = ParkedCommands.all().setOut(new PrintWriter(out));
    assertThat(command.execute(arguments)).isZero();
    return out.toString();
  }

  private String replay(String... more) {
    String url = "http://127.0.0.1:" + server.getAddress().getPort();
    String[] arguments = new String[4 + more.length];
    System.arraycopy(new String[] {"replay", "x~1", "--url", url}, 0, arguments, 0, 4);
    System.arraycopy(more, 0, arguments, 4, more.length);
    return run(arguments);
  }

  @Test
  void theMessageThatAnEditReplacedIsPrinted() {
    answer = "{\"id\":\"x~1\",\"actor\":\"/x\",\"original\":{\"body\":{\"what\":\"figs\"}}}";
    assertThat(replay("--body", "{}"))
        .isEqualToIgnoringNewLines(
            "x~1 was put back into its mailbox with the new body; the original was {\"what\":\"figs\"}");
  }

  @Test
  void anOriginalThatIsNotShownIsNamed() {
    answer = "{\"id\":\"x~1\",\"actor\":\"/x\",\"original\":{\"size\":7}}";
    assertThat(replay("--body", "{}")).contains("with the new body; the original is not shown");
  }

  @Test
  void aReplayAsItWasSaysNoMore() {
    answer = "{\"id\":\"x~1\",\"actor\":\"/x\"}";
    assertThat(replay()).isEqualToIgnoringNewLines("x~1 was put back into its mailbox");
  }

  @Test
  void theHelpSpeaksOfParkedMessages() {
    for (String command : new String[] {"", "replay", "discard"}) {
      out.getBuffer().setLength(0);
      String help = command.isEmpty() ? run("--help") : run(command, "--help");
      assertThat(help).contains("parked message").doesNotContainIgnoringCase("dead letter");
    }
  }
}
