package io.callboard.jobs.internal.actor;

import io.callboard.codecs.CodecException;
import io.callboard.codecs.CodecException.Reason;
import io.callboard.supervision.Directive;
import io.callboard.supervision.Rules;
import io.callboard.supervision.SupervisionOptions;

/**
 * Supervision of the actors of jobs: an actor whose record this node cannot read, as a newer node
 * wrote it, is stopped at once and reported as failed, with its mail kept; a new object would not
 * read it either. A job is resumed as all hosted actors are: by an operator; by its node, if that
 * has a {@link io.callboard.grid.Grid}, after pauses that double from ten seconds to ten minutes;
 * and the next owner of its partition starts it once it has mail.
 */
public final class JobSupervision {
  private static final SupervisionOptions OPTIONS =
      new SupervisionOptions()
          .rules(Rules.RESTART.when(JobSupervision::isUnreadable, Directive.PARK));

  private JobSupervision() {}

  /** Returns the options. */
  public static SupervisionOptions options() {
    return OPTIONS;
  }

  /**
   * Returns whether the record cannot be read; a turn that cannot write is a failure of its
   * message.
   */
  private static boolean isUnreadable(Throwable cause) {
    return cause instanceof CodecException unreadable && unreadable.reason() != Reason.UNWRITABLE;
  }
}
