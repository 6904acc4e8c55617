package io.callboard.pollers.internal.actor;

import io.callboard.pollers.internal.target.MessageStarter;
import io.callboard.pollers.model.SourceConfig;
import io.callboard.pollers.source.SourceKind;

/**
 * Parts of the actor of a source, on each node the same.
 *
 * @param config its configuration
 * @param kind its kind
 * @param starter starts what its messages become
 * @param client client of other sources, through which it sends
 */
public record SourceParts(
    SourceConfig config, SourceKind kind, MessageStarter starter, SourceClient client) {}
