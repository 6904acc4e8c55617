package io.callboard.grid;

import io.callboard.store.Failover;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * A role as the store tells.
 *
 * @param holder the live node that holds it; empty if none does
 * @param standby the live node that takes over when the holder goes; empty if there is none
 * @param epoch of the last holder, 0 if there was none yet
 * @param since when the holder took it, by its clock; empty without a holder
 * @param candidates live nodes that can hold it, the first of its ranking first; none that drains
 * @param failovers the last ones, oldest first
 */
public record RoleStatus(
    String name,
    Optional<String> holder,
    Optional<String> standby,
    long epoch,
    Optional<Instant> since,
    List<String> candidates,
    List<Failover> failovers) {}
