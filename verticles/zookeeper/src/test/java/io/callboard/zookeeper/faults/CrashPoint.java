package io.callboard.zookeeper.faults;

import io.callboard.codecs.ActorPath;
import io.callboard.store.Commit;
import io.callboard.store.CommitUnit;
import io.callboard.store.CommitUnit.Write;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.function.Predicate;

/**
 * Place at which a process is killed: a step, and its progress.
 *
 * @param run 0 for the first that tries to come to it
 */
record CrashPoint(Step step, Moment moment, int run) {
  /** Progress of the request of a step. */
  enum Moment {
    BEFORE("before the request is sent", false),
    LOST("the request is sent and lost", false),
    APPLIED("the request is applied, the reply has not arrived", true),
    SEEN("the reply has arrived, nothing else has happened", true);

    private final String words;
    private final boolean applied;

    Moment(String words, boolean applied) {
      this.words = words;
      this.applied = applied;
    }

    String words() {
      return words;
    }

    /** Returns whether the step is done in the store. */
    boolean applied() {
      return applied;
    }
  }

  /** Step during which a process is killed. */
  enum Step {
    APPEND("append: a tell from outside", EnumSet.allOf(Moment.class)),
    BODY("large message: writing its body", EnumSet.of(Moment.BEFORE, Moment.SEEN)),
    NAMING(
        "large message: the commit that names its body",
        EnumSet.of(Moment.LOST, Moment.APPLIED, Moment.SEEN)),
    TURN("commit of a turn: state, a durable message, a reply", EnumSet.allOf(Moment.class)),
    DIRECT("a turn whose message is in no mailbox", EnumSet.allOf(Moment.class)),
    CLAIM("take-over: the claim", EnumSet.of(Moment.BEFORE, Moment.APPLIED, Moment.SEEN)),
    LOAD("take-over: loaded, not handled", EnumSet.of(Moment.SEEN)),
    OUTBOX(
        "relay: a turn with more receivers than a commit serves",
        EnumSet.of(Moment.BEFORE, Moment.APPLIED, Moment.SEEN)),
    RELAY(
        "relay: what was left in the outbox", EnumSet.of(Moment.LOST, Moment.APPLIED, Moment.SEEN)),
    PARK("parking", EnumSet.of(Moment.BEFORE, Moment.APPLIED, Moment.SEEN)),
    SEAL("generation change of a mailbox", EnumSet.of(Moment.BEFORE, Moment.APPLIED, Moment.SEEN));

    private final String words;

    @SuppressWarnings("ImmutableEnumChecker")
    private final Set<Moment> moments;

    Step(String words, Set<Moment> moments) {
      this.words = words;
      this.moments = moments;
    }

    String words() {
      return words;
    }

    /** Returns whether the killed process runs the actor; otherwise it only sends messages. */
    boolean isInside() {
      return this != APPEND && this != BODY && this != NAMING;
    }

    boolean isTakeOver() {
      return this == CLAIM || this == LOAD;
    }

    boolean isRelay() {
      return this == OUTBOX || this == RELAY;
    }

    boolean isLarge() {
      return this == BODY || this == NAMING;
    }

    /** Returns whether that commit takes this step. */
    boolean isTakenBy(Commit commit) {
      return switch (this) {
        case APPEND, NAMING ->
            commit.units().stream()
                .anyMatch(
                    u ->
                        u.write().isEmpty()
                            && u.outgoing().containsKey(ActorPath.of(CrashLoad.KEEPER)));
        case TURN -> writes(commit, write -> !write.consumed().isEmpty());
        case DIRECT ->
            writes(
                commit,
                write ->
                    write.consumed().isEmpty()
                        && write.actor().equals(ActorPath.of(CrashLoad.KEEPER)));
        case OUTBOX -> writes(commit, write -> !write.outbox().made().isEmpty());
        case RELAY -> writes(commit, write -> !write.outbox().gone().isEmpty());
        case PARK -> writes(commit, write -> !write.parked().isEmpty());
        case SEAL -> writes(commit, Write::seal);
        case BODY, CLAIM, LOAD -> false;
      };
    }

    private static boolean writes(Commit commit, Predicate<Write> what) {
      return commit.units().stream()
          .map(CommitUnit::write)
          .anyMatch(w -> w.filter(what).isPresent());
    }
  }

  static List<CrashPoint> all() {
    List<CrashPoint> all = new ArrayList<>();
    for (Step step : Step.values()) {
      step.moments.forEach(moment -> all.add(new CrashPoint(step, moment, 0)));
    }
    return all;
  }

  /**
   * Returns whether the crash point is tried in every build and not only in the long form, as each
   * step is.
   */
  boolean isShort() {
    boolean wholly =
        step == Step.APPEND || step == Step.TURN || step == Step.DIRECT || step == Step.LOAD;
    boolean between = moment == Moment.SEEN && (step == Step.BODY || step == Step.CLAIM);
    return wholly || between || moment == Moment.APPLIED;
  }

  /** Returns the same place, for the next run, which has a cell of its own. */
  CrashPoint again() {
    return new CrashPoint(step, moment, run + 1);
  }

  /** A name for a cell. */
  String cell() {
    return "%s-%s-%d".formatted(step, moment, run).toLowerCase(Locale.ROOT);
  }
}
