package io.callboard.journal;

import io.callboard.codecs.OldEvent;
import java.util.List;

/**
 * Reads events that were written once as they are today. Every persistent actor is one.
 *
 * @param <E> the type of today's events
 */
public interface EventReader<E> {
  /**
   * What an event is today: one event, several, or none. Needs no actor that is started.
   *
   * @throws io.callboard.codecs.CodecException if it cannot be read
   */
  List<E> today(OldEvent event);
}
