package io.callboard.dashboard.internal.auth;

import static org.assertj.core.api.Assertions.assertThat;

import io.callboard.dashboard.internal.contract.Role;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SessionsTest {
  private static final long IDLE = Duration.ofMinutes(10).toMillis();
  private static final long MOST = Duration.ofHours(1).toMillis();

  private final Sessions sessions = new Sessions(Duration.ofMillis(IDLE), Duration.ofMillis(MOST));

  private static UsersFile.Entry user(String name) {
    return new UsersFile.Entry(name, Role.VIEWER, "hash");
  }

  @Test
  void anUnusedSessionEndsAndAUsedOneGoesOn() {
    sessions.begin("a", user("ann"), 0);
    sessions.begin("b", user("bob"), 0);
    assertThat(sessions.use("a", IDLE - 1)).map(each -> each.user().name()).contains("ann");
    assertThat(sessions.use("b", IDLE)).isEmpty();
    assertThat(sessions.use("a", 2 * IDLE - 2)).isPresent();
  }

  @Test
  void aSessionThatIsUsedAllTheTimeEndsAtItsLimit() {
    sessions.begin("a", user("ann"), 0);
    for (long now = 0; now < MOST; now += IDLE / 2) {
      assertThat(sessions.use("a", now)).as("at " + now).isPresent();
    }
    assertThat(sessions.use("a", MOST)).isEmpty();
  }

  @Test
  void aLivenessCheckDoesNotExtendASession() {
    sessions.begin("a", user("ann"), 0);
    Sessions.Session session = sessions.use("a", 0).orElseThrow();
    assertThat(sessions.isLive(session, IDLE - 1)).isTrue();
    assertThat(sessions.isLive(session, IDLE)).isFalse();
  }

  @Test
  void anEndedSessionIsNotLiveAndItsTokenIsUnknown() {
    sessions.begin("a", user("ann"), 0);
    Sessions.Session session = sessions.use("a", 0).orElseThrow();
    sessions.end("a");
    assertThat(sessions.isLive(session, 1)).isFalse();
    assertThat(sessions.use("a", 1)).isEmpty();
    assertThat(sessions.use("", 1)).isEmpty();
  }

  @Test
  void theOldestSessionOfAUserEndsForOneTooMany() {
    for (int i = 0; i <= Sessions.MOST_OF_USER; i++) {
      sessions.begin("a" + i, user("ann"), i);
    }
    assertThat(sessions.use("a0", 100)).isEmpty();
    assertThat(sessions.use("a1", 100)).isPresent();
    assertThat(sessions.use("a" + Sessions.MOST_OF_USER, 100)).isPresent();
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3})
  void theNumberOfSessionsHasALimit(long seed) {
    Random random = new Random(seed);
    List<String> tokens = new ArrayList<>();
    long now = 0;
    for (int i = 0; i < 3 * Sessions.MOST; i++) {
      now += random.nextInt(100);
      String token = "t" + i;
      sessions.begin(token, user("u" + random.nextInt(500)), now);
      tokens.add(token);
      if (random.nextBoolean()) {
        var unused = sessions.use(tokens.get(random.nextInt(tokens.size())), now);
      }
      assertThat(sessions.size()).isLessThanOrEqualTo(Sessions.MOST);
      assertThat(sessions.use(token, now)).isPresent();
    }
  }
}
