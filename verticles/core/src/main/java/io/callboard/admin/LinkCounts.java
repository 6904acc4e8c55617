package io.callboard.admin;

/**
 * Counters of a node's links since its start; all only grow.
 *
 * @param framesOut frames with messages sent
 * @param framesIn frames with messages taken
 * @param messagesOut messages in {@code framesOut}
 * @param messagesIn messages in {@code framesIn}
 * @param lost frames that peers sent and that never came
 * @param repeated frames that came late or twice, and were not handled
 * @param refused frames that could not be read
 * @param overflowed messages refused because too much waited
 * @param pushesOut pushes in {@code messagesOut}
 * @param pushesIn pushes in {@code messagesIn}
 * @param pushesDropped pushes that were not sent, or of which it is not known that the owner got
 *     them: it finds their mail later
 * @param broadcastsOut broadcast messages handed to the network, once for each other node
 * @param broadcastsIn broadcast messages received from other nodes
 * @param broadcastsDropped broadcast messages that were not sent to a node, because it did not
 *     accept them or too many waited
 */
public record LinkCounts(
    long framesOut,
    long framesIn,
    long messagesOut,
    long messagesIn,
    long lost,
    long repeated,
    long refused,
    long overflowed,
    long pushesOut,
    long pushesIn,
    long pushesDropped,
    long broadcastsOut,
    long broadcastsIn,
    long broadcastsDropped) {}
