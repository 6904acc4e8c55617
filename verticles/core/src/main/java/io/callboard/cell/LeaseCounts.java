package io.callboard.cell;

import io.callboard.placement.VacancyReason;
import java.util.Map;

/**
 * Counters of the leases of a node: those that it owns, and those that it gained and lost.
 *
 * @param partitions of spaces that it owns now
 * @param roles that it owns now, those of the grid itself included
 * @param taken partitions and roles taken since the node started, by how the owner before was lost,
 *     all kinds
 * @param left those that it gave back, or that others took from it
 */
public record LeaseCounts(int partitions, int roles, Map<VacancyReason, Long> taken, long left) {}
