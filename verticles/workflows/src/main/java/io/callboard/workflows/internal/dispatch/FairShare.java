package io.callboard.workflows.internal.dispatch;

import io.callboard.time.Machine;
import java.util.Comparator;
import java.util.HashMap;
import java.util.Map;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Fair sharing of grants between definitions, in proportion to their weights (stride scheduling).
 *
 * <p>A definition has a <em>pass</em>, which a grant raises by {@link #STRIDE} divided by its
 * weight; the waiting definition with the lowest pass is next. One that begins to wait starts at
 * the virtual time, the pass of the last grant, so that it has saved up nothing; one that rests
 * keeps its pass until the virtual time has reached it, so that it gains nothing by resting either.
 *
 * <p><b>Bound.</b> Of n definitions that all wait, in any number T of grants a definition of weight
 * w among weights of sum W gets at most one more than its exact share T·w/W, and at most n·w/W
 * fewer.
 *
 * <p>O(log n) a call, with n definitions.
 */
@Machine
public final class FairShare {
  /** Advance of a definition of weight 1 by one grant: divisible by many weights. */
  static final long STRIDE = 720_720L << 10;

  /** Highest weight of a definition. */
  public static final int MOST_WEIGHT = 1_000;

  private final Map<String, Share> shares = new HashMap<>();
  private final TreeSet<Share> waiting = new TreeSet<>(Share.ORDER);
  private final TreeSet<Share> resting = new TreeSet<>(Share.ORDER);
  private long virtualTime;

  /** Share of one definition; its pass changes only while it is in no set. */
  private static final class Share {
    static final Comparator<Share> ORDER =
        Comparator.<Share>comparingLong(share -> share.pass)
            .thenComparing(share -> share.definition);

    final String definition;
    int weight = 1;
    long pass;
    boolean waits;

    Share(String definition) {
      this.definition = definition;
    }
  }

  /** Records that a definition waits, with a weight from 1 to {@link #MOST_WEIGHT}. */
  public void waits(String definition, int weight) {
    Share share = shares.computeIfAbsent(definition, Share::new);
    share.weight = Math.min(MOST_WEIGHT, Math.max(1, weight));
    if (!share.waits) {
      resting.remove(share);
      share.pass = Math.max(share.pass, virtualTime);
      share.waits = true;
      waiting.add(share);
    }
  }

  /** Records that a definition does not wait any more. */
  public void rests(String definition) {
    Share share = shares.get(definition);
    if (share != null && share.waits) {
      waiting.remove(share);
      share.waits = false;
      resting.add(share);
      forget();
    }
  }

  /** Returns the definition whose turn it is; null if none waits. */
  public @Nullable String next() {
    return waiting.isEmpty() ? null : waiting.first().definition;
  }

  /** Records a grant to a waiting definition. */
  public void granted(String definition) {
    Share share = shares.get(definition);
    if (share != null && share.waits) {
      waiting.remove(share);
      virtualTime = Math.max(virtualTime, share.pass);
      share.pass += STRIDE / share.weight;
      waiting.add(share);
      forget();
    }
  }

  /** Forgets definitions that rest and would start at the virtual time anyway. */
  private void forget() {
    while (!resting.isEmpty() && resting.first().pass <= virtualTime) {
      shares.remove(resting.pollFirst().definition);
    }
  }
}
