package io.callboard.bootstrap;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintWriter;
import java.io.Writer;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import picocli.CommandLine;

/**
 * Program that runs client commands against a server of its own with one answer for all, so that a
 * JVM with {@code -XX:ArchiveClassesAtExit} archives the classes that such commands load.
 */
final class TrainingRun {
  private static final String ID = "00000000-0000-7000-8000-000000000000";
  private static final String RUN =
      "{\"runId\":1,\"state\":\"SUCCEEDED\",\"host\":\"a\",\"startedAt\":\"2026-01-01T00:00:00Z\"}";
  private static final String ANSWER =
      "{\"id\":\"%s\",\"state\":\"SUCCEEDED\",\"createdAt\":\"2026-01-01T00:00:00Z\",\"command\":[\"a b\"],\"labels\":{\"a\":\"b\"},\"runs\":[%s],\"items\":[{\"id\":\"%s\",\"since\":\"2026-01-01T00:00:00Z\"}]}"
          .formatted(ID, RUN, ID);

  private static final List<List<String>> COMMANDS =
      List.of(
          List.of("--version"),
          List.of("--help"),
          List.of("jobs", "--help"),
          List.of("jbos"),
          List.of("jobs"),
          List.of("job", ID),
          List.of("job", "0000"),
          List.of("logs", ID),
          List.of("hold", ID),
          List.of("types", "--json"),
          List.of("roles"),
          List.of("submit", "--wait", "--", "true"));

  private TrainingRun() {}

  /** Runs the commands; their output is discarded. */
  public static void main(String[] arguments) throws IOException {
    try (ServerSocket server = new ServerSocket(0, 50, InetAddress.getLoopbackAddress())) {
      Thread answers = new Thread(() -> answer(server), "answers");
      answers.setDaemon(true);
      answers.start();
      String url = "http://127.0.0.1:" + server.getLocalPort();
      COMMANDS.forEach(command -> run(command, url));
    }
    run(List.of("jobs"), "http://127.0.0.1:1");
  }

  private static void run(List<String> command, String url) {
    CommandLine program = Main.commands();
    program.setOut(new PrintWriter(Writer.nullWriter()));
    program.setErr(new PrintWriter(Writer.nullWriter()));
    int unused = Main.run(program, command.toArray(String[]::new), Map.of("CALLBOARD_URL", url));
  }

  private static void answer(ServerSocket server) {
    while (!server.isClosed()) {
      try (Socket socket = server.accept()) {
        answer(socket);
      } catch (IOException e) {
        // the client has left, or this is the end
      }
    }
  }

  private static void answer(Socket socket) throws IOException {
    BufferedReader in =
        new BufferedReader(
            new InputStreamReader(socket.getInputStream(), StandardCharsets.ISO_8859_1));
    int length = 0;
    String line = in.readLine();
    while (line != null && !line.isEmpty()) {
      String header = line.toLowerCase(Locale.ROOT);
      if (header.startsWith("content-length: ")) {
        length = Integer.parseInt(header.substring("content-length: ".length()));
      }
      line = in.readLine();
    }
    long unused = in.skip(length);
    String answer =
        "HTTP/1.1 200 OK\r\nConnection: close\r\nCallboard-Log: complete\r\nContent-Length: %d\r\n\r\n%s"
            .formatted(ANSWER.length(), ANSWER);
    socket.getOutputStream().write(answer.getBytes(StandardCharsets.ISO_8859_1));
  }
}
