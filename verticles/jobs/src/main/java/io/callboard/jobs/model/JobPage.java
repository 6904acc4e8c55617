package io.callboard.jobs.model;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Page of a list.
 *
 * @param items jobs of the page
 * @param next cursor of the next page; null if this is the last
 * @param partial whether jobs may be missing: those that ended some time ago, since the archive's
 *     database does not answer, or those of a node that does not answer or has only begun
 * @param missing nodes that were asked and do not answer, or have no index of jobs; empty unless it
 *     is partial
 */
public record JobPage(
    List<Job> items, @Nullable String next, boolean partial, List<String> missing) {}
