package io.callboard.chaos;

import io.callboard.ActorOptions;
import io.callboard.ActorRef;
import io.callboard.Callboard;
import io.callboard.DurableStateActor;
import io.callboard.Protocol;
import io.callboard.supervision.SupervisionOptions;
import io.vertx.core.Future;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Actor that reads its mail slowly, and calls late: from callbacks that outlive their turn, and
 * from other threads, while the turns of other messages are open. None of these calls may have an
 * effect. It tells itself of each, through a ref, which anybody may use at any time.
 */
final class LateClerk extends DurableStateActor<LateClerk.Errand, LateClerk.Desk> {
  static final int CLERKS = 2;

  private static final Logger log = LoggerFactory.getLogger(LateClerk.class);

  private static final String PREFIX = "/late/clerk";

  /** Errand from the driver; {@link #ASKED} is an ask of it, the others a clerk tells itself. */
  static final String DONE = "done";

  static final String ASKED = "asked";

  /** A late call was refused, as it should be. */
  static final String REFUSED = "refused";

  /** Prefix of a late call that had an effect, or no error. */
  static final String LATE = "late ";

  private static final Duration READS_FOR = Duration.ofMillis(40);

  /** Delay of a late call, longer than a turn takes. */
  private static final Duration LATE_BY = Duration.ofMillis(130);

  private static final int LOOKS = 100;
  private static final int LATE_EVERY = 3;

  /**
   * Interval of late calls on another thread. As it is not known to which turn such a call belongs,
   * the open turn fails.
   */
  private static final int ON_ANOTHER_THREAD_EVERY = 90;

  private long turns;

  /**
   * @param what {@link #DONE} or {@link #ASKED} from the driver
   */
  record Errand(String what, long n) {}

  record Receipt(long n) {}

  /** State of a clerk: the number of errands of each kind. */
  record Desk(Map<String, Long> count) {
    Desk and(String what) {
      Map<String, Long> next = new HashMap<>(count);
      next.merge(what, 1L, Long::sum);
      return new Desk(next);
    }
  }

  static String path(long n) {
    return PREFIX + "/k" + n % CLERKS;
  }

  /** Failures that other threads cause are many here, and none is a message's own. */
  static Future<Void> host(Callboard node) {
    ActorOptions options =
        new ActorOptions()
            .mailboxLimit(50)
            .attempts(1_000)
            .supervision(new SupervisionOptions().intensity(1_000, Duration.ofMinutes(1)));
    return node.host(PREFIX, LateClerk::new, options);
  }

  @Override
  protected Desk initial() {
    return new Desk(Map.of());
  }

  @Override
  protected void protocol(Protocol<Errand> on) {
    on.async(Errand.class, this::handle);
  }

  private Future<?> handle(Errand errand) {
    turns++;
    update(state().and(errand.what()));
    boolean fromOutside = errand.what().equals(DONE) || errand.what().equals(ASKED);
    if (!fromOutside) {
      return Future.succeededFuture();
    }
    if (errand.n() % LATE_EVERY == 0) {
      callLate(turns, errand.n(), LOOKS);
    }
    return vertx
        .timer(READS_FOR.toMillis(), TimeUnit.MILLISECONDS)
        .onSuccess(read -> reply(new Receipt(errand.n())));
  }

  /**
   * Makes a late call when the turn of that number has certainly ended, because another one has
   * begun.
   */
  private void callLate(long turn, long n, int looks) {
    ActorRef<Errand> self = callboard().durableRef(path().toString(), Errand.class);
    long unused =
        vertx.setTimer(
            LATE_BY.toMillis(),
            id -> {
              if (turns > turn) {
                late(n, self);
              } else if (looks > 0) {
                callLate(turn, n, looks - 1);
              }
            });
  }

  private void late(long n, ActorRef<Errand> self) {
    boolean elsewhere = n % ON_ANOTHER_THREAD_EVERY == 0;
    long verb = n / (elsewhere ? ON_ANOTHER_THREAD_EVERY : LATE_EVERY);
    Future<Void> told =
        elsewhere
            ? vertx.executeBlocking(() -> late(n, verb, self), false).compose(v -> v)
            : late(n, verb, self);
    told.onFailure(cause -> log.info("a late call was not noted: {}", cause.toString()));
  }

  /** Calls one of the verbs that belong to a turn. */
  private Future<Void> late(long n, long verb, ActorRef<Errand> self) {
    return switch ((int) (verb % 4)) {
      case 0 -> refused(self, "update", () -> update(state().and(LATE + "update")));
      case 1 -> refused(self, "tell", () -> tell(self, new Errand(LATE + "tell", n)));
      case 2 -> refused(self, "reply", () -> reply(new Receipt(-n)));
      default ->
          refused(
              self,
              "timer",
              () ->
                  startDurableTimer("late", Duration.ofMillis(100), new Errand(LATE + "timer", n)));
    };
  }

  private Future<Void> refused(ActorRef<Errand> self, String verb, Runnable call) {
    String what;
    try {
      SeededBug.call(this, call);
      what = LATE + verb + " was accepted";
    } catch (IllegalStateException asItShouldBe) {
      what = REFUSED;
    }
    return self.tell(new Errand(what, 0));
  }
}
