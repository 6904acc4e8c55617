package io.callboard.routing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.callboard.ActorRef;
import io.callboard.TellOptions;
import io.callboard.codecs.ActorPath;
import io.callboard.codecs.TraceContext;
import io.vertx.core.Future;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests of the choice of a routee for each message; the machines alone. */
class PickerTest {
  private record Named(ActorPath path) implements ActorRef<String> {
    @Override
    public boolean durable() {
      return false;
    }

    @Override
    public Future<Void> tell(String message) {
      throw new UnsupportedOperationException();
    }

    @Override
    public Future<Void> tell(String message, TellOptions options) {
      throw new UnsupportedOperationException();
    }

    @Override
    public <R> Future<R> ask(String message, Class<R> answer, Duration timeout) {
      throw new UnsupportedOperationException();
    }

    @Override
    public <R> Future<R> ask(
        String message, Class<R> answer, Duration timeout, TraceContext trace) {
      throw new UnsupportedOperationException();
    }

    @Override
    public <R> Future<R> ask(String message, Class<R> answer) {
      throw new UnsupportedOperationException();
    }
  }

  private static Routee<String> routee(int number) {
    return new Routee<>(new Named(ActorPath.of("/pool/" + number)));
  }

  private static List<Routee<String>> routees(int count) {
    List<Routee<String>> routees = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      routees.add(routee(i));
    }
    return routees;
  }

  @Test
  void roundRobinGoesRoundAlsoWhenRouteesComeAndGo() {
    RoundRobin<String> picker = new RoundRobin<>();
    List<Integer> picked = new ArrayList<>();
    for (int count : new int[] {3, 3, 3, 3, 2, 2, 1, 4, 4}) {
      picked.add(picker.pick("", routees(count)));
    }
    assertThat(picked).containsExactly(0, 1, 2, 0, 1, 0, 0, 1, 2);
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
  void theLeastLoadedIsNeverBusierThanAnother(long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    LeastLoaded<String> picker = new LeastLoaded<>();
    List<Routee<String>> routees = routees(1 + random.nextInt(12));
    for (int i = 0; i < 5_000; i++) {
      if (random.nextInt(100) == 0) {
        routees.remove(random.nextInt(routees.size()));
        routees.add(routee(100 + i));
      }
      Routee<String> picked = routees.get(picker.pick("", routees));
      assertThat(routees).allMatch(other -> other.load() >= picked.load());
      picked.takes();
      Routee<String> done = routees.get(random.nextInt(routees.size()));
      if (done.load() > 0 && random.nextInt(4) > 0) {
        done.isDone();
      }
    }
  }

  @Test
  void idleOnesTakeTurns() {
    LeastLoaded<String> picker = new LeastLoaded<>();
    List<Routee<String>> routees = routees(4);
    List<Integer> picked = new ArrayList<>();
    for (int i = 0; i < 8; i++) {
      picked.add(picker.pick("", routees));
    }
    assertThat(picked).containsExactly(0, 1, 2, 3, 0, 1, 2, 3);
  }

  private static Map<String, String> byKey(List<Routee<String>> routees, List<String> keys) {
    Rendezvous<String> picker = new Rendezvous<>(key -> key);
    Map<String, String> byKey = new HashMap<>();
    keys.forEach(key -> byKey.put(key, routees.get(picker.pick(key, routees)).name()));
    return byKey;
  }

  private static List<String> keys(SplittableRandom random, int count) {
    List<String> keys = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      keys.add("customer-" + i + "-" + random.nextInt(1_000));
    }
    return keys;
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5})
  void onlyTheShareOfWhatComesOrGoesMoves(long seed) {
    List<String> keys = keys(new SplittableRandom(seed), 10_000);
    List<Routee<String>> nine = routees(9);
    List<Routee<String>> ten = routees(10);
    String tenth = ten.get(9).name();
    Map<String, String> before = byKey(nine, keys);
    Map<String, String> after = byKey(ten, keys);
    long moved = keys.stream().filter(key -> !before.get(key).equals(after.get(key))).count();
    assertThat(keys)
        .allMatch(key -> before.get(key).equals(after.get(key)) || after.get(key).equals(tenth));
    assertThat(moved).isBetween(850L, 1_150L); // a tenth of them
  }

  @Test
  void everyRouteeHasAboutTheSameShareWhateverTheirOrder() {
    List<String> keys = keys(new SplittableRandom(7), 16_000);
    List<Routee<String>> routees = routees(16);
    Map<String, String> byKey = byKey(routees, keys);
    Map<String, Integer> shares = new HashMap<>();
    byKey.values().forEach(name -> shares.merge(name, 1, Integer::sum));
    assertThat(shares).hasSize(16);
    assertThat(shares.values()).allMatch(share -> share > 850 && share < 1_150);
    List<Routee<String>> reversed = new ArrayList<>(routees);
    java.util.Collections.reverse(reversed);
    assertThat(byKey(reversed, keys)).isEqualTo(byKey);
  }

  @Test
  @SuppressWarnings("NullAway") // what a careless user gives
  void aMessageWithoutAKeyIsAnError() {
    Rendezvous<String> picker = new Rendezvous<>(key -> null);
    assertThatThrownBy(() -> picker.pick("x", routees(2)))
        .hasMessageContaining("returns no key for a String");
  }
}
