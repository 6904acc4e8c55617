package io.callboard.grid;

import io.callboard.Callboard;
import io.callboard.cell.LeaseListener;
import io.callboard.cell.Leases;
import io.callboard.codecs.ActorPath;
import io.callboard.codecs.Partition;
import io.callboard.placement.Decisions.Claim;
import io.callboard.placement.VacancyReason;
import io.callboard.store.Failover;
import io.callboard.store.Lease;
import io.callboard.store.StoreException;
import io.callboard.time.Time;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Recorder of failovers: logs each role that this node takes over, when the role's actor has
 * started.
 */
final class RoleLog implements LeaseListener {
  private static final Logger log = LoggerFactory.getLogger(RoleLog.class);
  private static final int ATTEMPTS = 5;
  private static final Duration PAUSE = Duration.ofMillis(500);

  private final Vertx vertx;
  private final Time time;
  private final Leases leases;
  private final Heartbeats heartbeats;
  private final Map<Partition, Claim> taken = new ConcurrentHashMap<>();

  RoleLog(Callboard callboard, Heartbeats heartbeats) {
    this.vertx = callboard.vertx();
    this.leases = callboard.leases();
    this.heartbeats = heartbeats;
    this.time = callboard.time();
  }

  @Override
  public void gained(Lease lease, Claim claim) {
    if (lease.partition().isRole()) {
      taken.put(lease.partition(), claim);
    }
  }

  @Override
  public void lost(Partition partition) {
    taken.remove(partition);
  }

  @Override
  public void serving(ActorPath role, Lease lease) {
    Claim claim = taken.remove(lease.partition());
    if (claim == null || role.name().startsWith(NodeActor.PREFIX)) {
      return; // the actor restarted on the same holder, or no other node could hold the role
    }
    Instant now = time.clock().instant();
    gap(claim, now)
        .onSuccess(gap -> keep(role.name(), lease, failover(lease, claim, now, gap), 1))
        .onFailure(cause -> log.warn("how long {} was without a holder is not known", role, cause));
  }

  private Failover failover(Lease lease, Claim claim, Instant now, Optional<Duration> gap) {
    String from = claim.seen().map(seen -> seen.isFree() ? seen.last() : seen.owner()).orElse("");
    return new Failover(lease.epoch(), from, lease.owner(), claim.loss().name(), now, gap);
  }

  /**
   * Returns how long the role was without a holder, counted from the last sign of the earlier one;
   * empty if that is not known.
   */
  private Future<Optional<Duration>> gap(Claim claim, Instant now) {
    Lease seen = claim.seen().orElse(null);
    if (seen == null || claim.loss() == VacancyReason.OWN) {
      return Future.succeededFuture(Optional.empty());
    } else if (seen.isFree()) {
      Duration since = Duration.between(seen.at(), now);
      return Future.succeededFuture(Optional.of(since.isNegative() ? Duration.ZERO : since));
    }
    return heartbeats.silentNanos(seen.ownerBoot()).map(silent -> silent.map(Duration::ofNanos));
  }

  private void keep(String role, Lease lease, Failover failover, int attempt) {
    log.info(
        "role {} is held by {} in epoch {}: {}{}",
        role,
        failover.to(),
        failover.epoch(),
        before(VacancyReason.valueOf(failover.cause()), failover.from()),
        failover
            .gap()
            .map(gap -> "; it was without a holder for %d ms".formatted(gap.toMillis()))
            .orElse(""));
    leases
        .failovers()
        .compose(
            all -> {
              List<Failover> history = new ArrayList<>(all.getOrDefault(role, List.of()));
              if (!history.isEmpty()
                  && history.get(history.size() - 1).epoch() == failover.epoch()) {
                return Future.succeededFuture(); // an earlier attempt succeeded
              }
              history.add(failover);
              return leases.keepFailovers(lease, role, history);
            })
        .onFailure(cause -> notKept(role, lease, failover, attempt, cause));
  }

  /** Returns, in words, why a role had no holder. */
  static String before(VacancyReason cause, String holder) {
    return switch (cause) {
      case NONE_BEFORE -> "it had no holder before";
      case GIVEN_BACK -> "node %s released it".formatted(holder);
      case PROCESS_GONE -> "the process of its holder %s is gone".formatted(holder);
      case SILENT -> "its holder %s gives no sign of life".formatted(holder);
      case SESSION_ENDED -> "the session of its holder %s ended".formatted(holder);
      case OWN -> "the claim of this node had succeeded before, its answer was lost";
    };
  }

  private void notKept(String role, Lease lease, Failover failover, int attempt, Throwable cause) {
    boolean replaced =
        cause instanceof StoreException known && known.kind() == StoreException.Kind.CONFLICT;
    if (replaced || attempt == ATTEMPTS) {
      log.warn(
          "the failover of role {} could not be added to its history: {}", role, cause.toString());
    } else {
      Time.Alarm unused =
          time.after(
              vertx.getOrCreateContext(), PAUSE, () -> keep(role, lease, failover, attempt + 1));
    }
  }
}
