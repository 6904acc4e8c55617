package io.callboard.dashboard;

import static org.assertj.core.api.Assertions.assertThat;

import io.callboard.testkit.LogCapture;
import java.io.IOException;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.EventConstants;

/** Requests that no honest client sends, byte by byte, over a real node. */
@Tag("real")
class HostileRequestTest {
  /** Loggers of clients of ZooKeeper, which may be those of other tests of the JVM. */
  private static final String OF_ZOOKEEPER = "org.apache.";

  /** Loggers of warnings of threads that the machine did not run, which no stranger writes. */
  private static final Set<String> OF_BUSY_THREADS =
      Set.of("io.callboard.internal.zone.ZoneWatch", "io.vertx.core.impl.BlockedThreadChecker");

  private static final String GOOD = "Host: 127.0.0.1\r\n";
  private static final String JOB = "POST /api/v1/jobs HTTP/1.1\r\n" + GOOD;
  @AutoClose private static final TestNode node = TestNode.start();

  /** Log of the requests while it is open. */
  private static final class RequestLog implements AutoCloseable {
    private final LogCapture capture = LogCapture.of(Logger.ROOT_LOGGER_NAME);

    List<String> warnings() {
      return capture.lines().stream()
          .filter(line -> line.level().toInt() >= EventConstants.WARN_INT)
          .filter(line -> !line.logger().startsWith(OF_ZOOKEEPER))
          .filter(line -> !OF_BUSY_THREADS.contains(line.logger()))
          .map(LogCapture.Line::text)
          .toList();
    }

    @Override
    public void close() {
      capture.close();
    }
  }

  @Test
  void linesOfOtherTestsOfTheJvmAreNotOfARequest() {
    try (RequestLog log = new RequestLog()) {
      LoggerFactory.getLogger("org.apache.zookeeper.ClientCnxn").warn("the session is closed");
      assertThat(log.warnings()).isEmpty();
      LoggerFactory.getLogger("io.vertx.ext.web.RoutingContext").warn("an exception of a handler");
      assertThat(log.warnings()).containsExactly("an exception of a handler");
    }
  }

  /**
   * Returns all that is answered until the connection is closed; each char of the request is one
   * byte.
   */
  private static String answers(String request) throws IOException {
    try (Socket socket = new Socket("127.0.0.1", node.front.port())) {
      socket.setSoTimeout(20_000);
      socket.getOutputStream().write(request.getBytes(StandardCharsets.ISO_8859_1));
      socket.shutdownOutput();
      return new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "/healthz                    | ''                                  | 400",
        "/healthz                    | Host: 127.0.0.1@evil                | 400",
        "/healthz                    | Host: 127.0.0.1;Host: 127.0.0.1     | 400",
        "/healthz                    | Host: 127.0.0.1;Host: evil.example  | 400",
        "/healthz                    | Host: 127.0.0.1;Origin: null;Origin: null | 400",
        "/healthz                    | Host: evil.example                  | 403",
        "http://evil.example/healthz | Host: 127.0.0.1                     | 400",
        "http://evil.example/healthz | Host: evil.example                  | 403",
        "ftp://127.0.0.1/healthz     | Host: 127.0.0.1                     | 400",
        "http://127.0.0.1/healthz    | Host: 127.0.0.1                     | 200",
        "/api/v1/actors/%zz          | Host: 127.0.0.1                     | 400",
        "/%                          | Host: 127.0.0.1                     | 400",
        "/api/v1/jobs?q=%zz          | Host: 127.0.0.1                     | 400",
        "/api/v1/actors/%c0%af       | Host: 127.0.0.1                     | 400",
        "/healthz                    | Host: 127.0.0.1;Transfer-Encoding: x | 400",
        "/healthz                    | Host: 127.0.0.1                     | 200",
      })
  void aRequestWithMoreThanOneMeaningIsRefusedWithoutAStack(String target, String head, int status)
      throws IOException {
    try (RequestLog log = new RequestLog()) {
      String headers = head.isEmpty() ? "" : head.replace(";", "\r\n") + "\r\n";
      String answer =
          answers("GET " + target + " HTTP/1.1\r\n" + headers + "Connection: close\r\n\r\n");
      assertThat(answer).as(target + " " + head).startsWith("HTTP/1.1 " + status + " ");
      assertThat(log.warnings()).as("what a stranger can write into the log").isEmpty();
    }
  }

  @ParameterizedTest
  @CsvSource({
    "'POST /api/v1/jobs', 'zz\\r\\n{}'",
    "'POST /api/v1/jobs', '-2\\r\\n{}'",
    "'POST /api/v1/jobs', '2\\r\\n{}XX'",
    "'GET /api/v1/jobs', 'zz\\r\\n'",
    "'GET /healthz', 'zz\\r\\n'"
  })
  void aChunkThatIsNoneEndsTheConnectionAndWritesNothingIntoTheLog(String line, String chunks)
      throws IOException {
    try (RequestLog log = new RequestLog()) {
      String unused =
          answers(
              line
                  + " HTTP/1.1\r\n"
                  + GOOD
                  + "Content-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n"
                  + chunks.replace("\\r\\n", "\r\n")
                  + "\r\n0\r\n\r\n");
      assertThat(log.warnings()).as("what a stranger can write into the log").isEmpty();
    }
  }

  @ParameterizedTest
  @CsvSource({"Content-Length: 5", "content-length: 0"})
  void bytesBehindABodyOfTwoLengthsAreNoRequest(String length) throws IOException {
    String smuggled = "GET /healthz HTTP/1.1\r\n" + GOOD + "\r\n";
    String answer =
        answers(
            JOB
                + "Content-Type: application/json\r\n"
                + length
                + "\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n"
                + smuggled);
    assertThat(answer).startsWith("HTTP/1.1 400 ");
    assertThat(answer.split("HTTP/1.1 ", -1)).as("one answer, then the end: " + answer).hasSize(2);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "application/json                | {'command':['\u00c0\u00af']} | 400",
        "application/json                | {'command':['\u00ed\u00a0\u0080']} | 400",
        "application/json; charset=utf-16 | {'command':['a']} | 415",
        "application/json; x=1; charset='UTF-16' | {'command':['a']} | 415",
        "application/json; charset='UTF-8' | {'comand':['a']} | 422",
        "application/json                | \u00ff\u00fe{'command':['a']} | 400",
      })
  void aBodyIsUtf8AndNothingElse(String type, String body, int status) throws IOException {
    String bytes = body.replace('\'', '"');
    String answer =
        answers(
            JOB
                + "Content-Type: %s\r\nContent-Length: %d\r\nConnection: close\r\n\r\n%s"
                    .formatted(type.replace('\'', '"'), bytes.length(), bytes));
    assertThat(answer).as(type + " " + body).startsWith("HTTP/1.1 " + status + " ");
  }
}
