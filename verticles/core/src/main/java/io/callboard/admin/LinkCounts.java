package io.callboard.admin;

/**
 * What a node's links counted since it started; all values only grow.
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
 * @param broadcastsOut news handed to the network, once for each other node
 * @param broadcastsIn news taken from other nodes
 * @param broadcastsDropped news that were not sent to a node, because it did not take them or more
 *     waited than may
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
