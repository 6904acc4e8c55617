package io.callboard.internal.rehearsal;

/**
 * Guards of the store against late and fenced writers; a rehearsal without one of them must find
 * damage.
 */
record Guards(boolean incarnation, boolean chain, boolean lease, boolean version, boolean sweep) {
  static final Guards ALL = new Guards(true, true, true, true, true);
}
