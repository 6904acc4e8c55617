package io.callboard.examples.tutorial.bank;

import io.vertx.core.Vertx;
import io.vertx.core.http.HttpServerResponse;
import io.vertx.ext.web.Router;
import io.vertx.ext.web.RoutingContext;
import java.util.HashMap;
import java.util.Map;

/** A bank that knows nothing of Callboard, in a process of its own; it can be down, or slow. */
public final class Bank {
  private static final long SLOW_MS = 8_000;

  /** Record of a key: one refund, however often it was requested. */
  private record Refund(String receipt, int requests) {}

  private final Vertx vertx;
  private final Map<String, Refund> refunds = new HashMap<>();
  private String mode = "up";

  private Bank(Vertx vertx) {
    this.vertx = vertx;
  }

  /** Runs the bank on a free port. */
  public static void main(String[] arguments) {
    Vertx vertx = Vertx.vertx();
    Bank bank = new Bank(vertx);
    Router router = Router.router(vertx);
    router.post("/mode/:mode").handler(bank::mode);
    router.post("/refunds/:key").handler(bank::refund);
    router.get("/refunds").handler(bank::list);
    int port =
        vertx.createHttpServer().requestHandler(router).listen(0, "127.0.0.1").await().actualPort();
    System.out.println("http://127.0.0.1:" + port);
  }

  private void mode(RoutingContext context) {
    mode = context.pathParam("mode");
    context.end("the bank is " + mode + "\n");
  }

  /** Gives the money back once for each key; a slow bank does so, and says it late. */
  private void refund(RoutingContext context) {
    HttpServerResponse response = context.response();
    if (mode.equals("down")) {
      response.setStatusCode(503).end();
      return;
    }
    Refund refund =
        refunds.merge(
            context.pathParam("key"),
            new Refund("receipt-" + (refunds.size() + 1), 1),
            (known, again) -> new Refund(known.receipt(), known.requests() + 1));
    if (mode.equals("slow")) {
      vertx.setTimer(SLOW_MS, timer -> response.end(refund.receipt()));
    } else {
      response.end(refund.receipt());
    }
  }

  private void list(RoutingContext context) {
    StringBuilder list = new StringBuilder();
    refunds.forEach(
        (key, refund) ->
            list.append(key)
                .append(": 1 refund, asked for ")
                .append(refund.requests() > 1 ? "more than once\n" : "once\n"));
    context.end(list.toString());
  }
}
