package io.callboard.internal.turn;

import io.callboard.internal.turn.TurnState.Phase;
import io.callboard.time.Machine;
import java.util.function.Function;
import java.util.function.Predicate;

/**
 * Rules of the turn loop, in their order: the first whose condition holds gives the step. The last
 * one always holds. Choosing allocates nothing.
 */
@Machine
enum TurnRule {
  BUSY("what is under way ends first", it -> it.phase != Phase.IDLE, TurnState::await),

  FIND_PLACES(
      "bypass messages are being written to the mailbox and may have to be found there",
      it -> it.bypassSettlement.isPending() && !it.isCommitting() && it.mail.hasHint(),
      TurnState::read),
  PLACES(
      "the positions of bypass messages in the mailbox are not known yet",
      it -> it.bypassSettlement.isPending(),
      TurnState::await),

  AFTER_COMMIT(
      "the next step needs the outcome of the commit under way",
      it -> it.isCommitting() && (it.pending != null || it.trial.isAlone() || it.isDue()),
      TurnState::await),

  COMMIT_BEFORE_FAILURE(
      "the turns before the failed message are committed first",
      it -> it.pending != null && !it.batch.isEmpty(),
      TurnState::commit),
  PARK_FAILED(
      "the message that failed has no attempt left",
      TurnState::hasFailedForGood,
      TurnState::parkFailed),
  FAIL("a handler failed: its supervisor decides", it -> it.pending != null, TurnState::fail),

  COMMIT_DUE("the batch takes no further turn", TurnState::isDue, TurnState::commit),
  COMMIT_HEADER(
      "the header of the mailbox, which senders read, is out of date",
      it -> !it.isCommitting() && it.batch.isEmpty() && it.backlog.mustWriteHeader(),
      TurnState::commit),

  COMMIT_AT_REST(
      "the instance is to end: the turns handled so far are committed",
      it -> it.isResting() && !it.batch.isEmpty() && !it.isCommitting(),
      TurnState::commit),
  REST("the instance is to end and begins nothing new", TurnState::isResting, TurnState::await),

  HANDLE_OWN(
      "the actor has sent itself a message",
      it -> !it.own.isEmpty() && !it.resting,
      TurnState::handleOwn),
  HANDLE_CONSUMED(
      "messages are consumed and not handled yet",
      it -> !it.ahead.isEmpty(),
      TurnState::handleConsumed),

  MAIL_AFTER_COMMIT(
      "the next message needs more than a handler, and a commit is under way",
      it -> it.isCommitting() && (it.isUnreadable() || it.lacksBody()),
      TurnState::await),
  COMMIT_BEFORE_UNREADABLE(
      "the next message is unreadable: the turns before it are committed first",
      it -> it.isUnreadable() && !it.batch.isEmpty(),
      TurnState::commit),
  PARK_UNREADABLE("the next message is unreadable", TurnState::isUnreadable, TurnState::park),
  PARK_UNCOMMITTABLE(
      "the effects of the next message could not be committed, and it has no attempt left",
      it -> it.isExhausted() && it.batch.isEmpty(),
      TurnState::park),
  COMMIT_BEFORE_BODY(
      "the turns handled so far are committed before a large body is loaded",
      it -> it.lacksBody() && !it.batch.isEmpty(),
      TurnState::commit),
  FETCH("the body of the next message is in the blob log", TurnState::lacksBody, TurnState::fetch),
  CONSUME(
      "mail of an at-most-once actor is consumed before it is handled",
      it -> it.hasMail() && it.consumesFirst(),
      TurnState::consume),
  HANDLE_MAIL("mail waits in memory", TurnState::hasMail, TurnState::handleMail),
  HANDLE_BYPASS(
      "messages wait that bypass the mailbox", it -> it.direct.hasNext(), TurnState::handleDirect),

  COMMITTING("a commit is under way and nothing waits", TurnState::isCommitting, TurnState::await),
  COMMIT(
      "nothing waits in memory, and a caller waits for the commit",
      it -> !it.batch.isEmpty() && !it.mayLinger(),
      TurnState::commit),
  READ("there may be mail in the store", it -> it.mail.hasHint(), TurnState::read),
  COMMIT_CHORES(
      "there is something to commit besides turns",
      it -> it.batch.isEmpty() && it.chores.getAsBoolean(),
      TurnState::commit),
  IDLE("there is nothing to do", it -> it.batch.isEmpty(), TurnState::await),
  LINGER("no caller waits for the commit: more turns may join it", it -> true, TurnState::linger);

  private static final TurnRule[] IN_ORDER = values();

  private final String why;
  private final Predicate<TurnState> condition;
  private final Function<TurnState, TurnStep> step;

  TurnRule(String why, Predicate<TurnState> condition, Function<TurnState, TurnStep> step) {
    this.why = why;
    this.condition = condition;
    this.step = step;
  }

  /** Returns the first rule that holds. */
  static TurnRule of(TurnState state) {
    for (TurnRule rule : IN_ORDER) {
      if (rule.condition.test(state)) {
        return rule;
      }
    }
    throw new IllegalStateException("the last rule always holds");
  }

  /** Returns the step of the rule, with its change of the state. */
  TurnStep take(TurnState state) {
    return step.apply(state);
  }

  @Override
  public String toString() {
    return name() + ": " + why;
  }
}
