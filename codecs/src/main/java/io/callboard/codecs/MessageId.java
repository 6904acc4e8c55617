package io.callboard.codecs;

/**
 * Identity of a message: its sender and the number it has among that sender's messages. Unique in
 * the cell; the numbers of each sender rise.
 */
public record MessageId(String sender, long number) {
  @Override
  public String toString() {
    return sender + "#" + number;
  }
}
