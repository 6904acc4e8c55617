package io.callboard.examples.tutorial.bank;

import io.callboard.ActorOptions;
import io.callboard.ActorRef;
import io.callboard.Callboard;
import io.callboard.examples.tutorial.bank.BankClient.GiveBack;
import io.callboard.guard.Guard;
import io.callboard.guard.GuardOptions;
import io.callboard.supervision.Backoff;
import io.vertx.core.Future;
import io.vertx.core.http.HttpClient;
import java.time.Duration;

/** The bank as this application sees it: a guard, and behind it the client. */
public final class Guarded {
  private Guarded() {}

  /** Starts the guard at {@code /bank}. */
  public static Future<ActorRef<GiveBack>> bank(Callboard callboard, String url) {
    HttpClient http = callboard.vertx().createHttpClient();
    GuardOptions<GiveBack> options =
        new GuardOptions<GiveBack>()
            .actor(GuardOptions.guarded().zone("event-loop"))
            .backoff(Backoff.exponential(Duration.ofMillis(200), Duration.ofSeconds(2)))
            .deadline(Duration.ofSeconds(10))
            .attempts(100)
            .listener(change -> System.out.println("the circuit is " + change.to()));
    return callboard.spawn(
        "/bank", Guard.of(() -> new BankClient(http, url), options), new ActorOptions());
  }
}
