package io.callboard.examples.reference;

import static org.assertj.core.api.Assertions.assertThat;

import io.callboard.ActorRef;
import io.callboard.Callboard;
import io.callboard.examples.reference.Rates.Rate;
import io.callboard.examples.reference.Rates.Request;
import io.callboard.testkit.CallboardExtension;
import io.callboard.testkit.Eventually;
import io.vertx.core.Future;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Test of an actor that waits in two ways for a client with futures of the JDK. */
@ExtendWith(CallboardExtension.class)
class RatesTest {
  private final CompletableFuture<Rate> one = new CompletableFuture<>();
  private final CompletableFuture<Map<String, Rate>> all = new CompletableFuture<>();

  private final class Slow implements Rates.Service {
    @Override
    public CompletionStage<Rate> rate(String currency) {
      return one;
    }

    @Override
    public CompletionStage<Map<String, Rate>> all() {
      return all;
    }
  }

  @Test
  void aTurnWaitsOrIsOverAndAMessageFollows(Callboard callboard) {
    ActorRef<Request> rates = callboard.spawn("/rates", () -> new Rates(new Slow())).await();
    rates.tell(new Request.Refresh()).await();
    assertThat(rates.ask(new Request.Recall("CHF"), Rate.class).await().price()).isNaN();
    Future<Rate> read = rates.ask(new Request.Read("CHF"), Rate.class);
    one.complete(new Rate(1.05));
    assertThat(read.await()).isEqualTo(new Rate(1.05));
    all.complete(Map.of("CHF", new Rate(1.06)));
    Eventually.assertThat(
        () ->
            assertThat(rates.ask(new Request.Recall("CHF"), Rate.class).await())
                .isEqualTo(new Rate(1.06)));
  }
}
