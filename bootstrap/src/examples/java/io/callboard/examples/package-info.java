/**
 * Examples: small programs, one topic each. {@link io.callboard.examples.Greeter} is the shortest
 * actor; {@link io.callboard.examples.Account} shows a durable one; {@link
 * io.callboard.examples.Ping} and {@link io.callboard.examples.Pong} talk between two processes;
 * {@code dangerous} guards a service in trouble; {@code search} is a whole application.
 */
@NullMarked
package io.callboard.examples;

import org.jspecify.annotations.NullMarked;
