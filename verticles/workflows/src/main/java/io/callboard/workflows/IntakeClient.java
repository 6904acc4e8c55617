package io.callboard.workflows;

import io.callboard.ActorRef;
import io.callboard.Callboard;
import io.callboard.workflows.actor.IntakeActor;
import io.callboard.workflows.model.MessageReceipt;
import io.callboard.workflows.model.WorkflowException;
import io.callboard.workflows.model.WorkflowException.Code;
import io.callboard.workflows.starts.IntakeAnswer;
import io.callboard.workflows.starts.IntakeCommand;
import io.vertx.core.Future;

/** Client of the actors of messages. Thread-safe. */
final class IntakeClient {
  private static final int MOST_ID = 500;

  private final Callboard callboard;

  IntakeClient(Callboard callboard) {
    this.callboard = callboard;
  }

  /** Accepts a message; returns its receipt, also if it was accepted before. */
  Future<MessageReceipt> accept(Intake intake) {
    boolean hasDefinition = intake.definition() != null;
    if (intake.id().isEmpty() || intake.id().length() > MOST_ID) {
      return invalid("/id", "the id of a message has 1 to %d characters".formatted(MOST_ID));
    } else if (hasDefinition == (intake.builder() != null)) {
      return invalid("/definition", "give a definition or a builder, and not both");
    }
    WorkflowException refusal =
        InstanceClient.invalid(StartRequest.of("message", intake.message()));
    if (refusal != null) {
      return Future.failedFuture(refusal);
    }
    ActorRef<MessageReceipt> receipt = intake.receipt();
    return answer(
        intake.id(),
        new IntakeCommand.Take(
            intake.id(),
            intake.definition(),
            intake.builder(),
            intake.message(),
            receipt == null ? null : receipt.path().toString(),
            callboard.time().clock().instant()));
  }

  private static <T> Future<T> invalid(String pointer, String message) {
    return Future.failedFuture(new WorkflowException(Code.INVALID, pointer, message));
  }

  /** Returns the receipt of a message; fails with {@code NOT_FOUND} if none is kept. */
  Future<MessageReceipt> receipt(String id) {
    return callboard
        .admin()
        .stored(IntakeActor.path(id))
        .recover(WorkflowFailures::translate)
        .compose(
            found ->
                found.isPresent()
                    ? answer(id, new IntakeCommand.Look())
                    : WorkflowFailures.fail(
                        Code.NOT_FOUND, "there is no message \"%.100s\"".formatted(id)));
  }

  private Future<MessageReceipt> answer(String id, IntakeCommand command) {
    return callboard
        .durableRef(IntakeActor.path(id), IntakeCommand.class)
        .ask(command, IntakeAnswer.class, Workflows.ASK)
        .recover(WorkflowFailures::translate)
        .compose(
            answer -> {
              if (answer instanceof IntakeAnswer.Is is) {
                return Future.succeededFuture(is.receipt());
              } else if (answer instanceof IntakeAnswer.Refused refused) {
                return WorkflowFailures.fail(
                    Code.OVERLOADED,
                    "%s; try again after %s".formatted(refused.why(), refused.retryAfter()));
              }
              return WorkflowFailures.fail(
                  Code.NOT_FOUND, "there is no message \"%.100s\"".formatted(id));
            });
  }
}
