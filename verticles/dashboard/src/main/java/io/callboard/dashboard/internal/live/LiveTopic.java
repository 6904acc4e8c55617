package io.callboard.dashboard.internal.live;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.vertx.core.Future;
import java.util.Map;
import java.util.function.Supplier;

/**
 * Topic of subscriptions.
 *
 * @param key key that is equal for equal topics with equal queries, which then share one view
 * @param rows reads all rows, by their keys; the order is that of the list
 * @param everyTicks interval of readings: 1 for each tick
 * @param onlyJobs whether it depends on jobs alone, so that it is read only after a change of one
 */
record LiveTopic(
    Object key, Supplier<Future<Map<String, ObjectNode>>> rows, int everyTicks, boolean onlyJobs) {}
