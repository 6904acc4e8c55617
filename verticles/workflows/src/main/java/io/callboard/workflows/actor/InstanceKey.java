package io.callboard.workflows.actor;

import io.callboard.ActorRef;
import io.callboard.Callboard;
import io.callboard.DurableStateActor;
import io.callboard.Protocol;
import io.callboard.workflows.protocol.InstanceCommand;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import org.jspecify.annotations.Nullable;

/**
 * Holder of a unique key: one durable actor a key, so that two claims cannot both win. The turn in
 * which a claim wins also sends its start to the instance, which releases the key when it ends; so
 * a key is held by an instance that exists, or will.
 */
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
   * @param start start of the instance that claims it; null to release it, and from nodes that
   *     start the instance after their claim
   */
  public record KeyClaim(
      @Nullable String instance, @Nullable String instead, InstanceCommand.@Nullable Start start) {
    /** Returns the release of the key by its holder. */
    public static KeyClaim release(String holder) {
      return new KeyClaim(null, holder, null);
    }
  }

  /**
   * Holder of a key.
   *
   * @param instance id of the instance that holds it; null for none
   * @param started whether its start was sent with the claim; null if not
   */
  public record KeyHolder(@Nullable String instance, @Nullable Boolean started) {
    /** Returns whether the instance exists, or will, until it has ended. */
    public boolean willExist() {
      return Boolean.TRUE.equals(started);
    }
  }

  /** Returns the ref of a key of any length and content. */
  public static ActorRef<KeyClaim> ref(Callboard callboard, String key) {
    return callboard.durableRef(path(key), KeyClaim.class);
  }

  private static String path(String key) {
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
    return new KeyHolder(null, null);
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
      reply(byHolder ? initial() : state());
      return;
    }
    if (holder == null || byHolder) {
      update(new KeyHolder(claim.instance(), claim.start() == null ? null : true));
      if (claim.start() != null) {
        tell(
            callboard().durableRef(InstanceActor.path(claim.instance()), InstanceCommand.class),
            claim.start());
      }
    }
    reply(state());
  }
}
