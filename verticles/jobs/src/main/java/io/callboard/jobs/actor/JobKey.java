package io.callboard.jobs.actor;

import io.callboard.DurableStateActor;
import io.callboard.Protocol;
import io.callboard.codecs.text.Digest;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * Holder of a key: one durable actor a key, so that two claims cannot both win. A unique key is
 * held until its job has ended; an idempotency key until {@link #KEPT} after that, with the request
 * that was made under it. Who claims it looks whether that is over.
 */
public final class JobKey extends DurableStateActor<JobKey.Claim, JobKey.Holder> {
  /** Path prefix of keys. */
  public static final String PREFIX = "/jobs/key";

  /** Kind of the key of a job that has not ended. */
  public static final String UNIQUE = "unique";

  /** Kind of the key of a request. */
  public static final String IDEMPOTENCY = "idempotency";

  /** Time for which an idempotency key is kept after the end of its job. */
  public static final Duration KEPT = Duration.ofHours(24);

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
   */
  public record Claim(
      String job,
      @Nullable String instead,
      @Nullable String request,
      @Nullable String message,
      @Nullable Instant at) {
    static Claim letGo(String holder) {
      return letGo(holder, null);
    }

    /** Returns the release of a unique key. */
    public static Claim letGo(String holder, @Nullable Instant since) {
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
    /** Returns whether an idempotency key may be over: it is if its job ended as long ago. */
    public boolean mayBeOver(Instant now) {
      return request != null && isLongAgo(since, now);
    }
  }

  /** Returns whether keys are not kept any more after what happened at a time. */
  public static boolean isLongAgo(@Nullable Instant at, Instant now) {
    return at != null && !at.plus(KEPT).isAfter(now);
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
    if (now.job() == null || byHolder) {
      update(new Holder(claim.job(), claim.request(), claim.message(), claim.at()));
    }
    reply(state());
  }
}
