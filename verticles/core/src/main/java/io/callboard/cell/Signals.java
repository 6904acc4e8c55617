package io.callboard.cell;

import io.vertx.core.Future;
import java.util.function.BiConsumer;

/**
 * Small datagrams between the nodes of a cell, beside the links: sent once, at once. One may be
 * lost, overtake others, or arrive after its sender has gone; this is not reported. For programs
 * that run a grid. Safe for use by many threads.
 */
public interface Signals {
  /** Limit of the size of a signal, in bytes. */
  int MOST_BYTES = 1 << 10;

  /**
   * Sends a signal to one node.
   *
   * @param boot boot id of the receiving node
   * @param topic what the receiver listens to
   * @return completes when the signal was handed to the network, which is no sign that the node
   *     lives; fails if the node has no address, or its host refuses the connection
   * @throws IllegalArgumentException if the body has more than {@value #MOST_BYTES} bytes
   */
  Future<Void> send(String boot, String topic, byte[] body);

  /**
   * Registers the listener of a topic, in place of the one before. It is called with the sender's
   * boot id and the body, on an event loop that it must not block.
   */
  void listen(String topic, BiConsumer<String, byte[]> listener);

  /** Removes the listener of a topic. */
  void ignore(String topic);
}
