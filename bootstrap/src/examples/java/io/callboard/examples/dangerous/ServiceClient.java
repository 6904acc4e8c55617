package io.callboard.examples.dangerous;

import io.callboard.Actor;
import io.callboard.CallboardException;
import io.callboard.CallboardException.Code;
import io.callboard.Protocol;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpClient;
import io.vertx.core.http.HttpMethod;
import org.jspecify.annotations.Nullable;

/**
 * Speaks to the service, and knows nothing of its troubles: what fails fails, what hangs hangs. The
 * guard before it does the rest.
 */
final class ServiceClient extends Actor<Request> {
  private final int port;
  private @Nullable HttpClient http;

  ServiceClient(int port) {
    this.port = port;
  }

  @Override
  protected void protocol(Protocol<Request> on) {
    on.async(
            Request.GetPrice.class,
            get ->
                send(HttpMethod.GET, "/prices/", get)
                    .onSuccess(
                        cents -> {
                          long value = Long.parseLong(cents.toString());
                          reply(new Request.Price(get.number(), value, false));
                        }))
        .async(
            Request.PutOrder.class,
            put ->
                send(HttpMethod.PUT, "/orders/", put)
                    .onSuccess(done -> reply(new Request.Accepted(put.number()))));
  }

  @Override
  protected Future<?> started() {
    http = vertx.createHttpClient();
    return Future.succeededFuture();
  }

  @Override
  protected Future<?> stopped() {
    return http == null ? Future.succeededFuture() : http.close();
  }

  private Future<Buffer> send(HttpMethod method, String path, Request request) {
    if (http == null) {
      throw new IllegalStateException("not started");
    }
    return http.request(method, port, "localhost", path + request.number())
        .compose(out -> out.send())
        .compose(
            response ->
                response.statusCode() == 200
                    ? response.body()
                    : Future.failedFuture(
                        new CallboardException(
                            Code.UNAVAILABLE,
                            "the service answered %d".formatted(response.statusCode()))));
  }
}
