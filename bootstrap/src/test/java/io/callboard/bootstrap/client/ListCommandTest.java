package io.callboard.bootstrap.client;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;

/** A table of what a scripted node answers. */
class ListCommandTest {
  @Test
  void theColumnOfATimeIsNamedAfterWhatHappened() throws IOException {
    HttpServer server =
        HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.createContext(
        "/api/v1/jobs",
        exchange -> {
          byte[] body =
              "{\"items\":[{\"id\":\"1\",\"createdAt\":\"now\"}]}".getBytes(StandardCharsets.UTF_8);
          exchange.sendResponseHeaders(200, body.length);
          exchange.getResponseBody().write(body);
          exchange.close();
        });
    server.start();
    try {
      StringWriter out = new StringWriter();
      CommandLine list =
          ListCommand.of("Lists jobs.", "/jobs", List.of("id", "createdAt"), "No jobs at %s")
              .setOut(new PrintWriter(out));
      assertThat(list.execute("--url", "http://127.0.0.1:" + server.getAddress().getPort()))
          .isZero();
      assertThat(out.toString().lines()).containsExactly("ID  CREATED", "1   now");
    } finally {
      server.stop(0);
    }
  }
}
