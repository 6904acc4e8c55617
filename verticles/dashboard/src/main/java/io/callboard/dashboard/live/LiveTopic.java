package io.callboard.dashboard.live;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.callboard.jobs.model.Job;
import io.vertx.core.Future;
import java.util.Map;
import java.util.function.Predicate;
import java.util.function.Supplier;

/**
 * Something that can be watched.
 *
 * @param key equal for equal topics with equal queries, which then share one view
 * @param rows reads all its rows, by their keys; the order is that of the list
 * @param everyTicks how often it is read: 1 for each tick
 * @param changedBy whether a change of that job changes it; one that depends on jobs alone is read
 *     only after such a change
 * @param onlyJobs whether it depends on jobs alone
 */
record LiveTopic(
    Object key,
    Supplier<Future<Map<String, ObjectNode>>> rows,
    int everyTicks,
    boolean onlyJobs,
    Predicate<Job> changedBy) {}
