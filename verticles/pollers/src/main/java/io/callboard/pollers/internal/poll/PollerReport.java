package io.callboard.pollers.internal.poll;

import io.callboard.pollers.internal.poll.TakenMessage.Stage;
import io.callboard.pollers.model.SourceMode;
import io.callboard.pollers.model.SourceRates;
import io.callboard.pollers.model.SourceStatus;
import io.callboard.pollers.model.SourceTotals;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Report of a poller, as operators see it.
 *
 * @param status what it does
 * @param why why it does not poll, or what does not work though it does; null if all is well
 * @param inFlight messages that are taken
 * @param totals numbers since it began
 * @param rates rates of the last minute
 * @param polledAt when it last polled; null for never
 * @param ackedAt when it last acknowledged; null for never
 * @param error last failure; null for none
 * @param errorAt when that was; null for never
 */
public record PollerReport(
    SourceStatus status,
    @Nullable String why,
    int inFlight,
    SourceTotals totals,
    SourceRates rates,
    @Nullable Instant polledAt,
    @Nullable Instant ackedAt,
    @Nullable String error,
    @Nullable Instant errorAt) {

  /** Status with its reason. */
  private record Reason(SourceStatus status, @Nullable String why) {}

  static PollerReport of(
      PollerRules rules,
      SourceLink link,
      PollerGate gate,
      TakenMessages held,
      PollerCounts counts,
      boolean stopping,
      Instant now) {
    Reason reason =
        stopping
            ? new Reason(SourceStatus.DRAINING, "its node gives it up")
            : reason(rules, link, gate, held, now);
    return new PollerReport(
        reason.status(),
        reason.why(),
        held.size(),
        counts.totals(),
        counts.rates(now),
        counts.polledAt(),
        counts.ackedAt(),
        counts.error(),
        counts.errorAt());
  }

  private static Reason reason(
      PollerRules rules, SourceLink link, PollerGate gate, TakenMessages held, Instant now) {
    String by = gate.by() == null ? "" : " by " + gate.by();
    if (gate.mode() == SourceMode.PAUSED) {
      return new Reason(SourceStatus.PAUSED, "it was paused%s".formatted(by));
    } else if (gate.mode() == SourceMode.DRAINING) {
      return held.size() == 0
          ? new Reason(SourceStatus.DRAINED, "it was drained%s".formatted(by))
          : new Reason(SourceStatus.DRAINING, "it is drained%s: %s".formatted(by, stages(held)));
    } else if (link.openAt() != null) {
      return new Reason(
          SourceStatus.BACKOFF,
          "%s; it is opened again at %s".formatted(link.cause(), inSeconds(link.openAt())));
    } else if (!link.isOpen()) {
      return link.isFailing()
          ? new Reason(SourceStatus.BACKOFF, link.cause() + "; it is opened again")
          : new Reason(SourceStatus.OPENING, "it is being opened");
    } else if (gate.isRefused(now)) {
      return new Reason(
          SourceStatus.REFUSED,
          "%s; it is tried again at %s"
              .formatted(gate.refusedWhy(), inSeconds(gate.refusedUntil())));
    } else if (!gate.hasRoom()) {
      return new Reason(SourceStatus.BRAKED, gate.roomWhy());
    } else if (held.bytes() >= rules.bytes()) {
      return full(
          held,
          "its messages have %,d bytes, of %,d: %s"
              .formatted(held.bytes(), rules.bytes(), stages(held)));
    } else if (held.size() >= rules.credit()) {
      return full(held, "its credit of %,d is used up: %s".formatted(rules.credit(), stages(held)));
    }
    return link.isFailing()
        ? new Reason(
            SourceStatus.BACKOFF,
            link.cause() + "; it is open again, and polls have not succeeded for long enough")
        : new Reason(SourceStatus.POLLING, troubles(held));
  }

  /** Returns what messages wait for that does not work; null if nothing. */
  private static @Nullable String troubles(TakenMessages held) {
    List<TakenMessage> troubled = held.all().stream().filter(each -> each.trouble != null).toList();
    return troubled.isEmpty()
        ? null
        : "%,d of its messages cannot go on, one %s: %s"
            .formatted(troubled.size(), words(troubled.get(0).stage), troubled.get(0).trouble);
  }

  /**
   * Returns the report with trouble of the source, although polls succeed.
   *
   * @param trouble that, for people
   */
  public PollerReport with(String trouble) {
    return new PollerReport(
        status,
        status != SourceStatus.POLLING ? why : why == null ? trouble : trouble + "; " + why,
        inFlight,
        totals,
        rates,
        polledAt,
        ackedAt,
        error,
        errorAt);
  }

  /**
   * Returns the number of waiting messages; null if it is not known, as when a failing source
   * reports none.
   */
  public @Nullable Long lag(@Nullable Long measured) {
    return status == SourceStatus.BACKOFF && measured != null && measured == 0 ? null : measured;
  }

  /** A time as operators read it. */
  private static Instant inSeconds(Instant at) {
    return at.truncatedTo(ChronoUnit.SECONDS);
  }

  /**
   * Returns the reason of a full poller: the trouble that its messages wait for, if there is one.
   */
  private static Reason full(TakenMessages held, String why) {
    List<String> troubles =
        held.all().stream().map(each -> each.trouble).filter(Objects::nonNull).toList();
    return troubles.isEmpty()
        ? new Reason(SourceStatus.FULL, why)
        : new Reason(
            SourceStatus.REFUSED,
            "%s; of these, %,d wait, one because %s"
                .formatted(why, troubles.size(), troubles.get(0)));
  }

  private static String stages(TakenMessages held) {
    Map<Stage, Integer> numbers = new EnumMap<>(Stage.class);
    held.all().forEach(each -> numbers.merge(each.stage, 1, Integer::sum));
    StringBuilder text = new StringBuilder();
    numbers.forEach(
        (stage, number) ->
            text.append(text.isEmpty() ? "" : ", ")
                .append("%,d %s".formatted(number, words(stage))));
    return text.toString();
  }

  private static String words(Stage stage) {
    return switch (stage) {
      case READY -> "to be started";
      case SUBMITTING -> "being started";
      case RUNNING -> "started and not ended";
      case EMITTING -> "whose results are to be sent";
      case COMPLETING -> "to be acknowledged";
      case FAILING -> "failed and to be given back";
      case DYING -> "to be set aside";
      case RELEASING -> "to be given back";
    };
  }
}
