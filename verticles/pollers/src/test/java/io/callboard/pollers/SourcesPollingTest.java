package io.callboard.pollers;

import static io.callboard.testkit.Futures.await;
import static org.assertj.core.api.Assertions.assertThat;

import io.callboard.pollers.model.SourceStatus;
import io.callboard.pollers.model.SourceView;
import io.callboard.pollers.source.Source;
import io.callboard.pollers.source.SourceContext;
import io.callboard.pollers.source.SourceKind;
import io.vertx.core.Future;
import io.vertx.core.json.JsonObject;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** When sources are polled, and when not. */
class SourcesPollingTest extends SourcesOfOneNode {
  @Test
  void aMessageThatRunsLongerThanItsLeaseIsNotDeliveredAgain() {
    source("'start': {'workflow': 'hold'}");
    queue.put("1");
    eventually(() -> assertThat(inputs).as("it runs").hasSize(1));
    long begunNanos = time.nanoTime();
    Duration long1 = PlayedKind.LEASE.plusSeconds(2);
    eventually(
        () -> assertThat(Duration.ofNanos(time.nanoTime() - begunNanos)).isGreaterThan(long1));
    assertThat(queue.taken()).containsExactly("1");
    gate.complete();
    completed("1");
    assertThat(inputs).hasSize(1);
    assertThat(view().totals().taken()).isEqualTo(1);
  }

  @Test
  void operatorsPauseResumeAndDrain() {
    source("'credit': 2, 'start': {'workflow': 'hold'}");
    queue.put("1", "2", "3");
    status(SourceStatus.FULL);
    eventually(
        () ->
            assertThat(view().why())
                .isEqualTo("its credit of 2 is used up: 2 started and not ended"));
    SourceView paused = await(sources.pause("in", "ann"));
    assertThat(paused.status()).isEqualTo(SourceStatus.PAUSED);
    assertThat(paused.why()).isEqualTo("it was paused by ann");
    gate.complete();
    completed("1", "2");
    assertThat(queue.waiting()).containsExactly("3");
    assertThat(await(sources.drain("in", "bob")).why()).isEqualTo("it was drained by bob");
    status(SourceStatus.DRAINED);
    assertThat(await(sources.resume("in", "ann")).modeBy()).isEqualTo("ann");
    completed("1", "2", "3");
    assertThat(refused(sources.pause("out", "ann")).getMessage())
        .isEqualTo("there is no source \"out\"; there are [in]");
  }

  @Test
  void theLastOfChangesAtTheSameTimeIsKnown() {
    source("'start': {'workflow': 'hold'}");
    var unused = changesAtTheSameTime();
  }

  @Test
  @Tag("long") // goes by the speed of the machine
  void changesAtTheSameTimeDoNotWaitForEachOther() {
    source("'start': {'workflow': 'hold'}");
    List<Duration> took = new ArrayList<>();
    for (int i = 0; i < 3 && took.stream().noneMatch(each -> each.toSeconds() < 5); i++) {
      took.add(changesAtTheSameTime());
    }
    assertThat(took).anyMatch(each -> each.toSeconds() < 5);
  }

  /** Changes the mode of a source that polls, and returns how long all changes took. */
  private Duration changesAtTheSameTime() {
    await(sources.resume("in", "ann"));
    status(SourceStatus.POLLING);
    long begunNanos = System.nanoTime();
    List<Future<SourceView>> changes =
        List.of(
            sources.pause("in", "ann"),
            sources.resume("in", "bob"),
            sources.drain("in", "cid"),
            sources.resume("in", "dan"),
            sources.pause("in", "eve"));
    List<Instant> known = changes.stream().map(each -> await(each).modeAt()).sorted().toList();
    Duration took = Duration.ofNanos(System.nanoTime() - begunNanos);
    assertThat(view().modeAt()).as("who changed it last").isEqualTo(known.get(4));
    return took;
  }

  @Test
  void aSourceThatIsAwayIsOpenedAgain() {
    queue.away(true);
    source("'start': {'workflow': 'index'}");
    status(SourceStatus.BACKOFF);
    assertThat(view().why()).contains("it could not be opened: the played queue: open failed");
    queue.away(false);
    queue.put("1");
    completed("1");
    queue.failNext("poll", 1);
    queue.put("2");
    completed("1", "2");
    queue.failNext("complete", 2);
    queue.put("3");
    completed("1", "2", "3");
    assertThat(inputs).hasSize(3);
    assertThat(view().lastError()).isEqualTo("the played queue: complete failed");
  }

  @Test
  void aSourceWhosePollsFailedIsNotPollingWithNothingThatWaits() {
    source("'start': {'workflow': 'index'}");
    status(SourceStatus.POLLING);
    eventually(() -> assertThat(view().lag()).isZero());
    queue.failNext("poll", 1); // it may have taken what comes again when its lease is over
    status(SourceStatus.BACKOFF);
    long failedNanos = time.nanoTime();
    List<SourceView> seen = new ArrayList<>();
    eventually(
        () -> {
          seen.add(view());
          assertThat(Duration.ofNanos(time.nanoTime() - failedNanos))
              .isGreaterThan(PlayedKind.LEASE);
        });
    assertThat(seen)
        .noneMatch(each -> each.status() == SourceStatus.POLLING)
        .noneMatch(each -> Long.valueOf(0).equals(each.lag()))
        .allMatch(each -> String.valueOf(each.why()).contains("poll failed"));
    status(SourceStatus.POLLING);
    eventually(() -> assertThat(view().lag()).isZero());
  }

  @Test
  void theTroubleOfASourceIsItsErrorAndReasonThoughPollsSucceed() {
    queue.failNext("lag", 1);
    source("'start': {'workflow': 'index'}");
    eventually(() -> assertThat(view().lastError()).isEqualTo("the played queue: lag failed"));
    queue.trouble("2 messages cannot be set aside");
    eventually(() -> assertThat(view().lastError()).isEqualTo("2 messages cannot be set aside"));
    assertThat(view().status()).isEqualTo(SourceStatus.POLLING);
    assertThat(view().why()).isEqualTo("2 messages cannot be set aside");
  }

  @Test
  void aMissingWorkflowStopsThePollingAndItGoesOnWhenItIsThere() {
    source("'start': {'workflow': 'later'}");
    queue.put("1");
    status(SourceStatus.BRAKED);
    eventually(
        () -> assertThat(view().why()).isEqualTo("there is no workflow later: put its definition"));
    assertThat(queue.waiting()).containsExactly("1");
    put("later", "handler:index");
    completed("1");
  }

  @Test
  void aBrakeOfNothingLetsNoMoreThanOneWait() {
    assertThat(await(workflows.override("index", 0, "ann", "we look")).credit()).isZero();
    source("'start': {'workflow': 'index'}");
    queue.put("1", "2", "3", "4");
    eventually(() -> assertThat(queue.taken()).hasSize(1));
    status(SourceStatus.BRAKED);
    assertThat(view().why()).contains("as ann has set: we look");
    assertThat(await(workflows.starts().release("index")).credit()).isNull();
    completed("1", "2", "3", "4");
  }

  @Test
  void aKindWithoutItsClientSaysWhatToAdd() {
    SourceKind lacking =
        new SourceKind() {
          @Override
          public String name() {
            return "lacking";
          }

          @Override
          public Optional<String> artifact() {
            return Optional.of("org.example:client");
          }

          @Override
          public void check(JsonObject settings) {}

          @Override
          public Source create(SourceContext its) {
            throw new NoClassDefFoundError("org/example/Client");
          }
        };
    SourcesOptions options =
        SourcesOptions.of(
            new JsonObject(
                "{\"in\": {\"kind\": \"lacking\", \"start\": {\"workflow\": \"index\"}}}"),
            List.of(lacking));
    assertThat(refused(Sources.start(callboard, grid, jobs, workflows, options)).getMessage())
        .isEqualTo(
            "/in/kind: a source of kind lacking needs org.example:client on the class path: add that artifact");
  }

  @Test
  void takenMessagesAreGivenBackWhenThisNodesPartEndsAndGoOnWithTheNext() {
    source("'credit': 3, 'start': {'workflow': 'hold'}");
    queue.put("1", "2", "3", "4", "5");
    eventually(() -> assertThat(inputs).as("they run").hasSize(3));
    await(sources.close());
    sources = null;
    assertThat(queue.waiting()).hasSize(5);
    assertThat(queue.taken()).isEmpty();
    source("'credit': 5, 'start': {'workflow': 'hold'}");
    eventually(() -> assertThat(inputs).as("all run").hasSize(5));
    gate.complete();
    completed("1", "2", "3", "4", "5");
    assertThat(inputs).as("what was started is not started again").hasSize(5);
  }
}
