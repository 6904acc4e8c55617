package io.callboard.dashboard.internal.attention;

import static org.assertj.core.api.Assertions.assertThat;

import io.callboard.jobs.model.GateLoad;
import io.callboard.jobs.model.JobState;
import io.callboard.jobs.model.JobType;
import io.callboard.jobs.model.JobWhy;
import io.callboard.jobs.model.RetryPolicy;
import io.callboard.jobs.model.TypeView;
import io.callboard.store.StoreException;
import io.vertx.core.Future;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class JobLookupTest {
  private static final Instant NOW = Instant.parse("2026-11-28T00:00:00Z");

  private static TypeView type(String name) {
    return new TypeView(
        new JobType(name, JobType.PROCESS, 4, false, RetryPolicy.ONCE, null, null), null);
  }

  private static GateLoad waits(String type, String job) {
    return new GateLoad(type, 0, null, null, 1, job, NOW.minusSeconds(3_600));
  }

  @Test
  void aDamagedJobThatWaitsHidesNoTypeAndIsNamed() {
    Future<Listing<TypeLoad>> types =
        JobLookup.explained(
            Map.of(type("a"), waits("a", "damaged"), type("b"), waits("b", "fine")),
            NOW,
            job ->
                job.equals("fine")
                    ? Future.succeededFuture(new JobWhy(JobState.QUEUED, NOW, List.of()))
                    : Future.failedFuture(StoreException.corrupt("job damaged is no JSON")));
    assertThat(types.cause()).isNull();
    assertThat(types.result().items()).hasSize(2);
    assertThat(types.result().incomplete()).isEqualTo("job damaged is no JSON");
    assertThat(
            JobLookup.explained(
                    Map.of(type("a"), waits("a", "x")),
                    NOW,
                    job -> Future.failedFuture(StoreException.unavailable("away", null)))
                .failed())
        .isTrue();
  }
}
