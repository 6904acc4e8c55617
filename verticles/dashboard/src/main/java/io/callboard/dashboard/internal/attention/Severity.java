package io.callboard.dashboard.internal.attention;

/** Urgency of a trouble, the most urgent first. */
public enum Severity {
  /** Something does not work. */
  CRITICAL,
  /** Something works less well than it should, or will not for long. */
  WARNING,
  /** Something is as an operator has set it and keeps work waiting, or has long been known. */
  NOTICE
}
