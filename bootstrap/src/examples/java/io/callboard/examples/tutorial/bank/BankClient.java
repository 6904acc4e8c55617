package io.callboard.examples.tutorial.bank;

import io.callboard.Actor;
import io.callboard.Protocol;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpClient;
import io.vertx.core.http.HttpClientResponse;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.RequestOptions;

/** Asks the bank for refunds, and fails when the bank does: the guard before it does the rest. */
public final class BankClient extends Actor<BankClient.GiveBack> {
  /**
   * Gives money back. Answered with {@link GivenBack}.
   *
   * @param id number of the delivery; 0 if there is none
   * @param key the bank gives the money back once for each key
   */
  public record GiveBack(long id, String key, long cents) {}

  /** The bank has given the money back. */
  public record GivenBack(long id, String receipt) {}

  private final HttpClient http;
  private final String url;

  /**
   * Creates the client.
   *
   * @param url address of the bank
   */
  public BankClient(HttpClient http, String url) {
    this.http = http;
    this.url = url;
  }

  @Override
  protected void protocol(Protocol<GiveBack> on) {
    on.async(GiveBack.class, this::giveBack);
  }

  private Future<?> giveBack(GiveBack refund) {
    return inTurn(post("/refunds/" + refund.key(), refund.cents()))
        .onSuccess(receipt -> reply(new GivenBack(refund.id(), receipt)));
  }

  private Future<String> post(String path, long cents) {
    RequestOptions request =
        new RequestOptions().setMethod(HttpMethod.POST).setAbsoluteURI(url + path);
    return http.request(request)
        .compose(open -> open.send(Buffer.buffer(Long.toString(cents))))
        .compose(BankClient::text);
  }

  private static Future<String> text(HttpClientResponse response) {
    return response.statusCode() == 200
        ? response.body().map(Buffer::toString)
        : Future.failedFuture("the bank answers " + response.statusCode());
  }
}
