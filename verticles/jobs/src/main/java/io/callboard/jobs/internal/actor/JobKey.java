package io.callboard.jobs.internal.actor;

import io.callboard.codecs.internal.text.Digest;
import io.callboard.grid.internal.key.DurableKey;
import java.time.Instant;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Key of a job. A unique key is held until its job has ended; an idempotency key until {@link
 * #KEPT} after that, with the request that was made under it. Whoever claims it looks whether that
 * is over.
 */
public final class JobKey extends DurableKey<JobKey.Claim, JobKey.Holder> {
  /** Path prefix of keys. */
  public static final String PREFIX = "/jobs/key";

  /** Kind of the key of a job that has not ended. */
  public static final String UNIQUE = "unique";

  /** Kind of the key of a request. */
  public static final String IDEMPOTENCY = "idempotency";

  /**
   * Claim of the key for {@code job}: succeeds if no job holds it, or if {@code instead} does;
   * answered with the {@link Holder}.
   *
   * @param job empty to release the key, if {@code instead} holds it
   * @param instead holder that is replaced; null for none
   * @param request fingerprint of the specification under an idempotency key; null for a unique key
   * @param message digest of the message that the key identifies, compared instead of the request;
   *     null for none
   * @param at time of the claim, null from an older node; in a release, the time of the claim to
   *     release, or null for any
   * @param ofClaim time at which {@code instead} has claimed it, if it is only then replaced: a job
   *     that was to run again meanwhile has claimed it once more; null for any, also from an older
   *     node
   */
  public record Claim(
      String job,
      @Nullable String instead,
      @Nullable String request,
      @Nullable String message,
      @Nullable Instant at,
      @Nullable Instant ofClaim) {
    /** Creates a claim that replaces its holder whenever that has claimed the key. */
    public Claim(
        String job,
        @Nullable String instead,
        @Nullable String request,
        @Nullable String message,
        @Nullable Instant at) {
      this(job, instead, request, message, at, null);
    }

    /** Returns the release of a key by its holder, if that has claimed it then; null for any. */
    public static Claim release(String holder, @Nullable Instant since) {
      return new Claim("", holder, null, null, since);
    }
  }

  /**
   * Holder of a key.
   *
   * @param job id of the job that holds it; null for none yet
   * @param request fingerprint of the claim's specification
   * @param message digest of the claim's message; null for none, and if an older node made it
   * @param since time of the claim; null if an older node made it
   */
  public record Holder(
      @Nullable String job,
      @Nullable String request,
      @Nullable String message,
      @Nullable Instant since) {
    /**
     * Returns whether an idempotency key may have expired: its job must have ended long enough ago.
     */
    public boolean mayBeOver(Instant now) {
      return request != null && isOver(since, now);
    }
  }

  /** Returns the path for a key of any length and content. */
  public static String path(String kind, String key) {
    return PREFIX + "/" + Digest.of(kind + ":" + key);
  }

  @Override
  protected Holder initial() {
    return new Holder(null, null, null, null);
  }

  @Override
  protected @Nullable Holder holder(Claim claim) {
    return claim.job().isEmpty()
        ? null
        : new Holder(claim.job(), claim.request(), claim.message(), claim.at());
  }

  @Override
  protected boolean replaces(Claim claim, Holder holder) {
    boolean isRelease = claim.job().isEmpty();
    Instant ofClaim = isRelease ? claim.at() : claim.ofClaim();
    return Objects.equals(claim.instead(), holder.job())
        && (ofClaim == null || ofClaim.equals(holder.since()));
  }
}
