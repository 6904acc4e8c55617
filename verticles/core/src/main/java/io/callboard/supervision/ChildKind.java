package io.callboard.supervision;

/** When a child is started again. */
public enum ChildKind {
  /** Always: it has no end of its own, and one that ends by itself has failed. */
  PERMANENT,
  /** When it failed; one that ends by itself is done. */
  TRANSIENT,
  /** Never. */
  TEMPORARY
}
