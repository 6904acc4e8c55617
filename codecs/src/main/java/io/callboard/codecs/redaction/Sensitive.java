package io.callboard.codecs.redaction;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Component of a record, of a message or within one, that is not shown to people: a dashboard masks
 * it as one value, in mailboxes and in parked messages.
 *
 * <pre>{@code
 * record Charge(String order, @Sensitive String iban) implements Command {}
 * }</pre>
 *
 * <p>Handlers get it as it was sent, and it is stored and sent as it is. It is masked on nodes that
 * know the class: that have started or declared an actor of its protocol, or sent such a message
 * since they started. On others, values are masked by their names alone.
 *
 * <p>It is found in the records, other classes, lists, maps and subtypes that types declare. Where
 * JSON has another form than a type with something sensitive (one value, a list, a name around it,
 * a field that the type does not have), or a type has more than twelve type arguments in each
 * other, all of it is masked. What is not seen: what is in a component that is declared as {@code
 * Object}, as a tree of JSON, or as a class or interface whose subtypes are neither permitted nor
 * listed by {@code @JsonSubTypes}; what a deserializer of one's own, or a mix-in, makes of a class
 * without annotations; what is copied elsewhere: into a state or an event, into another component,
 * into the text of an exception.
 */
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.RECORD_COMPONENT)
public @interface Sensitive {}
