package io.callboard.dashboard.bulk;

/**
 * Job to which a bulk action was not done.
 *
 * @param job its id
 * @param code kind of the failure, as for an action on it alone
 * @param detail why
 */
public record BulkFailure(String job, String code, String detail) {}
