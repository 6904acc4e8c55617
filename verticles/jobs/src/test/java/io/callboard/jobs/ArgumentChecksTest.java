package io.callboard.jobs;

import static org.assertj.core.api.Assertions.assertThat;

import io.callboard.jobs.internal.protocol.MonitorAnswer.Checked;
import io.callboard.jobs.model.JobException;
import io.vertx.core.Future;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Test of the verdict of nodes whose handlers may be of two versions. */
class ArgumentChecksTest {
  private static final Checked OFFERS_NONE = new Checked(false, null, null);
  private static final Checked READS = new Checked(true, null, null);

  private static Checked refuses(String why) {
    return new Checked(true, "/pages", why);
  }

  @SafeVarargs
  private static String verdict(Checked here, Optional<Checked>... others) {
    Future<Void> verdict = ArgumentChecks.verdict(here, List.of(others));
    return verdict.succeeded()
        ? "fits"
        : "%s %s"
            .formatted(((JobException) verdict.cause()).pointer(), verdict.cause().getMessage());
  }

  @Test
  void argumentsAreRefusedOnlyIfAllThatOfferTheHandlerRefuseThem() {
    assertThat(verdict(refuses("no text"), Optional.of(refuses("no list"))))
        .startsWith("/args/pages")
        .endsWith("no text");
    assertThat(verdict(refuses("no text"), Optional.of(READS))).isEqualTo("fits");
    assertThat(verdict(OFFERS_NONE, Optional.of(refuses("a")), Optional.of(READS)))
        .isEqualTo("fits");
    assertThat(verdict(OFFERS_NONE, Optional.of(OFFERS_NONE), Optional.of(refuses("no list"))))
        .endsWith("no list");
    assertThat(verdict(refuses("no text"))).endsWith("no text");
  }

  @Test
  void argumentsPassIfNoneOffersTheHandlerOrOneDoesNotAnswer() {
    assertThat(verdict(OFFERS_NONE)).isEqualTo("fits");
    assertThat(verdict(OFFERS_NONE, Optional.of(OFFERS_NONE))).isEqualTo("fits");
    assertThat(verdict(refuses("no text"), Optional.of(refuses("no list")), Optional.empty()))
        .isEqualTo("fits");
  }
}
