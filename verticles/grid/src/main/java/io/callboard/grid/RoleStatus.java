package io.callboard.grid;

import io.callboard.store.Failover;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * State of a role, as stored.
 *
 * @param name name of the role
 * @param holder name of the live node that holds it; empty if none does
 * @param standby name of the live node that takes over when the holder goes; empty if there is none
 * @param epoch epoch of the last holder; 0 if there was none yet
 * @param since when the holder took it, by the holder's clock; empty without a holder
 * @param candidates names of live nodes that can hold it, first of the ranking first; draining
 *     nodes are left out
 * @param failovers last failovers, oldest first
 */
public record RoleStatus(
    String name,
    Optional<String> holder,
    Optional<String> standby,
    long epoch,
    Optional<Instant> since,
    List<String> candidates,
    List<Failover> failovers) {}
