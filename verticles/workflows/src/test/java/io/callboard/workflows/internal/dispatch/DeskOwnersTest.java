package io.callboard.workflows.internal.dispatch;

import static org.assertj.core.api.Assertions.assertThat;

import io.callboard.codecs.ActorPath;
import io.callboard.workflows.internal.instance.InstanceIds;
import io.callboard.workflows.internal.protocol.DeskCommand;
import io.callboard.workflows.internal.protocol.RequestAnswer;
import io.callboard.workflows.internal.protocol.StepRequest;
import io.callboard.workflows.internal.protocol.WorkerCommand;
import io.callboard.workflows.internal.protocol.WorkerId;
import io.callboard.workflows.internal.protocol.WorkerNews;
import io.callboard.workflows.internal.protocol.WorkersState;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** What a desk takes of the present and of former owners of instances. */
class DeskOwnersTest {
  private static final int PARTITIONS = 64;
  private static final WorkerId ONE = new WorkerId("one", "boot-one", 1);

  private final WorkMachine desk = new WorkMachine(WorkersState.NONE.opened());
  private long seq;

  private static int partition(String instance) {
    return ActorPath.of(InstanceIds.path(instance)).partition(PARTITIONS).number();
  }

  private void owned(String instance, long epoch) {
    desk.owners(PARTITIONS, Map.of(partition(instance), epoch), 0);
  }

  private void says(WorkerNews... news) {
    desk.news(new DeskCommand.News(desk.epoch(), ONE, ++seq, List.of(news)), 0);
  }

  private void workerComes() {
    desk.members(Set.of(ONE.boot()), 0);
    says(new WorkerNews.Hello(1, Set.of("http"), List.of(), false, null, null));
    desk.enrolled(List.of(ONE), 0);
  }

  private List<StepRequest> assigned() {
    return desk.effects().stream()
        .filter(DeskEffect.Tell.class::isInstance)
        .map(effect -> ((DeskEffect.Tell) effect).order())
        .filter(WorkerCommand.Assign.class::isInstance)
        .map(order -> ((WorkerCommand.Assign) order).request())
        .toList();
  }

  private static StepRequest request(String instance, int run, @Nullable Long owner) {
    StepRequest plain = Requests.run(instance, run);
    return owner == null ? plain : plain.sent(owner, false, null);
  }

  @Test
  void aRequestOfAFormerOwnerIsAnsweredWithTheEpochOfThePresentOneAndForgotten() {
    owned("a", 5);
    workerComes();
    assertThat(desk.request(request("a", 1, 4L), 0)).isEqualTo(new RequestAnswer.Outdated(5));
    assertThat(assigned()).isEmpty();
    assertThat(desk.request(request("a", 1, 5L), 0)).isInstanceOf(RequestAnswer.Queued.class);
    assertThat(assigned()).hasSize(1);
  }

  @Test
  void aRequestOfANodeThatNamesNoEpochIsTaken() {
    owned("a", 5);
    workerComes();
    desk.request(request("a", 1, null), 0);
    assertThat(assigned()).as("of an earlier version").hasSize(1);
  }

  @Test
  void aLaterOwnerIsBelievedBeforeItIsRead() {
    owned("a", 5);
    desk.request(request("a", 1, 6L), 0);
    assertThat(desk.request(request("a", 1, 5L), 0)).isEqualTo(new RequestAnswer.Outdated(6));
  }

  @Test
  void aWaitingRequestOfAFormerOwnerIsNotAssigned() {
    desk.request(request("a", 1, 4L), 0);
    desk.request(request("b", 1, 4L), 0);
    desk.owners(PARTITIONS, Map.of(partition("a"), 5L, partition("b"), 4L), 0);
    workerComes();
    assertThat(assigned()).extracting(StepRequest::instance).containsExactly("b");
    assertThat(desk.places("a", 0, Instant.EPOCH)).isEmpty();
  }

  @Test
  void aRequestThatThePresentOwnerRepeatsKeepsItsPlace() {
    desk.request(request("a", 1, 4L), 0);
    desk.request(request("b", 1, 4L), 0);
    desk.owners(PARTITIONS, Map.of(partition("a"), 5L, partition("b"), 4L), 0);
    desk.request(request("a", 1, 5L), 0);
    workerComes();
    assertThat(assigned())
        .singleElement()
        .satisfies(
            first -> {
              assertThat(first.instance()).isEqualTo("a");
              assertThat(first.owner()).isEqualTo(5);
            });
  }

  /** The present owner was answered, and does not request again. */
  @Test
  void aRequestOfBothOwnersBeforeTheyWereReadIsAssigned() {
    desk.request(request("a", 1, 4L), 0);
    assertThat(desk.request(request("a", 1, 5L), 0)).isInstanceOf(RequestAnswer.Queued.class);
    desk.request(request("a", 1, 4L), 0);
    owned("a", 5);
    workerComes();
    assertThat(assigned()).singleElement().extracting(StepRequest::owner).isEqualTo(5L);
  }

  @Test
  void aNewOwnerOfAnEarlierVersionIsNotForgottenWithTheFormerOne() {
    owned("a", 4);
    desk.request(request("a", 1, 4L), 0);
    desk.request(request("a", 1, null), 0);
    owned("a", 5);
    workerComes();
    assertThat(assigned()).hasSize(1);
  }

  @Test
  void theNextRunIsOfThePresentOwnerWhoeverRequestsItLast() {
    workerComes();
    owned("a", 4);
    desk.request(request("a", 1, 4L), 0);
    assertThat(assigned()).hasSize(1);
    desk.request(request("a", 2, 4L), 0);
    desk.request(request("a", 2, 5L), 0);
    desk.request(request("a", 2, 4L), 0);
    says(new WorkerNews.Ended(request("a", 1, 4L).key()));
    says(new WorkerNews.Settled(request("a", 1, 4L).key()));
    assertThat(assigned()).singleElement().extracting(StepRequest::owner).isEqualTo(5L);
  }

  @Test
  void aLaterRunOfAFormerOwnerDoesNotFollowTheOneThatEnds() {
    owned("a", 4);
    workerComes();
    desk.request(request("a", 1, 4L), 0);
    assertThat(assigned()).hasSize(1);
    desk.request(request("a", 2, 4L), 0);
    owned("a", 5);
    says(new WorkerNews.Ended(request("a", 1, 4L).key()));
    says(new WorkerNews.Settled(request("a", 1, 4L).key()));
    assertThat(assigned()).isEmpty();
    desk.request(request("a", 2, 5L), 0);
    assertThat(assigned()).hasSize(1);
  }
}
