package io.callboard.workflows.internal.actor;

import static org.assertj.core.api.Assertions.assertThat;

import io.callboard.codecs.Json;
import io.callboard.testkit.actor.Effect;
import io.callboard.testkit.actor.Effects;
import io.callboard.testkit.actor.TestedActor;
import io.callboard.workflows.internal.actor.InstanceKey.KeyClaim;
import io.callboard.workflows.internal.actor.InstanceKey.KeyHolder;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

/** Holders of unique keys, of which nodes of earlier versions know no rounds. */
class InstanceKeyTest {
  private static <T> T of(Class<T> type, String json) {
    return Json.convert("it", Json.parse("it", json.getBytes(StandardCharsets.UTF_8)), type);
  }

  private static TestedActor<KeyClaim> held(String holder) {
    return TestedActor.of(InstanceKey::new).from(of(KeyHolder.class, holder)).start();
  }

  private static boolean isReleased(Effects effects) {
    return effects.of(Effect.Deleted.class).size() == 1;
  }

  @Test
  void aLateReleaseDoesNotReleaseTheClaimOfTheNextRound() {
    TestedActor<KeyClaim> key = held("{\"instance\":\"a\",\"started\":true}");
    assertThat(key.tell(KeyClaim.again("a", 2)).answer(KeyHolder.class))
        .isEqualTo(new KeyHolder("a", null, 2));
    assertThat(isReleased(key.tell(KeyClaim.release("a", 1)))).isFalse();
    assertThat(key.state(KeyHolder.class)).isEqualTo(new KeyHolder("a", null, 2));
    assertThat(isReleased(key.tell(KeyClaim.release("a", 2)))).isTrue();
  }

  @Test
  void nobodyReplacesAHolderThatHasClaimedItAgain() {
    TestedActor<KeyClaim> key = held("{\"instance\":\"a\",\"round\":2}");
    KeyClaim seen = new KeyClaim("b", "a", null, null, 1); // the end of its first round
    assertThat(key.tell(seen).answer(KeyHolder.class).instance()).isEqualTo("a");
    KeyClaim ofNow = new KeyClaim("b", "a", null, null, 2);
    assertThat(key.tell(ofNow).answer(KeyHolder.class).instance()).isEqualTo("b");
  }

  @Test
  void aKeyHeldByAnEarlierVersionIsHeldForTheFirstRound() {
    String earlier = "{\"instance\":\"a\"}";
    assertThat(isReleased(held(earlier).tell(KeyClaim.release("a", 1)))).isTrue();
    assertThat(isReleased(held(earlier).tell(KeyClaim.release("a", 2)))).isFalse();
    assertThat(isReleased(held(earlier).tell(KeyClaim.release("b", 1)))).isFalse();
  }

  /** A retry by an earlier version does not claim it again: the holder is still that of round 1. */
  @Test
  void theEndOfARoundThatAnEarlierVersionBeganReleasesIt() {
    TestedActor<KeyClaim> key = held("{\"instance\":\"a\",\"started\":true}");
    assertThat(isReleased(key.tell(KeyClaim.release("a", 2)))).isTrue();
  }

  @Test
  void claimsOfAnEarlierVersionNameNoRound() {
    String again = "{\"instance\":\"a\",\"round\":3}";
    KeyClaim release = of(KeyClaim.class, "{\"instead\":\"a\"}");
    assertThat(isReleased(held(again).tell(release))).isTrue();
    KeyClaim instead = of(KeyClaim.class, "{\"instance\":\"b\",\"instead\":\"a\"}");
    assertThat(held(again).tell(instead).answer(KeyHolder.class))
        .isEqualTo(new KeyHolder("b", null, null));
    KeyClaim first = of(KeyClaim.class, "{\"instance\":\"b\"}");
    assertThat(held(again).tell(first).answer(KeyHolder.class).instance()).isEqualTo("a");
  }
}
