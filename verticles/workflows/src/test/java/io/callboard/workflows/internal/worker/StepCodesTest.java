package io.callboard.workflows.internal.worker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.callboard.workflows.internal.worker.StepCodes.OfferedCode;
import io.vertx.core.Future;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class StepCodesTest {
  private final StepCodes codes = new StepCodes();

  @BeforeEach
  void offer() {
    codes.http(attempt -> Future.succeededFuture());
    offer("ocr@1", "scan");
    offer("ocr@2", "scan");
    offer("ocr@3", null);
  }

  private void offer(String name, @Nullable String zone) {
    codes.handler(name, zone, attempt -> Future.succeededFuture());
  }

  private String type(String of, @Nullable String zone) {
    return codes.of(of, zone).map(OfferedCode::type).orElse("none");
  }

  @Test
  void aRunGetsTheNewestVersionOfItsZone() {
    assertThat(type("handler:ocr", "scan")).isEqualTo("handler:ocr@2");
    assertThat(type("handler:ocr", null)).isEqualTo("handler:ocr@3");
    assertThat(type("handler:ocr", "gone")).as("of all").isEqualTo("handler:ocr@3");
  }

  @Test
  void aNamedVersionIsTakenInAnyZone() {
    assertThat(type("handler:ocr@1", null)).isEqualTo("handler:ocr@1");
    assertThat(type("http", "scan")).isEqualTo("http");
    assertThat(type("handler:ocr@4", "scan")).isEqualTo("none");
  }

  @Test
  void aHandlerThatIsOfferedAgainIsRefusedAndTheFirstKeepsItsZone() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> offer("ocr@2", "fast"))
        .withMessageContaining("this node has a handler ocr@2 already");
    assertThat(codes.zones()).isEqualTo(Map.of("scan", Set.of("handler:ocr@1", "handler:ocr@2")));
  }
}
