package io.callboard.codecs.internal.text;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** Digests, of which stored paths consist. */
class DigestTest {
  @Test
  void theDigestIsTheSha256OfAllPartsAndAPathHasItsFirstHalf() {
    String half = "ba7816bf8f01cfea414140de5dae2223";
    String whole = half + "b00361a396177a9cb410ff61f20015ad";
    assertThat(Digest.whole("abc")).isEqualTo(whole);
    assertThat(Digest.whole(new byte[] {'a', 'b'}, new byte[] {'c'})).isEqualTo(whole);
    assertThat(Digest.of("abc")).isEqualTo(half).isEqualTo(Digest.of(new byte[] {'a', 'b', 'c'}));
  }
}
