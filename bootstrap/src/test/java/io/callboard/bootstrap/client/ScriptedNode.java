package io.callboard.bootstrap.client;

import com.sun.net.httpserver.Headers;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import picocli.CommandLine;

/** HTTP server with scripted answers in place of a node, and the commands that ask it. */
final class ScriptedNode implements AutoCloseable {
  private static final String API = "/api/v1";

  private final HttpServer server;
  private final List<String> asked = new CopyOnWriteArrayList<>();
  private final List<String> headers = new CopyOnWriteArrayList<>();
  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();

  /** Answer of the node. */
  record Reply(int status, Map<String, String> headers, byte[] body) {
    static Reply of(String json) {
      return new Reply(200, Map.of(), json.getBytes(StandardCharsets.UTF_8));
    }

    static Reply refusal(int status, String code, String detail) {
      String problem = "{\"code\":\"%s\",\"detail\":\"%s\"}".formatted(code, detail);
      return new Reply(status, Map.of(), problem.getBytes(StandardCharsets.UTF_8));
    }
  }

  /** Script of the node. */
  interface Script {
    /**
     * Answers a request.
     *
     * @param request verb, and path below the API with its query
     */
    Reply answer(String request);
  }

  ScriptedNode(Script script) throws IOException {
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.createContext(API, exchange -> answer(exchange, script));
    server.start();
  }

  private void answer(HttpExchange exchange, Script script) throws IOException {
    String request =
        exchange.getRequestMethod()
            + " "
            + exchange.getRequestURI().toString().substring(API.length());
    String body = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
    Headers sent = exchange.getRequestHeaders();
    headers.add(
        "%s|%s|%s"
            .formatted(
                sent.getFirst("Authorization"),
                sent.getFirst("Content-Type"),
                sent.getFirst("X-Callboard-Reason")));
    asked.add(body.isEmpty() ? request : request + " " + body);
    Reply reply = script.answer(request);
    Headers answered = exchange.getResponseHeaders();
    reply.headers().forEach(answered::set);
    int length = reply.body().length;
    exchange.sendResponseHeaders(reply.status(), length == 0 ? -1 : length);
    exchange.getResponseBody().write(reply.body());
    exchange.close();
  }

  String url() {
    return "http://127.0.0.1:" + server.getAddress().getPort();
  }

  /** Runs a client command; returns its exit code. */
  int run(String... arguments) {
    return runAt(url(), arguments);
  }

  /** Runs a client command with another address of the node; returns its exit code. */
  int runAt(String url, String... arguments) {
    CommandLine program = new CommandLine(new Program()).setExpandAtFiles(false);
    ClientCommands.addTo(program);
    program
        .setOut(new PrintWriter(out))
        .setErr(new PrintWriter(err))
        .setExecutionExceptionHandler(
            (e, command, parsed) -> {
              command.getErr().println(e.getMessage());
              command.getErr().flush();
              return 1;
            });
    List<String> all = new ArrayList<>(List.of(arguments));
    int end = all.indexOf("--"); // what follows is no option
    all.addAll(end < 0 ? all.size() : end, List.of("--url", url));
    return program.execute(all.toArray(String[]::new));
  }

  /** Root of the commands. */
  @CommandLine.Command
  private static final class Program {}

  List<String> asked() {
    return Collections.unmodifiableList(asked);
  }

  /** Returns login, media type and reason of each request, as they were sent. */
  List<String> headers() {
    return Collections.unmodifiableList(headers);
  }

  String out() {
    return out.toString();
  }

  String err() {
    return err.toString();
  }

  @Override
  public void close() {
    server.stop(0);
  }
}
