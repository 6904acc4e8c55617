package io.callboard.workflows.actor;

import io.callboard.DurableStateActor;
import io.callboard.Protocol;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import org.jspecify.annotations.Nullable;

/** Holder of a unique key: one durable actor a key, so that two claims cannot both win. */
public final class InstanceKey
    extends DurableStateActor<InstanceKey.KeyClaim, InstanceKey.KeyHolder> {
  /** Path prefix of keys. */
  public static final String PREFIX = "/workflows/k";

  /**
   * Claim of the key: succeeds if no instance holds it, or if {@code instead} does; answered with
   * the {@link KeyHolder}.
   *
   * @param instance id of the instance that claims it; null to release it, if {@code instead} holds
   *     it
   * @param instead holder that is replaced or releases it; null for none
   */
  public record KeyClaim(@Nullable String instance, @Nullable String instead) {}

  /**
   * Holder of a key.
   *
   * @param instance id of the instance that holds it; null for none
   */
  public record KeyHolder(@Nullable String instance) {}

  /** Returns the path for a key of any length and content. */
  public static String path(String key) {
    try {
      byte[] digest =
          MessageDigest.getInstance("SHA-256").digest(key.getBytes(StandardCharsets.UTF_8));
      return PREFIX + "/" + HexFormat.of().formatHex(digest);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java has SHA-256", e);
    }
  }

  @Override
  protected KeyHolder initial() {
    return new KeyHolder(null);
  }

  @Override
  protected void protocol(Protocol<KeyClaim> on) {
    on.message(KeyClaim.class, this::claim);
  }

  private void claim(KeyClaim claim) {
    String holder = state().instance();
    boolean byHolder = holder != null && holder.equals(claim.instead());
    if (claim.instance() == null) {
      if (byHolder || holder == null) {
        deleteSelf();
      }
      reply(new KeyHolder(byHolder ? null : holder));
      return;
    }
    if (holder == null || byHolder) {
      update(new KeyHolder(claim.instance()));
    }
    reply(state());
  }
}
