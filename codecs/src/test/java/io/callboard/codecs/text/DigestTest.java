package io.callboard.codecs.text;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

/** Digests, of which stored paths consist. */
class DigestTest {
  private static final String ABC =
      "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  @Test
  void theDigestIsTheSha256OfAllParts() {
    assertThat(Digest.whole("abc")).isEqualTo(ABC);
    assertThat(Digest.whole(bytes("a"), bytes(""), bytes("bc"))).isEqualTo(ABC);
  }

  @Test
  void aPathHasItsFirstHalf() {
    assertThat(Digest.of("abc")).isEqualTo(ABC.substring(0, 32)).isEqualTo(Digest.of(bytes("abc")));
  }
}
