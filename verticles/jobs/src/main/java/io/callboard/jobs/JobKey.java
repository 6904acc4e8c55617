package io.callboard.jobs;

import io.callboard.DurableStateActor;
import io.callboard.Protocol;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import org.jspecify.annotations.Nullable;

/** Remembers which job holds a key: one durable actor a key, so that two claims cannot both win. */
final class JobKey extends DurableStateActor<JobKey.Claim, JobKey.Holder> {
  static final String PREFIX = "/jobs/key";

  /**
   * Take the key for {@code job}, if nobody holds it or {@code instead} does; answered with the
   * {@link Holder}.
   */
  record Claim(String job, @Nullable String instead) {}

  /** Who holds the key; null for nobody yet. */
  record Holder(@Nullable String job) {}

  /** The path for a key of any length and content. */
  static String path(String kind, String key) {
    try {
      byte[] hash =
          MessageDigest.getInstance("SHA-256")
              .digest((kind + ":" + key).getBytes(StandardCharsets.UTF_8));
      return PREFIX + "/" + HexFormat.of().formatHex(hash, 0, 16);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every JDK has SHA-256", e);
    }
  }

  @Override
  protected Holder initial() {
    return new Holder(null);
  }

  @Override
  protected void protocol(Protocol<Claim> on) {
    on.message(
        Claim.class,
        claim -> {
          String now = state().job();
          if (now == null || now.equals(claim.instead())) {
            update(new Holder(claim.job()));
          }
          reply(state());
        });
  }
}
