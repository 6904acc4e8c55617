package io.callboard.supervision;

import io.callboard.Time;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;

/**
 * How a failure zone treats one of its children.
 *
 * @param name unique in its zone
 * @param significant whether the zone may end with it, see {@link FailureZone#endsWith}
 * @param resetAfter time without a failure after which the backoff begins anew
 * @param intensity of its own, besides the zone's; empty for none
 */
public record ChildSpec(
    String name,
    ChildKind kind,
    boolean significant,
    Backoff backoff,
    Duration resetAfter,
    Optional<Intensity> intensity) {

  /** A permanent one with the default backoff, beginning anew after 1 minute, without own limit. */
  public ChildSpec(String name) {
    this(
        name, ChildKind.PERMANENT, false, Backoff.DEFAULT, Duration.ofMinutes(1), Optional.empty());
  }

  public ChildSpec {
    Objects.requireNonNull(name, "the name of a child");
    if (resetAfter.isNegative() || resetAfter.compareTo(Time.LONGEST) > 0) {
      throw new IllegalArgumentException(
          "resetAfter of child \"%s\" must be 0 to %d days, not %s"
              .formatted(name, Time.LONGEST.toDays(), resetAfter));
    } else if (significant && kind == ChildKind.PERMANENT) {
      throw new IllegalArgumentException(
          "child \"%s\" is permanent, so it never ends by itself: a significant one is transient or"
                  .formatted(name)
              + " temporary");
    }
  }

  public ChildSpec kind(ChildKind other) {
    return new ChildSpec(name, other, significant, backoff, resetAfter, intensity);
  }

  /** The same, whose end may be the zone's. */
  public ChildSpec asSignificant() {
    return new ChildSpec(name, kind, true, backoff, resetAfter, intensity);
  }

  public ChildSpec backoff(Backoff other) {
    return new ChildSpec(name, kind, significant, other, resetAfter, intensity);
  }

  public ChildSpec resetAfter(Duration healthy) {
    return new ChildSpec(name, kind, significant, backoff, healthy, intensity);
  }

  public ChildSpec intensity(Intensity own) {
    return new ChildSpec(name, kind, significant, backoff, resetAfter, Optional.of(own));
  }
}
