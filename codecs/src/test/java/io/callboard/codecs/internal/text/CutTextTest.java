package io.callboard.codecs.internal.text;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class CutTextTest {
  @ParameterizedTest
  @CsvSource({
    "abc,3,abc,abc",
    "abc,4,abc,abc",
    "abc,2,ab,bc",
    "abc,0,'',''",
    "a😀b,2,a,b",
    "a😀b,3,a😀,😀b",
    "😀😀,3,😀,😀",
    "😀,1,'',''",
  })
  void pairsStayWholeWhereATextIsCut(String text, int most, String head, String tail) {
    assertThat(CutText.head(text, most)).isEqualTo(head);
    assertThat(CutText.tail(text, most)).isEqualTo(tail);
  }
}
