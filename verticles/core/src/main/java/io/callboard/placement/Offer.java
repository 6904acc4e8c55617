package io.callboard.placement;

import io.callboard.codecs.ActorPath;
import io.callboard.codecs.CodecException;
import io.callboard.codecs.Json;
import io.callboard.store.Member;
import io.callboard.supervision.Causes;
import io.callboard.time.Machine;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Offer of a node to the other members of the cell: the partitions and roles that it can own.
 *
 * @param spaces whose actors it hosts
 * @param roles that it can hold
 * @param weight its share beside others of weight 1; over 0
 * @param draining whether it gives back what others offer
 * @param locality where it runs
 * @param unfit roles that it declares and cannot hold, each with the labels that it lacks
 */
@Machine
public record Offer(
    Set<String> spaces,
    Set<String> roles,
    double weight,
    boolean draining,
    Locality locality,
    Map<String, String> unfit) {
  /** Key of the member fact that holds the offer. */
  public static final String FACT = "callboard.offer";

  private static final Logger log = LoggerFactory.getLogger(Offer.class);
  private static final int FORMAT = 1;

  /** The offer of a node that offers nothing. */
  public static final Offer NONE = new Offer(Set.of(), Set.of(), 1, false);

  /** Stored form of an offer; a newer node may add fields. */
  private record Stored(
      int f,
      @Nullable Set<String> spaces,
      @Nullable Set<String> roles,
      double weight,
      boolean draining,
      @Nullable String machine,
      @Nullable Map<String, String> labels,
      @Nullable Map<String, String> unfit) {
    Locality locality() {
      return new Locality(machine == null ? "" : machine, labels == null ? Map.of() : labels);
    }
  }

  /** Returns the text that explains why mail waits for a durable actor that no member hosts. */
  public static String unhosted(ActorPath actor) {
    return "no node of the cell hosts %s".formatted(actor);
  }

  /** Creates the offer of a node whose location is not known. */
  public Offer(Set<String> spaces, Set<String> roles, double weight, boolean draining) {
    this(spaces, roles, weight, draining, Locality.UNKNOWN, Map.of());
  }

  /**
   * Creates an offer; the collections are copied.
   *
   * @throws IllegalArgumentException if the weight is not over 0, or over {@link #MOST_WEIGHT}
   */
  public Offer {
    spaces = Set.copyOf(spaces);
    roles = Set.copyOf(roles);
    unfit = Map.copyOf(unfit);
    if (!(weight > 0 && weight <= MOST_WEIGHT)) {
      throw new IllegalArgumentException(
          "the weight of a node must be greater than 0 and at most %s, not %s"
              .formatted(MOST_WEIGHT, weight));
    }
  }

  /** The highest weight. */
  public static final double MOST_WEIGHT = 1_000;

  /** Returns the offer of a member; {@link #NONE} if it has published none that can be read. */
  public static Offer of(Member member) {
    String fact = member.facts().get(FACT);
    if (fact == null) {
      return NONE;
    }
    try {
      Stored stored =
          Json.read(
              "the offer of node " + member.name(),
              fact.getBytes(StandardCharsets.UTF_8),
              Stored.class);
      return new Offer(
          stored.spaces == null ? Set.of() : stored.spaces,
          stored.roles == null ? Set.of() : stored.roles,
          stored.weight,
          stored.draining,
          stored.locality(),
          stored.unfit == null ? Map.of() : stored.unfit);
    } catch (CodecException | IllegalArgumentException e) {
      log.warn(
          "the offer of node {} cannot be read, so that it is given nothing to own: {}",
          member.name(),
          Causes.message(e));
      return NONE;
    }
  }

  /** Returns the value of the fact. */
  public String fact() {
    Stored stored =
        new Stored(
            FORMAT,
            new TreeSet<>(spaces),
            new TreeSet<>(roles),
            weight,
            draining,
            locality.machine().isEmpty() ? null : locality.machine(),
            locality.labels().isEmpty() ? null : new TreeMap<>(locality.labels()),
            unfit.isEmpty() ? null : new TreeMap<>(unfit));
    return new String(Json.bytes(stored), StandardCharsets.UTF_8);
  }
}
