package io.callboard.internal.zone;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Tests of the actor that is named when a thread is blocked. */
class BlockingCodeTest {
  private static StackTraceElement[] stack(String... classes) {
    return Stream.of(classes)
        .map(name -> new StackTraceElement(name, "run", "F.java", 7))
        .toArray(StackTraceElement[]::new);
  }

  @Test
  void theInnermostCodeThatIsNeitherTheJdksNorACarriersIsNamed() {
    assertThat(
            BlockingCode.code(
                stack(
                    "java.lang.Object",
                    "com.fasterxml.jackson.core.JsonParser",
                    "io.callboard.jobs.internal.protocol.JobData",
                    "io.netty.util.X")))
        .hasValue("com.fasterxml.jackson.core.JsonParser.run(F.java:7)");
    assertThat(
            BlockingCode.code(
                stack(
                    "jdk.internal.Y",
                    SerialExecutor.class.getName(),
                    "io.vertx.core.Z",
                    "com.acme.Shop")))
        .hasValue("com.acme.Shop.run(F.java:7)");
  }

  @Test
  void ofNothingElseTheInnermostFrameIsNamedAndOfNoFramesNothing() {
    assertThat(BlockingCode.code(stack("sun.nio.ch.EPoll", "io.netty.channel.A")))
        .hasValue("sun.nio.ch.EPoll.run(F.java:7)");
    assertThat(BlockingCode.code(stack())).isEmpty();
  }
}
