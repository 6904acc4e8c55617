package io.callboard.store;

import io.callboard.codecs.ActorPath;
import java.util.List;
import java.util.Map;

/**
 * The durable actors below a prefix.
 *
 * @param readable in the order of their paths
 * @param unreadable those whose record is damaged, each with where it is and what is wrong
 */
public record StoredActors(List<StoredActor> readable, Map<ActorPath, String> unreadable) {}
