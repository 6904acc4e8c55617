package io.callboard.dashboard.internal.contract;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class AddressTest {
  @ParameterizedTest
  @CsvSource({
    "10.0.0.1, 10.0.0.1, 10.0.0.1, false",
    "127.9.9.9, 127.9.9.9, 127.9.9.9, true",
    "::1, 0:0:0:0:0:0:0:1, 0000000000000000::/64, true",
    "[2001:db8::7], 2001:db8:0:0:0:0:0:7, 20010db800000000::/64, false",
    "::ffff:10.0.0.1, 10.0.0.1, 10.0.0.1, false",
    "fe80::1%eth0, fe80:0:0:0:0:0:0:1, fe80000000000000::/64, false",
  })
  void eachAddressHasOneForm(String given, String text, String network, boolean loopback) {
    assertThat(Address.of(given)).contains(new Address(text, network, loopback));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"", "localhost", "999.1.1.1", "1.2.3", "10.0.0.1:80", ":", "::x", "unknown"})
  void otherTextIsNoAddressAndNoNameIsResolved(String text) {
    assertThat(Address.of(text)).isEmpty();
  }

  @Test
  void aLongTextIsNoAddress() {
    assertThat(Address.of("1:".repeat(500))).isEmpty();
  }
}
