package io.callboard.jobs.internal.actor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.callboard.Callboard;
import io.callboard.CallboardOptions;
import io.callboard.store.Member;
import io.callboard.testkit.Futures;
import io.vertx.core.Vertx;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class HostNamesTest {
  private final Vertx vertx = Vertx.vertx();
  private Callboard callboard;

  @BeforeEach
  void start() throws Throwable {
    callboard = Futures.await(Callboard.create(vertx, new CallboardOptions().name("n")));
  }

  @AfterEach
  void end() throws Throwable {
    var unused = Futures.await(callboard.close());
    unused = Futures.await(vertx.close());
  }

  private List<String> names() throws Throwable {
    return Futures.await(callboard.members()).stream()
        .flatMap(member -> HostNames.of(member).stream())
        .map(HostNames.Host::name)
        .toList();
  }

  @Test
  void aNodeIsItsOnlyHostUnlessItPublishesOthers() throws Throwable {
    assertThat(names()).containsExactly("n");
    var published = Futures.await(HostNames.publish(callboard, List.of("h1", "h2")));
    assertThat(names()).containsExactly("n", "h1", "h2");
    published = Futures.await(HostNames.publish(callboard, List.of()));
    assertThat(names()).containsExactly("n");
  }

  @Test
  void hostsHaveTheBootOfTheirNode() {
    Member member = new Member("n", "boot", Instant.EPOCH, Map.of("jobs.hosts", "h1"));
    assertThat(HostNames.of(member))
        .extracting(host -> host.name() + "/" + host.member().bootId())
        .containsExactly("n/boot", "h1/boot");
  }

  @Test
  void anEmptyNameOrOneWithASeparatorIsRefused() {
    for (String name : List.of("", "a,b", "a/b")) {
      assertThatThrownBy(() -> HostNames.publish(callboard, List.of(name)))
          .as(name)
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("the name of a host");
    }
  }
}
