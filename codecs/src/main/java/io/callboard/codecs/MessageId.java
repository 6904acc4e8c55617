package io.callboard.codecs;

/**
 * Who sent a message and the how-manieth of that sender's messages it was: unique in the cell and
 * rising for each sender.
 */
public record MessageId(String sender, long number) {
  @Override
  public String toString() {
    return sender + "#" + number;
  }
}
