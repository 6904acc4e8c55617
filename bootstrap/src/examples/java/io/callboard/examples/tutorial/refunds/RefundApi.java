package io.callboard.examples.tutorial.refunds;

import io.callboard.Callboard;
import io.callboard.examples.tutorial.refunds.Refund.Command;
import io.callboard.examples.tutorial.refunds.Refund.State;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.json.DecodeException;
import io.vertx.core.json.Json;
import io.vertx.core.json.JsonObject;
import io.vertx.ext.web.Router;
import io.vertx.ext.web.RoutingContext;
import io.vertx.ext.web.handler.BodyHandler;
import java.util.regex.Pattern;

/** {@code POST /refunds} with the header {@code Idempotency-Key}. */
public final class RefundApi {
  private static final Pattern KEY = Pattern.compile("[A-Za-z0-9-]{1,64}");

  private final Callboard callboard;

  private RefundApi(Callboard callboard) {
    this.callboard = callboard;
  }

  /** The routes. */
  public static Router router(Callboard callboard) {
    Router router = Router.router(callboard.vertx());
    RefundApi api = new RefundApi(callboard);
    router.post("/refunds").handler(BodyHandler.create(false)).handler(api::post);
    return router;
  }

  private void post(RoutingContext context) {
    String key = context.request().getHeader("Idempotency-Key");
    int cents = cents(context.body().buffer());
    if (key == null || !KEY.matcher(key).matches()) {
      answer(context, 400, "give an Idempotency-Key of letters, digits and hyphens");
    } else if (cents > 0) {
      ask(context, key, cents);
    } else {
      answer(context, 400, "give the cents, as {\"cents\":4500}");
    }
  }

  /** The amount; 0 if the body is not of that form. */
  private static int cents(Buffer body) {
    try {
      boolean found = body != null && Json.decodeValue(body) instanceof JsonObject;
      return found && body.toJsonObject().getValue("cents") instanceof Integer cents ? cents : 0;
    } catch (DecodeException e) {
      return 0;
    }
  }

  private void ask(RoutingContext context, String key, int cents) {
    callboard
        .durableRef("/refunds/" + key, Command.class)
        .ask(new Command.Request(cents), State.class)
        .onSuccess(state -> answer(context, cents, state))
        .onFailure(cause -> answer(context, 503, "repeat it with the same key"));
  }

  private static void answer(RoutingContext context, long cents, State state) {
    if (state instanceof State.UnderWay asked && asked.cents() == cents) {
      answer(context, 202, "under way");
    } else if (state instanceof State.Refunded done && done.cents() == cents) {
      answer(context, 200, done.receipt());
    } else {
      answer(context, 422, "this key is that of another refund");
    }
  }

  private static void answer(RoutingContext context, int status, String text) {
    context.response().setStatusCode(status);
    context.json(new JsonObject().put("refund", text));
  }
}
