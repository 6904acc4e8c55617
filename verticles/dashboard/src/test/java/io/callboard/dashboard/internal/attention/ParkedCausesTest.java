package io.callboard.dashboard.internal.attention;

import static org.assertj.core.api.Assertions.assertThat;

import io.callboard.codecs.ActorPath;
import io.callboard.store.StoredParked;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;

class ParkedCausesTest {
  private final ParkedCauses causes = new ParkedCauses();

  private static StoredParked parked(String id, String text) {
    return new StoredParked(ActorPath.of("/shop/shelf"), id, text.getBytes(StandardCharsets.UTF_8));
  }

  private static StoredParked because(String id, String cause) {
    return parked(id, "{\"f\":1,\"cause\":\"%s\"}".formatted(cause));
  }

  @Test
  void eachCauseIsParsedOnceAndForgottenWithItsMessage() {
    List<ParkedMessage> first = causes.of(List.of(because("1", "no room for 12 figs")));
    assertThat(first)
        .containsExactly(
            new ParkedMessage("/shop/shelf", "no room for 12 figs", "no room for # figs"));
    List<ParkedMessage> again =
        causes.of(List.of(because("1", "no room for 12 figs"), because("2", "other")));
    assertThat(again)
        .extracting(ParkedMessage::cause)
        .containsExactly(first.get(0).cause(), "other");
    assertThat(again.get(0)).as("nobody parsed it again").isSameAs(first.get(0));
    assertThat(causes.of(List.of())).isEmpty();
    assertThat(causes.of(List.of(because("1", "why else"))))
        .extracting(ParkedMessage::cause)
        .containsExactly("why else");
  }

  @Test
  void aDeliveryThatIsGivenUpAgainHasItsNewCause() {
    for (String cause : List.of("refused", "no answer", "no anzwer")) {
      assertThat(causes.of(List.of(because("delivery-7", cause))))
          .extracting(ParkedMessage::cause)
          .containsExactly(cause);
    }
  }

  @Test
  void anUnreadableParkedMessageHasThatAsItsCause() {
    assertThat(causes.of(List.of(parked("1", "{"))).get(0).cause()).contains("parked message 1");
    assertThat(causes.of(List.of(parked("2", "{}"))).get(0).cause())
        .isEqualTo("its cause is not known");
  }
}
