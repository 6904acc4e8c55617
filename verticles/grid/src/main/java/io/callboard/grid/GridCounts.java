package io.callboard.grid;

import java.util.List;
import java.util.Optional;

/**
 * What a node knows of its grid.
 *
 * @param suspected members that it believes to be gone now
 * @param findings what its monitor saw twice in a row; empty if another node's looks
 */
public record GridCounts(int suspected, Optional<List<Finding>> findings) {}
