package io.callboard.store;

import io.callboard.codecs.ActorPath;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A page of the durable actors within a prefix.
 *
 * @param readable in the order of their paths; there may be none though more follow
 * @param unreadable those whose record is damaged, each with where it is and what is wrong
 * @param next after which path the next page begins; empty if this is the last
 */
public record StoredPage(
    List<StoredActor> readable, Map<ActorPath, String> unreadable, Optional<ActorPath> next) {}
