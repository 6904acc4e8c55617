package io.callboard.bench;

import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.PoolOptions;
import io.vertx.ext.web.client.HttpResponse;
import io.vertx.ext.web.client.WebClient;
import io.vertx.ext.web.client.WebClientOptions;
import java.time.Duration;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/** Client that posts messages, and a plain server that answers them and does nothing. */
final class HttpIntake implements AutoCloseable {
  /** Requests under way at a time, each on a connection of its own. */
  static final int UNDER_WAY = 64;

  private static final int ACCEPTED = 202;
  private static final Duration LIMIT = Duration.ofMinutes(2);

  private final Parts parts = new Parts();
  private final WebClient client;
  private final HttpServer plain;

  HttpIntake() throws Exception {
    Vertx vertx = Vertx.vertx();
    parts.add(() -> Node.await(vertx.close()));
    client =
        WebClient.create(
            vertx, new WebClientOptions(), new PoolOptions().setHttp1MaxSize(UNDER_WAY));
    parts.add(client::close);
    plain =
        Node.await(
            vertx
                .createHttpServer()
                .requestHandler(
                    request ->
                        request
                            .body()
                            .compose(body -> request.response().setStatusCode(ACCEPTED).end("{}")))
                .listen(0, "127.0.0.1"));
  }

  /** Returns the port of the plain server. */
  int plainPort() {
    return plain.actualPort();
  }

  /** Posts messages to a source; returns how many are accepted in a second. */
  double run(int port, String source, int count) throws Exception {
    String uri = "/api/v1/sources/%s/messages".formatted(source);
    Semaphore room = new Semaphore(UNDER_WAY);
    AtomicReference<@Nullable String> failure = new AtomicReference<>();
    long begun = System.nanoTime();
    for (int i = 0; i < count; i++) {
      take(room, 1);
      client
          .post(port, "127.0.0.1", uri)
          .putHeader("Content-Type", "application/json")
          .sendBuffer(Buffer.buffer(Supply.body(i)))
          .onComplete(
              answer -> {
                HttpResponse<Buffer> response = answer.result();
                if (response == null) {
                  failure.set(String.valueOf(answer.cause()));
                } else if (response.statusCode() != ACCEPTED) {
                  failure.set(response.statusCode() + " " + response.bodyAsString());
                }
                room.release();
              });
    }
    take(room, UNDER_WAY);
    double rate = count / ((System.nanoTime() - begun) / 1e9);
    String failed = failure.get();
    if (failed != null) {
      throw new IllegalStateException("a message was not accepted: " + failed);
    }
    return rate;
  }

  private static void take(Semaphore room, int permits) throws InterruptedException {
    if (!room.tryAcquire(permits, LIMIT.toSeconds(), TimeUnit.SECONDS)) {
      throw new IllegalStateException("a message was not answered within " + LIMIT);
    }
  }

  @Override
  public void close() {
    parts.close();
  }
}
