package io.callboard.codecs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class TraceContextTest {
  private static final String PARENT = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01";

  @Test
  void isReadAsItCame() {
    String state = "rojo=00f067aa0ba902b7, congo=t61rcWkgMzE,,0tenant@sys=a;b\"c\\";
    assertThat(TraceContext.read(PARENT, state)).contains(new TraceContext(PARENT, state));
    assertThat(TraceContext.read(PARENT, null)).contains(new TraceContext(PARENT, null));
    assertThat(TraceContext.read(null, state)).isEmpty();
    assertThat(new TraceContext(PARENT, null).traceId())
        .isEqualTo("0af7651916cd43dd8448eb211c80319c");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-0",
        "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01-",
        "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01x",
        "00-0AF7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01",
        "00-00000000000000000000000000000000-b7ad6b7169203331-01",
        "00-0af7651916cd43dd8448eb211c80319c-0000000000000000-01",
        "ff-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01",
        "01-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01x",
        "00_0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01"
      })
  void aTraceparentThatIsNoneMakesBothVoid(String parent) {
    assertThat(TraceContext.read(parent, "a=1")).isEmpty();
    assertThatThrownBy(() -> new TraceContext(parent, null))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("traceparent");
  }

  @Test
  void aLaterVersionIsReadAsFarAsThisOneGoes() {
    String later = "cc" + PARENT.substring(2);
    assertThat(TraceContext.read(later, null)).contains(new TraceContext(PARENT, null));
    assertThat(TraceContext.read(later + "-what-will-be", null))
        .contains(new TraceContext(PARENT, null));
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "a", "=", "a=", "a=1,b", "a=1=2", "a=ö", "a=1\nb=2", "a=\u0000"})
  void aTracestateThatIsNoneIsLeftOutAlone(String state) {
    assertThat(TraceContext.read(PARENT, state)).contains(new TraceContext(PARENT, null));
    assertThatThrownBy(() -> new TraceContext(PARENT, state))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("tracestate");
  }

  @Test
  void aTracestateHasALimit() {
    String most = "a=" + "x".repeat(TraceContext.MOST_STATE - 2);
    assertThat(TraceContext.read(PARENT, most)).contains(new TraceContext(PARENT, most));
    assertThat(TraceContext.read(PARENT, most + "x")).contains(new TraceContext(PARENT, null));
  }

  @Test
  void anyHeadersAreReadOrIgnored() {
    SplittableRandom random = new SplittableRandom(3);
    String chars = "0a-=,; \t\"é";
    int read = 0;
    for (int i = 0; i < 50_000; i++) {
      StringBuilder parent = new StringBuilder(PARENT);
      parent.setCharAt(random.nextInt(parent.length()), chars.charAt(random.nextInt(10)));
      StringBuilder state = new StringBuilder();
      for (int n = random.nextInt(600); n > 0; n--) {
        state.append(chars.charAt(random.nextInt(10)));
      }
      read += TraceContext.read(parent.toString(), state.toString()).isPresent() ? 1 : 0;
    }
    assertThat(read).as("some still are trace contexts").isPositive();
  }
}
