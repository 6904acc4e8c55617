package io.callboard.dashboard.internal.guard;

import static org.assertj.core.api.Assertions.assertThat;

import io.vertx.core.net.HostAndPort;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class HostRuleTest {
  private final HostRule loopback = new HostRule("127.0.0.1", List.of("board.example"));

  @ParameterizedTest
  @ValueSource(
      strings = {
        "localhost",
        "LOCALHOST:8080",
        "127.0.0.1:1",
        "[::1]:8080",
        "[::1]",
        "board.example:443"
      })
  void ownNamesAreAllowed(String authority) {
    assertThat(loopback.allowsHost(HostAndPort.parseAuthority(authority, -1))).isTrue();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "evil.example",
        "localhost.evil.example",
        "127.0.0.1.evil.example",
        "10.0.0.5",
        "0.0.0.0:8080",
        "board.example.evil"
      })
  void otherNamesAreRefused(String authority) {
    assertThat(loopback.allowsHost(HostAndPort.parseAuthority(authority, -1))).isFalse();
    assertThat(loopback.allowsHost(null)).isFalse();
  }

  @Test
  void anyAddressIsAllowedWhereTheNodeListensOnAll() {
    HostRule all = new HostRule("0.0.0.0", List.of());
    assertThat(all.allowsHost(HostAndPort.create("10.0.0.5", 8080))).isTrue();
    assertThat(all.allowsHost(HostAndPort.create("[fe80::1]", 8080))).isTrue();
    assertThat(all.allowsHost(HostAndPort.create("evil.example", 8080))).isFalse();
    assertThat(all.allowsHost(HostAndPort.create("1.2.3.4.evil.example", 8080))).isFalse();
  }

  @ParameterizedTest
  @CsvSource({
    "http://localhost:8080, localhost:8080, true",
    "http://LocalHost:8080, localhost:8080, true",
    "http://[::1]:8080, [::1]:8080, true",
    "http://localhost, localhost, true",
    "https://board.example, board.example, true",
    "https://board.example, board.example:443, true",
    "https://localhost:8080, localhost:8080, false",
    "ftp://localhost:8080, localhost:8080, false",
    "http://localhost:8081, localhost:8080, false",
    "http://127.0.0.1:8080, localhost:8080, false",
    "http://evil.example, localhost:8080, false",
    "http://localhost:8080.evil.example, localhost:8080, false",
    "null, localhost:8080, false",
    "'', localhost:8080, false",
    "file://, localhost:8080, false",
    "http://a b, localhost:8080, false",
  })
  void letsOnlyItsOwnPagesAct(String origin, String authority, boolean allowed) {
    assertThat(loopback.allowsOrigin(origin, HostAndPort.parseAuthority(authority, -1), false))
        .isEqualTo(allowed);
  }

  @Test
  void requestsWithoutAnOriginAreAllowed() {
    assertThat(loopback.allowsOrigin(null, HostAndPort.create("localhost", 8080), false)).isTrue();
  }

  @Test
  void loopbackAddressesAreRecognised() {
    assertThat(HostRule.isLoopback("127.0.0.1")).isTrue();
    assertThat(HostRule.isLoopback("127.0.0.2")).isTrue();
    assertThat(HostRule.isLoopback("localhost")).isTrue();
    assertThat(HostRule.isLoopback("::1")).isTrue();
    assertThat(HostRule.isLoopback("0.0.0.0")).isFalse();
    assertThat(HostRule.isLoopback("192.168.0.1")).isFalse();
    assertThat(HostRule.isLoopback("127.0.0.1.evil.example")).isFalse();
  }
}
