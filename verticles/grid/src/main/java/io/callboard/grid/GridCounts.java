package io.callboard.grid;

import java.util.List;
import java.util.Optional;

/**
 * Figures of the grid as one node sees it.
 *
 * @param suspected number of members that it believes to be gone now
 * @param findings defects that its monitor saw in two consecutive scans; empty if the monitor runs
 *     on another node
 */
public record GridCounts(int suspected, Optional<List<Finding>> findings) {}
