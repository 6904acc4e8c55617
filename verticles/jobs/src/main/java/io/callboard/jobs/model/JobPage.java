package io.callboard.jobs.model;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A page of a list.
 *
 * @param next the cursor of the next page; null if this is the last
 */
public record JobPage(List<Job> items, @Nullable String next) {}
