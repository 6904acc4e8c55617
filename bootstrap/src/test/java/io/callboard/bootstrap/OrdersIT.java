package io.callboard.bootstrap;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.callboard.codecs.Json;
import io.callboard.examples.tutorial.orders.Orders;
import io.callboard.testkit.Eventually;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The application at the end of the tutorial, killed in the middle of its work. */
@Tag("real")
class OrdersIT {
  private static final Duration LIMIT = Duration.ofSeconds(120);
  private static final Pattern READY = Pattern.compile("ready: (http://\\S+)");
  private static final int ORDERS = 40;

  /** Process of the application. */
  private static final class Shop implements AutoCloseable {
    private static final HttpClient HTTP = HttpClient.newHttpClient();

    private final Process process;
    private final Path output;
    private final String url;

    Shop(Path directory, String name) throws IOException {
      output = directory.resolve(name + ".log");
      process =
          new ProcessBuilder(
                  Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                  "-Xmx256m",
                  "-XX:TieredStopAtLevel=1",
                  "-XX:+UseSerialGC",
                  "-cp",
                  System.getProperty("java.class.path"),
                  Orders.class.getName(),
                  directory.resolve("data").toString(),
                  "0",
                  directory.resolve("sources.yaml").toString())
              .redirectErrorStream(true)
              .redirectOutput(output.toFile())
              .start();
      try {
        Eventually.assertThat(LIMIT, () -> assertThat(READY.matcher(output()).find()).isTrue());
      } catch (AssertionError e) {
        close();
        throw new AssertionError(output(), e);
      }
      Matcher ready = READY.matcher(output());
      assertThat(ready.find()).isTrue();
      url = ready.group(1);
    }

    String output() {
      try {
        return Files.readString(output);
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }

    JsonNode get(String path) {
      HttpRequest request = HttpRequest.newBuilder(URI.create(url + "/api/v1" + path)).build();
      return HTTP.sendAsync(request, HttpResponse.BodyHandlers.ofByteArray())
          .thenApply(answer -> Json.parse(path, answer.body()))
          .join();
    }

    void kill() throws InterruptedException {
      int unused = process.destroyForcibly().waitFor();
    }

    @Override
    public void close() {
      process.destroyForcibly();
    }
  }

  private static long files(Path directory) {
    try (Stream<Path> files = Files.list(directory)) {
      return files.filter(file -> file.toString().endsWith(".txt")).count();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Test
  void everyOrderIsPricedSoldAndBilledOnceThoughTheProgramIsKilled() throws Exception {
    Path directory = LaunchedNode.directory("orders");
    Path inbox = Files.createDirectories(directory.resolve("inbox")).toRealPath();
    Files.writeString(
        directory.resolve("sources.yaml"),
        """
        sources:
          orders:
            kind: directory
            settings: {path: %s, done: keep, settle: PT0S}
            start: {workflow: order, input: "${/body}"}
        """
            .formatted(inbox));
    Path invoices = directory.resolve("data").resolve("invoices");
    String before;
    try (Shop first = new Shop(directory, "first")) {
      for (int i = 0; i < ORDERS; i++) {
        Files.writeString(
            inbox.resolve("order-" + i + ".json"),
            "{\"order\": \"o%d\", \"seats\": %d}".formatted(i, i + 1));
      }
      Eventually.assertThat(LIMIT, () -> assertThat(files(invoices)).isPositive());
      first.kill();
      before = first.output();
      assertThat(files(invoices)).as("killed in the middle").isLessThan(ORDERS);
    }
    try (Shop second = new Shop(directory, "second")) {
      Eventually.assertThat(LIMIT, () -> assertThat(files(invoices)).isEqualTo(ORDERS));
      assertThat(invoices.resolve("o7.txt")).hasContent("o7: 36000 cents");
      Eventually.assertThat(
          LIMIT,
          () -> {
            JsonNode jobs = second.get("/jobs?type=invoice&state=SUCCEEDED&limit=200");
            assertThat(jobs.path("items")).as("one job for each order").hasSize(ORDERS);
          });
      assertThat(second.get("/jobs?type=invoice&limit=200").path("items")).hasSize(ORDERS);
      String id = second.get("/jobs?type=invoice&limit=1").at("/items/0/id").asText();
      JsonNode one = second.get("/jobs/" + id);
      assertThat(one.path("result").asText()).endsWith(".txt");
      Eventually.assertThat(
          LIMIT,
          () ->
              assertThat(second.get("/workflows?state=SUCCEEDED&limit=200").path("items"))
                  .hasSize(ORDERS));
      JsonNode host = second.get("/hosts").at("/items/0");
      assertThat(host.at("/handlers/invoice/slots").asInt()).isEqualTo(16);
      JsonNode source = second.get("/sources").at("/items/0");
      assertThat(source.path("name").asText()).isEqualTo("orders");
      assertThat(before + second.output()).contains(ORDERS + " orders, 3690000 cents");
    }
  }
}
