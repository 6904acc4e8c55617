package io.callboard.dashboard.attention;

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
  void eachIsParsedOnceAndForgottenWhenItIsGone() {
    List<ParkedMessage> first = causes.of(List.of(because("1", "no room for 12 figs")));
    assertThat(first)
        .containsExactly(
            new ParkedMessage("/shop/shelf", "no room for 12 figs", "no room for # figs"));
    // bytes that could not be parsed show that nobody tries to
    List<ParkedMessage> again = causes.of(List.of(parked("1", "{"), because("2", "other")));
    assertThat(again)
        .extracting(ParkedMessage::cause)
        .containsExactly(first.get(0).cause(), "other");
    assertThat(again.get(0)).isSameAs(first.get(0));
    assertThat(causes.of(List.of())).isEmpty();
    assertThat(causes.of(List.of(because("1", "why else"))))
        .extracting(ParkedMessage::cause)
        .containsExactly("why else");
  }

  @Test
  void whatCannotBeReadHasThatAsItsCause() {
    assertThat(causes.of(List.of(parked("1", "{"))).get(0).cause()).contains("parked message 1");
    assertThat(causes.of(List.of(parked("2", "{}"))).get(0).cause())
        .isEqualTo("its cause is not known");
  }
}
