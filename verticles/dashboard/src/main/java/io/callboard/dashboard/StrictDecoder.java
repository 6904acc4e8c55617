package io.callboard.dashboard;

import io.netty.channel.ChannelPipeline;
import io.netty.handler.codec.http.HttpMessage;
import io.vertx.core.Handler;
import io.vertx.core.http.HttpConnection;
import io.vertx.core.http.HttpServerOptions;
import io.vertx.core.http.impl.VertxHttpRequestDecoder;
import io.vertx.core.net.impl.ConnectionBase;

/**
 * Decoder of requests that works as Vert.x's, but refuses a request whose body has two lengths,
 * {@code Content-Length} and {@code Transfer-Encoding}, with 400, and closes the connection. Vert.x
 * drops the first of them before any handler can see it, and takes the bytes behind the body for
 * another request.
 */
final class StrictDecoder extends VertxHttpRequestDecoder {
  private StrictDecoder(HttpServerOptions options) {
    super(options);
  }

  /**
   * Returns the {@code HttpServer.connectionHandler} of a server with these options, without
   * HTTP/2.
   */
  static Handler<HttpConnection> on(HttpServerOptions options) {
    return connection -> {
      ChannelPipeline pipeline = ((ConnectionBase) connection).channel().pipeline();
      pipeline.replace(VertxHttpRequestDecoder.class, "httpDecoder", new StrictDecoder(options));
    };
  }

  @Override
  protected void handleTransferEncodingChunkedWithContentLength(HttpMessage message) {
    throw new IllegalArgumentException(
        "a request must not have both Content-Length and Transfer-Encoding");
  }
}
