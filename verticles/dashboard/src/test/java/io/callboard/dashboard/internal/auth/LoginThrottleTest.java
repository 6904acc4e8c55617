package io.callboard.dashboard.internal.auth;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class LoginThrottleTest {
  private final LoginThrottle throttle = new LoginThrottle();

  private void fail(String user, String address, int times, long nowMs) {
    for (int i = 0; i < times; i++) {
      throttle.begun(user, address, nowMs);
    }
  }

  @Test
  void someFailuresAreFreeThenEachDoublesTheTimeUpToALimit() {
    fail("ann", "a", LoginThrottle.FREE_OF_USER - 1, 0);
    assertThat(throttle.waitMs("ann", "a", 0)).isZero();
    fail("ann", "a", 1, 0);
    assertThat(throttle.waitMs("ann", "a", 0)).isEqualTo(1_000);
    assertThat(throttle.waitMs("ann", "a", 600)).isEqualTo(400);
    assertThat(throttle.waitMs("ann", "a", 1_000)).isZero();
    fail("ann", "a", 1, 1_000);
    assertThat(throttle.waitMs("ann", "a", 1_000)).isEqualTo(2_000);
    fail("ann", "a", 50, 1_000);
    assertThat(throttle.waitMs("ann", "a", 1_000)).isEqualTo(LoginThrottle.LONGEST.toMillis());
  }

  @Test
  void aStrangerDoesNotLockAUserOut() {
    fail("ann", "stranger", 100, 0);
    assertThat(throttle.waitMs("ann", "home", 0)).isZero();
  }

  @Test
  void anAddressIsBrakedWhicheverNamesItTries() {
    for (int i = 0; i < LoginThrottle.FREE_OF_ADDRESS; i++) {
      throttle.begun("user" + i, "a", 0);
    }
    assertThat(throttle.waitMs("another", "a", 0)).isEqualTo(1_000);
    assertThat(throttle.waitMs("another", "b", 0)).isZero();
  }

  @Test
  void callersFromTheMachineItselfShareNoLimit() {
    for (int i = 0; i < 3 * LoginThrottle.FREE_OF_ADDRESS; i++) {
      throttle.begun("user" + i, "127.0.0.1", 0);
      throttle.begun("user" + i, "0:0:0:0:0:0:0:1", 0);
    }
    assertThat(throttle.waitMs("another", "127.0.0.1", 0)).isZero();
    assertThat(throttle.waitMs("another", "0:0:0:0:0:0:0:1", 0)).isZero();
    fail("ann", "127.0.0.1", LoginThrottle.FREE_OF_USER, 0);
    assertThat(throttle.waitMs("ann", "127.0.0.1", 0)).isEqualTo(1_000);
  }

  @Test
  void aNetworkOfIpv6IsOneAddress() {
    for (int i = 0; i < LoginThrottle.FREE_OF_ADDRESS; i++) {
      throttle.begun("user" + i, "2001:db8:0:1::" + Integer.toHexString(i + 1), 0);
    }
    assertThat(throttle.waitMs("another", "2001:db8:0:1:ffff::1", 0)).isEqualTo(1_000);
    assertThat(throttle.waitMs("another", "2001:db8:0:2::1", 0)).isZero();
  }

  @Test
  void aSuccessForgetsTheUsersFailures() {
    fail("ann", "a", LoginThrottle.FREE_OF_USER, 0);
    throttle.succeeded("ann", "a");
    assertThat(throttle.waitMs("ann", "a", 0)).isZero();
    throttle.begun("bob", "b", 0);
    throttle.succeeded("bob", "b");
    assertThat(throttle.size()).as("what a good login leaves").isEqualTo(1);
  }

  @Test
  void failuresAreForgottenAfterAWhile() {
    fail("ann", "a", 30, 0);
    long later = LoginThrottle.FORGOTTEN.toMillis();
    throttle.begun("ann", "a", later);
    assertThat(throttle.waitMs("ann", "a", later)).isZero();
  }

  @Test
  void theNumberOfRememberedFailuresIsBounded() {
    for (int i = 0; i < 3 * LoginThrottle.MOST; i++) {
      throttle.begun("user" + i, "address" + i, i);
    }
    assertThat(throttle.size()).isEqualTo(LoginThrottle.MOST);
  }
}
