package io.callboard.workflows.internal.actor;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import io.callboard.Callboard;
import io.callboard.codecs.ActorPath;
import io.callboard.codecs.Partition;
import io.callboard.placement.Decisions.Claim;
import io.callboard.placement.VacancyReason;
import io.callboard.store.Lease;
import io.callboard.testkit.Eventually;
import io.callboard.testkit.ManualTime;
import io.callboard.testkit.NodesExtension;
import io.callboard.workflows.internal.instance.RunStatus;
import io.callboard.workflows.internal.protocol.RequestAnswer;
import io.callboard.workflows.internal.protocol.RunPlace;
import io.callboard.workflows.internal.protocol.StepDispatch;
import io.callboard.workflows.internal.protocol.StepRequest;
import io.callboard.workflows.internal.protocol.StepRunKey;
import io.callboard.workflows.internal.protocol.WorkerId;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

class StepRequestsTest {
  private static final StepRequest REQUEST =
      new StepRequest(
          "i1",
          "d",
          "s",
          1,
          1,
          "handler:x",
          5,
          1,
          null,
          Instant.EPOCH,
          "n1",
          JsonNodeFactory.instance.objectNode(),
          JsonNodeFactory.instance.objectNode(),
          "i1/s",
          null,
          null,
          null,
          null);

  @RegisterExtension final NodesExtension nodes = new NodesExtension();

  private final ManualTime time = new ManualTime();
  private final List<String> asked = new CopyOnWriteArrayList<>();
  private final List<String> epochs = new CopyOnWriteArrayList<>();
  private final List<Optional<WorkerId>> given = new CopyOnWriteArrayList<>();
  private volatile Future<RequestAnswer> answer = Future.failedFuture("no desk");
  private volatile Runnable newDesk = () -> {};
  private Callboard callboard;
  private InstanceLives lives;
  private InstanceLife life;
  private StepRequests requests;

  /** Desk that answers what the test says. */
  private final class Desk implements StepDispatch {
    @Override
    public Future<RequestAnswer> request(StepRequest request) {
      asked.add("request " + request.key());
      given.add(Optional.ofNullable(request.given()));
      epochs.add(request.owner() + (request.isRepeated() ? " again" : " first"));
      return answer;
    }

    @Override
    public Future<Void> cancel(StepRunKey run) {
      asked.add("cancel " + run);
      return answer.mapEmpty();
    }

    @Override
    public Future<List<RunPlace>> places(String instance) {
      return Future.succeededFuture(List.of());
    }

    @Override
    public Runnable onNewDesk(Runnable listener) {
      newDesk = listener;
      return () -> newDesk = () -> {};
    }
  }

  @BeforeEach
  void open() {
    callboard = nodes.open("n1", options -> options.time(time));
    lives = new InstanceLives(callboard);
    life = lives.begin("i1");
    requests = new StepRequests(callboard, lives, new Desk());
  }

  @AfterEach
  void close() {
    requests.close();
  }

  private void passes(Duration duration, int times) {
    for (long second = 0; second < duration.toSeconds(); second++) {
      assertThat(time.advance(Duration.ofSeconds(1))).isNotNegative();
    }
    Eventually.assertThat(() -> assertThat(asked).hasSize(times));
  }

  @Test
  void lateAnswersToEarlierRequestsChangeNothing() {
    Promise<RequestAnswer> first = Promise.promise();
    answer = first.future();
    requests.open(life, REQUEST);
    answer = Future.succeededFuture(new RequestAnswer.Queued(1, "n2"));
    newDesk.run();
    first.fail("the desk is gone");
    assertThat(requests.status(REQUEST.key()).kind()).isEqualTo(RunStatus.Kind.RUNNING);

    Promise<RequestAnswer> second = Promise.promise();
    answer = second.future();
    newDesk.run();
    answer = Future.failedFuture("no desk");
    newDesk.run();
    second.complete(new RequestAnswer.Queued(1, "n3"));
    assertThat(requests.status(REQUEST.key()).kind())
        .as("the next desk does not have it")
        .isEqualTo(RunStatus.Kind.REQUESTED);
    passes(Duration.ofSeconds(7), 5);
  }

  @Test
  void aRefusalOfADeskThatAnswersLateCountsUnlessALaterOneCame() {
    Promise<RequestAnswer> first = Promise.promise();
    answer = first.future();
    requests.open(life, REQUEST);
    answer = Promise.<RequestAnswer>promise().future();
    passes(Duration.ofSeconds(7), 2);
    first.complete(new RequestAnswer.Refused("full", Duration.ofMinutes(10)));
    assertThat(requests.status(REQUEST.key()).kind()).isEqualTo(RunStatus.Kind.REFUSED);
    passes(Duration.ofMinutes(9), 2);
  }

  @Test
  void aRequestIsRepeatedUntilTheDeskHasItAndToEachNewDesk() {
    requests.open(life, REQUEST);
    assertThat(asked).containsExactly("request i1/s/1");
    RunStatus status = requests.status(REQUEST.key());
    assertThat(status).isNotNull();
    assertThat(status.why()).isEqualTo("no desk");
    answer = Future.succeededFuture(new RequestAnswer.Refused("full", Duration.ofSeconds(20)));
    passes(Duration.ofSeconds(7), 2);
    assertThat(requests.status(REQUEST.key()).kind()).isEqualTo(RunStatus.Kind.REFUSED);
    passes(Duration.ofSeconds(15), 2);
    answer = Future.succeededFuture(new RequestAnswer.Queued(1, null));
    passes(Duration.ofSeconds(10), 3);
    assertThat(requests.status(REQUEST.key()).kind()).isEqualTo(RunStatus.Kind.QUEUED);
    passes(Duration.ofSeconds(30), 3);
    newDesk.run();
    assertThat(asked).hasSize(4);
    answer = Future.succeededFuture(new RequestAnswer.Queued(2, "n2"));
    newDesk.run();
    assertThat(requests.status(REQUEST.key()).by()).isEqualTo("n2");
    answer = Future.succeededFuture(new RequestAnswer.Queued(3, null));
    newDesk.run();
    RunStatus queued = requests.status(REQUEST.key());
    assertThat(queued.kind())
        .as("a worker had it, and has it no more")
        .isEqualTo(RunStatus.Kind.QUEUED);
    assertThat(queued.by()).isNull();
    requests.accepted(REQUEST.key(), "w7");
    newDesk.run();
    RunStatus running = requests.status(REQUEST.key());
    assertThat(running.kind())
        .as("it has begun, and the new desk has not heard of it yet")
        .isEqualTo(RunStatus.Kind.RUNNING);
    assertThat(running.by()).isEqualTo("w7");
    requests.close(life, REQUEST.key());
    newDesk.run();
    passes(Duration.ofSeconds(30), 7);
    assertThat(requests.status(REQUEST.key())).isNull();
  }

  @Test
  void aCancellationReplacesTheRequestAndIsRepeatedUntilTheDeskKnows() {
    requests.open(life, REQUEST);
    requests.cancel(life, REQUEST.key());
    assertThat(asked).containsExactly("request i1/s/1", "cancel i1/s/1");
    answer = Future.succeededFuture(new RequestAnswer.Queued(1, null));
    passes(Duration.ofSeconds(7), 3);
    assertThat(asked).endsWith("cancel i1/s/1");
    passes(Duration.ofSeconds(30), 3);
    newDesk.run();
    assertThat(asked).endsWith("cancel i1/s/1").hasSize(4);
  }

  /** As when a turn has settled the run, of whose commit the node never learns. */
  @Test
  void aRequestEndsWithTheLifeThatMadeItThoughNobodyHasClosedIt() {
    requests.open(life, REQUEST);
    lives.end(life);
    newDesk.run();
    passes(Duration.ofSeconds(10), 1);
    assertThat(requests.status(REQUEST.key())).isNull();
    requests.open(life, REQUEST);
    requests.cancel(life, REQUEST.key());
    passes(Duration.ofSeconds(10), 1);
    assertThat(requests.status(REQUEST.key())).as("opened too late").isNull();
  }

  @Test
  void aRequestEndsWithTheLeaseWhateverItsLifeDoes() {
    requests.open(life, REQUEST);
    int partitions = callboard.leases().partitionsOfSpace();
    Partition its = ActorPath.of(InstanceActor.path("i1")).partition(partitions);
    lives.lost(new Partition(its.space(), (its.number() + 1) % partitions));
    newDesk.run();
    assertThat(asked).hasSize(2);
    lives.lost(its);
    newDesk.run();
    passes(Duration.ofSeconds(10), 2);
    assertThat(requests.status(REQUEST.key())).isNull();
  }

  @Test
  void aLifeThatIsOverClosesNothingOfTheNextOne() {
    requests.open(life, REQUEST);
    InstanceLife next = lives.begin("i1");
    assertThat(requests.status(REQUEST.key())).as("of the life before").isNull();
    requests.open(next, REQUEST);
    requests.close(life, REQUEST.key());
    requests.cancel(life, REQUEST.key());
    lives.end(life);
    assertThat(requests.status(REQUEST.key())).isNotNull();
    assertThat(asked).containsExactly("request i1/s/1", "request i1/s/1");
  }

  @Test
  void aRequestNamesTheEpochOfTheLeaseAsOfItsSending() {
    requests.open(life, REQUEST);
    int partitions = callboard.leases().partitionsOfSpace();
    Partition its = ActorPath.of(InstanceActor.path("i1")).partition(partitions);
    answer = Future.succeededFuture(new RequestAnswer.Outdated(7));
    gains(its, 6);
    newDesk.run();
    RunStatus status = requests.status(REQUEST.key());
    assertThat(status.kind()).isEqualTo(RunStatus.Kind.REFUSED);
    assertThat(status.why()).isEqualTo("another node has its instance by now");
    answer = Future.succeededFuture(new RequestAnswer.Queued(1, null));
    gains(its, 8);
    assertThat(requests.status(REQUEST.key()).kind()).isEqualTo(RunStatus.Kind.QUEUED);
    assertThat(epochs).containsExactly("0 first", "6 again", "8 again");
  }

  @Test
  void eachLaterRequestNamesTheWorkerThatWasGivenTheRun() {
    WorkerId worker = new WorkerId("w7", "boot", 2);
    requests.open(life, REQUEST);
    requests.given(REQUEST.key(), worker);
    newDesk.run();
    assertThat(given).containsExactly(Optional.empty(), Optional.of(worker));
  }

  private void gains(Partition partition, long epoch) {
    lives.gained(
        new Lease(partition, epoch, "n1", "b", 1),
        new Claim(partition, Optional.empty(), VacancyReason.GIVEN_BACK));
  }

  @Test
  void aRunThatAnEarlierLifeMayHaveRequestedIsRequestedAgain() {
    requests.reopen(life, REQUEST);
    assertThat(epochs).containsExactly("0 again");
  }
}
