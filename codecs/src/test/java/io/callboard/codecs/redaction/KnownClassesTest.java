package io.callboard.codecs.redaction;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import io.callboard.codecs.MessageType;
import io.callboard.codecs.Named;
import io.callboard.codecs.ProtocolCodec;
import org.junit.jupiter.api.Test;

/** Of which messages a node knows what is sensitive. */
class KnownClassesTest {
  sealed interface Orders {}

  @Named("known-by-its-codec")
  record Received(@Sensitive String text) implements Orders {}

  @Named("known-as-it-is-sent")
  record Sent(@Sensitive String text) {}

  static final class One {
    private One() {}

    @Named("known-of-two")
    record Open(String text) {}
  }

  static final class Other {
    private Other() {}

    @Named("known-of-two")
    record Secret(@Sensitive String text) {}
  }

  private static Sensitivity of(String name) {
    return Sensitivity.of(new MessageType(name, 1), JsonNodeFactory.instance.objectNode());
  }

  @Test
  void messagesOfAProtocolWithACodecAreKnown() {
    assertThat(of("known-by-its-codec")).isSameAs(Sensitivity.UNKNOWN);
    ProtocolCodec.check(Orders.class);
    assertThat(MessageType.classes("known-by-its-codec")).containsExactly(Received.class);
    assertThat(of("known-by-its-codec").field("text").isAll()).isTrue();
  }

  @Test
  void messagesThatTheNodeSendsAreKnown() {
    assertThat(of("known-as-it-is-sent")).isSameAs(Sensitivity.UNKNOWN);
    assertThat(MessageType.of(Sent.class).name()).isEqualTo("known-as-it-is-sent");
    assertThat(of("known-as-it-is-sent").field("text").isAll()).isTrue();
  }

  @Test
  void aFieldIsSensitiveIfOneOfTwoClassesOfANameSaysSo() {
    assertThat(MessageType.of(One.Open.class)).isEqualTo(MessageType.of(Other.Secret.class));
    assertThat(of("known-of-two").field("text").isAll()).isTrue();
  }
}
