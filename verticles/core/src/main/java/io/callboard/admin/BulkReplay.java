package io.callboard.admin;

import io.vertx.core.Future;

/**
 * A running replay of many parked messages, at a limited rate.
 *
 * @param matched messages to be replayed
 * @param replayed how many were: those that were taken otherwise meanwhile, that cannot be read or
 *     whose mailbox is full are left out; fails if the node stops or the store cannot be reached
 */
public record BulkReplay(int matched, Future<Integer> replayed) {}
