package io.callboard.pollers.internal.poll;

import io.callboard.pollers.source.SourceMessage;
import java.time.Instant;
import java.util.HashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Message that is taken, with its stage. */
final class TakenMessage {
  /** Stage of a message: the call that is to be made for it next. */
  enum Stage {
    /** Stage in which its attempt is to be submitted. */
    READY,
    /** Stage in which its attempt is being submitted. */
    SUBMITTING,
    /** Stage in which its attempt is durable, and its end is awaited. */
    RUNNING,
    /** Stage in which the messages that follow its success are to be sent. */
    EMITTING,
    /** Stage in which it is to be acknowledged. */
    COMPLETING,
    /** Stage in which it is to be given back after a failure. */
    FAILING,
    /** Stage in which it is to be set aside. */
    DYING,
    /** Stage in which it is to be given back. */
    RELEASING
  }

  /** Failures in a row after which they are its trouble. */
  static final int TROUBLED = 3;

  final SourceMessage message;

  /** Number among those that were taken. */
  final long number;

  Stage stage = Stage.READY;
  int attempt = 1;

  /** Number of the call that is under way for it; 0 for none. An extension does not count. */
  long call;

  /** Number of failures in a row of what is to be done. */
  int failures;

  /** When what is to be done is due. */
  Instant dueAt;

  /** When it is put in line; null if it waits for no time. */
  @Nullable Instant lineAt;

  /** When it is to be extended; null for never. */
  @Nullable Instant extendAt;

  /**
   * Obstacle on which it waits: the place where it is decided what starts, or a failure {@link
   * #TROUBLED} times in a row; null for none.
   */
  @Nullable String trouble;

  /** Why it failed. */
  String cause = "";

  Outcome.@Nullable Succeeded result;

  /** Numbers of the follow-ups of its success that were sent, from 0. */
  final Set<Integer> sent = new HashSet<>();

  boolean gone;

  TakenMessage(SourceMessage message, long number, Instant now) {
    this.message = message;
    this.number = number;
    this.dueAt = now;
  }

  int bytes() {
    return message.bytes();
  }

  String receipt() {
    return message.receipt();
  }

  /** Counts a failed call for the message. */
  void failed(String why) {
    failures++;
    trouble = failures < TROUBLED ? null : why;
  }

  void become(Stage next, Instant now) {
    stage = next;
    trouble = null;
    call = 0;
    failures = 0;
    dueAt = now;
  }
}
