package io.callboard.codecs.redaction;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Component of a record, of a message or within one, that is not shown to people: a dashboard masks
 * all that is in it, in mailboxes and in parked messages.
 *
 * <pre>{@code
 * record Charge(String order, @Sensitive String iban) implements Command {}
 * }</pre>
 *
 * <p>Handlers get it as it was sent, and it is stored and sent as it is. It is masked on nodes that
 * know the class: that have started or declared an actor of its protocol, or sent such a message
 * since they started. On others, values are masked by their names alone.
 */
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.RECORD_COMPONENT)
public @interface Sensitive {}
