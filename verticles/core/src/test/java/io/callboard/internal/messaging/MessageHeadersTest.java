package io.callboard.internal.messaging;

import static org.assertj.core.api.Assertions.assertThat;

import io.callboard.Priority;
import io.callboard.codecs.TraceContext;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** Tests of the headers that travel with a message over a link. */
class MessageHeadersTest {
  private static final String PARENT = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01";

  @Test
  void anAttemptOfADeliveryIsKnownByItsSender() {
    for (String other : new String[] {"/a", "node~7", "/a~", "/a~b", "~1"}) {
      assertThat(MessageHeaders.read(other).attemptOf()).as(other).isNull();
    }
    String attempt =
        new MessageHeaders("/a/b~17", "durable:/a/b", Priority.NORMAL, null, null).text();
    assertThat(MessageHeaders.read(attempt).attemptOf()).isEqualTo("/a/b~17");
  }

  @Test
  void withoutAnythingItIsTheSender() {
    assertThat(new MessageHeaders("/a", null, Priority.NORMAL, null, null).text()).isEqualTo("/a");
    assertThat(MessageHeaders.text("edge", null)).isSameAs("edge");
    assertThat(MessageHeaders.read("/a"))
        .isEqualTo(new MessageHeaders("/a", null, Priority.NORMAL, null, null));
  }

  @Test
  void isReadAsItWasWrittenAndInTheOrderThatOlderNodesKnow() {
    TraceContext trace = new TraceContext(PARENT, "a=x;to;ts,b=\"; ms\"");
    MessageHeaders all =
        new MessageHeaders("/a", "volatile:/b", Priority.HIGH, Duration.ofMillis(250), trace);
    assertThat(all.text())
        .isEqualTo("/a;to=volatile:/b;p=high;ms=250;tp=" + PARENT + ";ts=a=x;to;ts,b=\"; ms\"");
    assertThat(MessageHeaders.read(all.text())).isEqualTo(all);
    MessageHeaders trace1 =
        new MessageHeaders("/a", null, Priority.NORMAL, null, new TraceContext(PARENT, null));
    assertThat(MessageHeaders.read(trace1.text())).isEqualTo(trace1);
    assertThat(MessageHeaders.read(MessageHeaders.text("edge", trace)).trace()).isEqualTo(trace);
  }

  @Test
  void aTraceThatIsNoneIsIgnored() {
    assertThat(MessageHeaders.read("/a;tp=00-0;ts=a=1;p=high").trace()).isNull();
    assertThat(MessageHeaders.read("/a;ts=a=1"))
        .isEqualTo(new MessageHeaders("/a", null, Priority.NORMAL, null, null));
    assertThat(MessageHeaders.read("/a;ts="))
        .isEqualTo(new MessageHeaders("/a", null, Priority.NORMAL, null, null));
  }

  @Test
  void theLongestFitsAFrame() {
    String path = "/" + "x".repeat(199);
    TraceContext trace = new TraceContext(PARENT, "a=" + "x".repeat(TraceContext.MOST_STATE - 2));
    MessageHeaders longest =
        new MessageHeaders(
            path, "volatile:" + path, Priority.CONTROL, Duration.ofDays(10_000), trace);
    assertThat(longest.text()).hasSizeLessThanOrEqualTo(1_024);
  }
}
