package io.callboard.examples.reference;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;

/**
 * A bank in a process of its own, that ends in the middle of the first request. It writes down each
 * request that it gets, and each card that it charges.
 */
final class BankService {
  /** Step after which the service ends. */
  enum Step {
    /** The request has come. */
    RECEIVED,
    /** The card is charged. */
    CHARGED,
    /** The answer has left. */
    ANSWERED,
    /** Nowhere. */
    NEVER
  }

  private final Path book;
  private final Step ends;

  private BankService(Path book, Step ends) {
    this.book = book;
    this.ends = ends;
  }

  /**
   * Runs the service.
   *
   * @param args port, or 0 for any, which is written to the given file; file of the book; step
   *     after which it ends
   */
  public static void main(String[] args) throws IOException {
    InetSocketAddress address =
        new InetSocketAddress(InetAddress.getLoopbackAddress(), Integer.parseInt(args[0]));
    HttpServer server = HttpServer.create(address, 0);
    BankService service = new BankService(Path.of(args[2]), Step.valueOf(args[3]));
    server.createContext("/", service::charge);
    server.start();
    write(Path.of(args[1]), Integer.toString(server.getAddress().getPort()));
  }

  private void charge(HttpExchange exchange) throws IOException {
    try (exchange) {
      String key = exchange.getRequestHeaders().getFirst("Idempotency-Key");
      byte[] unused = exchange.getRequestBody().readAllBytes();
      write(book, "request " + key);
      endAt(Step.RECEIVED);
      if (!read(book).contains("charged " + key)) {
        write(book, "charged " + key);
      }
      endAt(Step.CHARGED);
      exchange.sendResponseHeaders(200, -1);
    }
    endAt(Step.ANSWERED);
  }

  /** Ends the process at that step, as a SIGKILL would. */
  private void endAt(Step step) {
    if (step == ends) {
      Runtime.getRuntime().halt(137);
    }
  }

  static List<String> read(Path book) throws IOException {
    return Files.exists(book) ? Files.readAllLines(book) : List.of();
  }

  private static synchronized void write(Path book, String line) throws IOException {
    Files.write(
        book,
        (line + "\n").getBytes(StandardCharsets.UTF_8),
        StandardOpenOption.CREATE,
        StandardOpenOption.APPEND,
        StandardOpenOption.SYNC);
  }
}
