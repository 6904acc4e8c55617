package io.callboard.grid.internal.index;

import static org.assertj.core.api.Assertions.assertThat;

import io.vertx.core.Future;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class OneByOneTest {
  @Test
  void allAreDoneAndTheFirstFailureIsReported() {
    List<Integer> done = new ArrayList<>();
    Future<Void> all =
        OneByOne.all(
            List.of(1, 2, 3, 4),
            each -> {
              done.add(each);
              return each % 2 == 0 ? Future.failedFuture("no " + each) : Future.succeededFuture();
            });
    assertThat(done).containsExactly(1, 2, 3, 4);
    assertThat(all.cause()).hasMessage("no 2");
    assertThat(OneByOne.all(List.of(1), each -> Future.succeededFuture()).succeeded()).isTrue();
  }
}
