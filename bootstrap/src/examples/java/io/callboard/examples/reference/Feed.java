package io.callboard.examples.reference;

import io.callboard.Actor;
import io.callboard.ActorOptions;
import io.callboard.Protocol;
import io.callboard.supervision.Backoff;
import io.callboard.supervision.Retries;
import io.vertx.core.Future;
import java.time.Duration;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;

/** Polls another service; less often while that does not answer. */
public final class Feed extends Actor<Feed.Due> {
  /** Reminder to read the feed. */
  public record Due() {}

  private final Supplier<Future<String>> service;
  private final RandomGenerator random;
  private Retries retries =
      Backoff.exponential(
              Duration.ofMillis(200), Duration.ofSeconds(30), Backoff.Jitter.DECORRELATED)
          .begin();
  private String news = "";

  /**
   * Creates the feed.
   *
   * @param service service that must not be asked too often; its futures complete on the caller's
   *     context
   */
  public Feed(Supplier<Future<String>> service, RandomGenerator random) {
    this.service = service;
    this.random = random;
  }

  /**
   * Returns the options: after a failure the actor itself is restarted in slots of 20 ms, 2⁹ − 1 at
   * most.
   */
  public static ActorOptions options() {
    return new ActorOptions().backoff(Backoff.slotted(Duration.ofMillis(20), 9, true));
  }

  @Override
  protected void protocol(Protocol<Due> on) {
    on.async(Due.class, due -> service.get().onSuccess(this::read).otherwise(this::notNow));
  }

  private void read(String read) {
    retries = retries.reset();
    news = read;
    startTimer("due", Duration.ofMinutes(1), new Due());
  }

  private String notNow(Throwable cause) {
    retries = retries.next(random);
    startTimer("due", retries.delay(), new Due());
    return news;
  }

  /** Returns the news that was read last. */
  String news() {
    return news;
  }
}
