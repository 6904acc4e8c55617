package io.callboard.workflows;

import io.callboard.workflows.model.StepAttempt;

/**
 * Run of a step, as its handler sees it. Thread-safe. The trees that it gives are copies for this
 * run, one each of {@link #input} and {@link #with}, made when the handler asks for it: what it
 * changes in them nobody else sees. The same holds for what it returns, once it has.
 */
public interface StepContext extends StepAttempt {}
