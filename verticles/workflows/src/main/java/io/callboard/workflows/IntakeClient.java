package io.callboard.workflows;

import io.callboard.ActorRef;
import io.callboard.Callboard;
import io.callboard.workflows.internal.actor.IntakeActor;
import io.callboard.workflows.internal.starts.IntakeAnswer;
import io.callboard.workflows.internal.starts.IntakeCommand;
import io.callboard.workflows.model.MessageReceipt;
import io.callboard.workflows.model.WorkflowException;
import io.callboard.workflows.model.WorkflowException.Code;
import io.vertx.core.Future;
import org.jspecify.annotations.Nullable;

/** Client of the actors of messages. Thread-safe. */
final class IntakeClient {
  private static final int MOST_ID = 500;

  private final Callboard callboard;
  private final DefinitionClient definitions;

  IntakeClient(Callboard callboard, DefinitionClient definitions) {
    this.callboard = callboard;
    this.definitions = definitions;
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
    String definition = intake.definition();
    return definition == null
        ? take(intake, null)
        : definitions
            .accepting(definition, null, intake.message())
            .compose(version -> take(intake, version), cause -> earlier(intake, cause));
  }

  private Future<MessageReceipt> take(Intake intake, @Nullable String version) {
    ActorRef<MessageReceipt> receipt = intake.receipt();
    return answer(
        intake.id(),
        new IntakeCommand.Take(
            intake.id(),
            intake.definition(),
            intake.builder(),
            intake.message().deepCopy(), // whoever has given it may go on changing it
            receipt == null ? null : receipt.path().toString(),
            callboard.time().clock().instant(),
            version,
            intake.digest()));
  }

  /** A message that was accepted stays so, whatever the definition has become since. */
  private Future<MessageReceipt> earlier(Intake intake, Throwable refusal) {
    boolean refused =
        refusal instanceof WorkflowException e
            && (e.code() == Code.INVALID || e.code() == Code.NOT_FOUND);
    return refused
        ? receipt(intake.id(), intake.digest())
            .recover(
                cause ->
                    Future.failedFuture(
                        cause instanceof WorkflowException e && e.code() == Code.NOT_FOUND
                            ? refusal
                            : cause))
        : Future.failedFuture(refusal);
  }

  private static <T> Future<T> invalid(String pointer, String message) {
    return Future.failedFuture(new WorkflowException(Code.INVALID, pointer, message));
  }

  /** Returns the receipt of a message; fails with {@code NOT_FOUND} if none is kept. */
  Future<MessageReceipt> receipt(String id) {
    return receipt(id, null);
  }

  private Future<MessageReceipt> receipt(String id, @Nullable String digest) {
    return callboard
        .admin()
        .stored(IntakeActor.path(id))
        .recover(WorkflowFailures::translate)
        .compose(
            found ->
                found.isPresent()
                    ? answer(id, new IntakeCommand.Look(digest))
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
              if (answer instanceof IntakeAnswer.Another another) {
                return invalid(
                    "/id",
                    "another message with the id \"%.100s\" was accepted at %s: give each message an id of its own"
                        .formatted(id, another.acceptedAt()));
              }
              return WorkflowFailures.fail(
                  Code.NOT_FOUND, "there is no message \"%.100s\"".formatted(id));
            });
  }
}
