package io.callboard.codecs;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Marks the static method that turns the JSON of one version of a message, event or state into that
 * of the next version. It stands in the type itself, and every step from version 1 on is there: an
 * actor whose protocol, events or state lack one is not started.
 *
 * <pre>{@code
 * @Named(value = "withdrawn", version = 3, formerly = "taken")
 * record Withdrawn(long cents, String currency) implements Event {
 *
 *   @Upcast(from = 1) // renamed, and counted in cents since version 2
 *   static ObjectNode inCents(ObjectNode old) {
 *     long amount = old.remove("amount").longValue();
 *     return old.put("cents", amount * 100);
 *   }
 *
 *   @Upcast(from = 2) // new in version 3; what is older was all euros
 *   static ObjectNode withCurrency(ObjectNode old) {
 *     return old.put("currency", "EUR");
 *   }
 * }
 * }</pre>
 *
 * <p>The method takes and returns an {@code ObjectNode}; it may change the one it is given. It must
 * be pure: it runs whenever the old JSON is read. What it throws refuses the message, as malformed.
 * It sees JSON, never a class, so a record nested in several types gives each of them its step; let
 * them call one method.
 *
 * <p>A step makes one out of one. One event cannot become several.
 */
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.METHOD)
public @interface Upcast {
  /** The version that the method reads; it makes the one after. */
  int from();
}
