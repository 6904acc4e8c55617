package io.callboard.jobs.actor;

import io.callboard.DurableStateActor;
import io.callboard.Protocol;
import io.callboard.jobs.model.Digest;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * Holder of a key: one durable actor a key, so that two claims cannot both win. A unique key is
 * held until its job has ended; an idempotency key for {@link #KEPT}, with the request that was
 * made under it.
 */
public final class JobKey extends DurableStateActor<JobKey.Claim, JobKey.Holder> {
  public static final String PREFIX = "/jobs/key";

  /** Kinds of keys: of a job that has not ended, and of a request. */
  public static final String UNIQUE = "unique";

  public static final String IDEMPOTENCY = "idempotency";

  /** How long an idempotency key is kept. */
  public static final Duration KEPT = Duration.ofHours(24);

  /**
   * Take the key for {@code job}, if no job holds it, {@code instead} does, or it has been kept for
   * long enough; answered with the {@link Holder}.
   *
   * @param job empty to let the key go, if {@code instead} holds it
   * @param request fingerprint of what is asked for under an idempotency key; null for a unique key
   * @param at null from an older node; to let the key go, if that is of a claim of that time only,
   *     or null for any
   */
  public record Claim(
      String job, @Nullable String instead, @Nullable String request, @Nullable Instant at) {
    static Claim letGo(String holder) {
      return letGo(holder, null);
    }

    public static Claim letGo(String holder, @Nullable Instant since) {
      return new Claim("", holder, null, since);
    }
  }

  /**
   * The job that holds the key; null for none yet.
   *
   * @param request of the claim
   * @param since of the claim; null if an older node made it
   */
  public record Holder(@Nullable String job, @Nullable String request, @Nullable Instant since) {
    /** Whether an idempotency key has been kept for long enough. */
    public boolean isOver(@Nullable Instant now) {
      return request != null && since != null && now != null && !since.plus(KEPT).isAfter(now);
    }
  }

  /** The path for a key of any length and content. */
  public static String path(String kind, String key) {
    return PREFIX + "/" + Digest.of(kind + ":" + key);
  }

  @Override
  protected Holder initial() {
    return new Holder(null, null, null);
  }

  @Override
  protected void protocol(Protocol<Claim> on) {
    on.message(Claim.class, this::claim);
  }

  private void claim(Claim claim) {
    Holder now = state();
    boolean byHolder = now.job() != null && now.job().equals(claim.instead());
    if (claim.job().isEmpty()) {
      boolean isMeant = claim.at() == null || claim.at().equals(now.since());
      if ((byHolder && isMeant) || now.job() == null) {
        deleteSelf();
      }
      reply(now);
      return;
    }
    if (now.job() == null || byHolder || now.isOver(claim.at())) {
      update(new Holder(claim.job(), claim.request(), claim.at()));
    }
    reply(state());
  }
}
