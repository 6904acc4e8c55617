package io.callboard.journal;

import io.callboard.codecs.OldEvent;
import java.util.List;

/**
 * Reader of stored events that upcasts them to the current event types. Every persistent actor is
 * one.
 *
 * @param <E> the root type of the current events
 * @hidden for the toolkit alone
 */
public interface EventReader<E> {
  /**
   * Returns the current events that a stored event stands for: one, several, or none. Works on an
   * object that was not started.
   *
   * @throws io.callboard.codecs.CodecException if it cannot be read
   */
  List<E> today(OldEvent event);
}
