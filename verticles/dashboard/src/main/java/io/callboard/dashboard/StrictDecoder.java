package io.callboard.dashboard;

import io.netty.channel.ChannelPipeline;
import io.netty.handler.codec.http.HttpMessage;
import io.vertx.core.Handler;
import io.vertx.core.http.HttpConnection;
import io.vertx.core.http.HttpServerOptions;
import io.vertx.core.http.impl.VertxHttpRequestDecoder;
import io.vertx.core.net.impl.ConnectionBase;

/**
 * Reads requests as Vert.x does, but refuses one whose body has two lengths, {@code Content-Length}
 * and {@code Transfer-Encoding}: 400, and the connection is closed. Vert.x drops the first of them
 * before anybody can see it, and takes what is behind the body for another request.
 */
final class StrictDecoder extends VertxHttpRequestDecoder {
  private StrictDecoder(HttpServerOptions options) {
    super(options);
  }

  /** For {@code HttpServer.connectionHandler} of a server with these options, without HTTP/2. */
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
