package io.callboard.workflows.internal.intake;

import io.callboard.time.Machine;
import io.callboard.workflows.internal.starts.BrakeState;
import io.callboard.workflows.model.BrakeLevel;
import io.callboard.workflows.model.BrakeOverride;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import org.jspecify.annotations.Nullable;

/**
 * Brake of one definition: start credit that falls while its instances fail and rises when they
 * succeed again (additive increase, multiplicative decrease over windows of a minute).
 *
 * <p>A window is <em>bad</em> if at least {@value #LEAST_ENDED} instances ended in it and more than
 * half of them failed; it is <em>good</em> if some ended and at most half of them failed. A window
 * that is neither changes nothing, but that of a brake which nobody waits for and nothing runs
 * against counts as good. A bad window halves the credit, from the most instances that ran in it;
 * after {@value #BAD_WINDOWS} in a row the brake is open. A good one adds a tenth of where it
 * began, and the brake is off when the credit is there again.
 */
@Machine
public class BrakeMachine {
  /** Length of a window. */
  public static final Duration WINDOW = Duration.ofMinutes(1);

  /** Least number of instances that ended in a bad window. */
  public static final int LEAST_ENDED = 20;

  /** Number of bad windows in a row after which the brake is open. */
  public static final int BAD_WINDOWS = 5;

  /** Least credit, and the number of instances of a probe. */
  public static final int PROBE = 1;

  /** Time between two probes of an open brake. */
  public static final Duration PROBE_EVERY = Duration.ofSeconds(30);

  /** Most probes that run at once. */
  static final int MOST_PROBES = 10;

  private static final int STEPS = 10;

  private BrakeState state;
  private Instant windowBegan;
  private @Nullable Instant probed;
  private long succeeded;
  private long failed;
  private int peak;

  /** Creates the machine of a brake in that state, with an empty window. */
  public BrakeMachine(BrakeState state, Instant now) {
    this.state = state;
    this.windowBegan = now;
  }

  /** Returns the durable state. */
  public BrakeState state() {
    return state;
  }

  /** Takes the numbers of instances that have ended since the last call. */
  public void ended(long itsSucceeded, long itsFailed) {
    succeeded += itsSucceeded;
    failed += itsFailed;
  }

  /**
   * Ends the window if its time has come.
   *
   * @param running instances that run, whenever they began
   * @param counted instances that count against the credit
   * @param waiting instances that wait for credit
   * @return whether the state has changed
   */
  public boolean tick(int running, int counted, int waiting, Instant now) {
    peak = Math.max(peak, running);
    if (now.isBefore(windowBegan.plus(WINDOW))) {
      return false;
    }
    BrakeState before = state;
    if (state.override() == null) {
      window(counted + waiting == 0, now);
    }
    windowBegan = now;
    succeeded = 0;
    failed = 0;
    peak = running;
    return !state.equals(before);
  }

  private void window(boolean idle, Instant now) {
    long ended = succeeded + failed;
    String seen =
        "%,d of %,d instances that ended from %s to %s failed"
            .formatted(
                failed,
                ended,
                windowBegan.truncatedTo(ChronoUnit.SECONDS),
                now.truncatedTo(ChronoUnit.SECONDS));
    if (isBad(ended)) {
      bad(seen, now);
    } else if (state.level() == BrakeLevel.OFF) {
      return;
    } else if (ended > 0 && 2 * failed <= ended) {
      good(seen, now);
    } else if (ended == 0 && idle && state.level() == BrakeLevel.REDUCED) {
      good("nothing ran and nothing waited in a window", now);
    }
  }

  boolean isBad(long ended) {
    return ended >= LEAST_ENDED && 2 * failed > ended;
  }

  private void bad(String seen, Instant now) {
    int bad = state.bad() + 1;
    if (state.level() == BrakeLevel.OFF) {
      int ceiling = Math.max(PROBE, peak);
      state = state.changed(BrakeLevel.REDUCED, half(ceiling), ceiling, bad, seen, now);
    } else if (bad >= BAD_WINDOWS) {
      probed = state.level() == BrakeLevel.OPEN ? probed : now;
      String why = "%d windows in a row were bad; in the last one %s".formatted(bad, seen);
      state = state.changed(BrakeLevel.OPEN, PROBE, state.ceiling(), bad, why, now);
    } else {
      state =
          state.changed(BrakeLevel.REDUCED, half(state.credit()), state.ceiling(), bad, seen, now);
    }
  }

  int half(int credit) {
    return Math.max(PROBE, credit / 2);
  }

  private void good(String seen, Instant now) {
    int credit =
        state.level() == BrakeLevel.OPEN
            ? PROBE
            : state.credit() + Math.max(1, state.ceiling() / STEPS);
    state =
        state.level() == BrakeLevel.REDUCED && credit >= state.ceiling()
            ? state.changed(BrakeLevel.OFF, 0, 0, 0, seen, now)
            : state.changed(BrakeLevel.REDUCED, credit, state.ceiling(), 0, seen, now);
  }

  /**
   * Returns how many more instances may begin now.
   *
   * @param counted instances that count against the credit
   */
  public int free(int counted, Instant now) {
    Integer credit = state.inForce();
    if (credit == null) {
      return Integer.MAX_VALUE;
    } else if (state.override() == null && state.level() == BrakeLevel.OPEN) {
      Instant next = nextProbe();
      return (next == null || !next.isAfter(now)) && counted < MOST_PROBES ? PROBE : 0;
    }
    return Math.max(0, credit - counted);
  }

  /** Records that an instance was permitted to begin. */
  public void granted(Instant now) {
    if (state.level() == BrakeLevel.OPEN) {
      probed = now;
    }
  }

  /** Returns when the next probe may begin; null unless the brake is open by its measurements. */
  public @Nullable Instant nextProbe() {
    if (state.override() != null || state.level() != BrakeLevel.OPEN) {
      return null;
    }
    return (probed == null ? state.since() : probed).plus(PROBE_EVERY);
  }

  /**
   * Returns the cause of a change by an override, or by its removal.
   *
   * @param by the override; null if it was removed
   */
  public static String cause(@Nullable BrakeOverride by) {
    if (by == null) {
      return "the override was removed; what fails is measured anew";
    }
    String what =
        by.credit() == null
            ? "%s has set it off, whatever fails".formatted(by.by())
            : "%s has set a credit of %,d".formatted(by.by(), by.credit());
    return by.reason() == null ? what : "%s: %s".formatted(what, by.reason());
  }

  /** Overrides the brake by hand; null removes the override. Measuring starts a new window. */
  public void override(@Nullable BrakeOverride by, Instant now) {
    state = state.overridden(by, cause(by), now);
    windowBegan = now;
    succeeded = 0;
    failed = 0;
    probed = null;
  }
}
