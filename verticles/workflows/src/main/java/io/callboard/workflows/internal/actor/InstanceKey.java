package io.callboard.workflows.internal.actor;

import io.callboard.ActorRef;
import io.callboard.Callboard;
import io.callboard.codecs.internal.text.Digest;
import io.callboard.grid.internal.key.DurableKey;
import io.callboard.workflows.internal.protocol.InstanceCommand;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Unique key of an instance. The turn in which a claim wins also sends its start to the instance,
 * which releases the key when it ends; so a key is held by an instance that exists, or will. One
 * that runs again claims it for its next round, so that nobody replaces it who saw the end of the
 * last one, and no late release does.
 */
public final class InstanceKey extends DurableKey<InstanceKey.KeyClaim, InstanceKey.KeyHolder> {
  /** Path prefix of keys. */
  public static final String PREFIX = "/workflows/k";

  /**
   * Claim of the key: succeeds if no instance holds it, or if {@code instead} does; answered with
   * the {@link KeyHolder}.
   *
   * @param instance id of the instance that claims it; null to release it, if {@code instead} holds
   *     it
   * @param instead holder that is replaced or releases it; null for none
   * @param start start of the instance that claims it; null to release it, of one that runs again,
   *     and from nodes that start the instance after their claim
   * @param round round of the instance that claims it; null for the first
   * @param ofRound round in which {@code instead} must hold it; null for any, as older nodes say
   */
  public record KeyClaim(
      @Nullable String instance,
      @Nullable String instead,
      InstanceCommand.@Nullable Start start,
      @Nullable Integer round,
      @Nullable Integer ofRound) {
    /** Returns the claim of a new instance. */
    static KeyClaim first(InstanceCommand.Start start) {
      return new KeyClaim(start.id(), null, start, null, null);
    }

    /** Returns the claim of an instance that is to run again, in a round of that number. */
    static KeyClaim again(String instance, int round) {
      return new KeyClaim(instance, instance, null, round, null);
    }

    /** Returns the release of the key by its holder, at the end of a round of that number. */
    static KeyClaim release(String holder, int round) {
      return new KeyClaim(null, holder, null, null, round);
    }

    /** Returns the same claim, by which a holder is replaced unless it has claimed it again. */
    KeyClaim insteadOf(KeyHolder holder) {
      return new KeyClaim(instance, holder.instance(), start, round, holder.since());
    }
  }

  /**
   * Holder of a key.
   *
   * @param instance id of the instance that holds it; null for none
   * @param started whether its start was sent with the claim; null if not
   * @param round its round for which it claimed it; null for the first
   */
  public record KeyHolder(
      @Nullable String instance, @Nullable Boolean started, @Nullable Integer round) {
    /** Returns whether the instance exists, or will, until it has ended. */
    public boolean willExist() {
      return Boolean.TRUE.equals(started);
    }

    int since() {
      return round == null ? 1 : round;
    }
  }

  /** Returns the ref of a key of any length and content. */
  public static ActorRef<KeyClaim> ref(Callboard callboard, String key) {
    return callboard.durableRef(PREFIX + "/" + Digest.whole(key), KeyClaim.class);
  }

  @Override
  protected KeyHolder initial() {
    return new KeyHolder(null, null, null);
  }

  @Override
  protected @Nullable KeyHolder holder(KeyClaim claim) {
    return claim.instance() == null
        ? null
        : new KeyHolder(claim.instance(), claim.start() == null ? null : true, claim.round());
  }

  @Override
  protected boolean replaces(KeyClaim claim, KeyHolder holder) {
    return Objects.equals(claim.instead(), holder.instance())
        && (claim.ofRound() == null || claim.ofRound() == holder.since() || holder.willExist());
  }

  @Override
  protected void won(KeyClaim claim) {
    if (claim.start() != null) {
      tell(
          callboard().durableRef(InstanceActor.path(claim.start().id()), InstanceCommand.class),
          claim.start());
    }
  }
}
