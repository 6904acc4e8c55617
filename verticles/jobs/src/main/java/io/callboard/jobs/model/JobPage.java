package io.callboard.jobs.model;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Page of a list.
 *
 * @param next cursor of the next page; null if this is the last
 * @param items jobs of the page
 */
public record JobPage(List<Job> items, @Nullable String next) {}
