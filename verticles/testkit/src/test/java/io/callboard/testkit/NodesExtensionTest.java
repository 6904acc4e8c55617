package io.callboard.testkit;

import static io.callboard.testkit.Futures.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.callboard.Callboard;
import io.callboard.store.Member;
import io.callboard.testkit.SampleActors.Add;
import io.callboard.testkit.SampleActors.Counter;
import io.callboard.testkit.SampleActors.Total;
import org.junit.jupiter.api.Test;

/** Test of the nodes opened by {@link NodesExtension}. */
class NodesExtensionTest {
  @Test
  void itsNodesAreOfOneCellAndEndWithIt() {
    Callboard one;
    try (NodesExtension nodes = new NodesExtension()) {
      one = nodes.open("one");
      await(one.<Add>spawn("/counter", Counter::new));
      assertThat(await(one.durableRef("/counter", Add.class).ask(new Add(3), Total.class)))
          .isEqualTo(new Total(3));
      Callboard two = nodes.open("two");
      nodes.close(one);
      assertThat(await(two.members())).extracting(Member::name).containsExactly("two");
      assertThat(await(two.admin().stored("/counter"))).as("from the cell").isPresent();
      assertThatThrownBy(() -> nodes.open("bad", options -> options.recoveries(-1)))
          .isInstanceOf(IllegalArgumentException.class);
      one = two;
    }
    assertThat(one.closed().succeeded()).isTrue();
  }
}
