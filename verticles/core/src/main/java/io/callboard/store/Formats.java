package io.callboard.store;

/** Check of the format number of stored data: refuses those of newer nodes, and invalid ones. */
public final class Formats {
  private Formats() {}

  /**
   * Checks the format of stored data.
   *
   * @param what names the thing in the error
   * @throws StoreException of kind {@code CORRUPT} if {@code format} is not one of 1 to {@code
   *     known}
   */
  public static void check(String what, int format, int known) {
    if (format > known) {
      throw StoreException.corrupt(
          "%s has format %d, this node reads up to %d: it was written by a newer node"
              .formatted(what, format, known));
    }
    if (format < 1) {
      throw StoreException.corrupt(
          what + " has no format version: it was not written by Callboard, or is damaged");
    }
  }
}
