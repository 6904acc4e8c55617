/**
 * A service in trouble, and guards before its clients. {@link
 * io.callboard.examples.dangerous.Dangerous} runs it: with {@code bootstrap/bin/vertx run
 * io.callboard.examples.dangerous.Dangerous}, or as a program of its own.
 *
 * <p>{@link io.callboard.examples.dangerous.TroubledService} answers, then fails, answers, hangs,
 * and answers again, and counts what arrives. Two {@link
 * io.callboard.examples.dangerous.ServiceClient}s speak to it, each behind a guard: one for prices,
 * with the last known price as fallback; one for orders, which are held, and come in order. {@link
 * io.callboard.examples.dangerous.Load} asks for both at the same rate all the time.
 *
 * <p><b>What is to be seen.</b> While the service is in trouble it sees a request now and then, not
 * hundreds a second; prices are answered by the fallback; orders are held, and when it is well
 * again they come in order. Nothing is lost. One that hung may come twice: a guard tries at least
 * once, so {@code PUT} says which order it is.
 */
@NullMarked
package io.callboard.examples.dangerous;

import org.jspecify.annotations.NullMarked;
