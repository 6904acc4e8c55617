package io.callboard.internal.mailbox;

/** Deliveries of timers, which are an actor's own messages that no limit drops. */
public final class TimerDeliveries {
  private static final Delivery.Ticket TICKET =
      new Delivery.Ticket() {
        @Override
        public boolean redeem() {
          return true;
        }

        @Override
        public boolean isOwn() {
          return true;
        }
      };

  private TimerDeliveries() {}

  /** Returns the delivery of a timer. */
  public static Delivery timer(String message) {
    return new Delivery(message, Reply.NONE, Delivery.NEVER, TICKET);
  }
}
