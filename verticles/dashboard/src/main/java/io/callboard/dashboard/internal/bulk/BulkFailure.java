package io.callboard.dashboard.internal.bulk;

/**
 * Item to which a bulk action was not done.
 *
 * @param id its id
 * @param code kind of the failure, as for an action on it alone
 * @param detail why
 */
public record BulkFailure(String id, String code, String detail) {}
