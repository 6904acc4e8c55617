package io.callboard.audit;

import java.util.List;
import java.util.stream.Stream;

/**
 * Transaction of the log.
 *
 * @param zxid its id
 * @param session session of the client that sent it
 * @param multi whether it is a multi; a refused one has no operations
 * @param operations its operations, in order
 */
record Transaction(long zxid, long session, boolean multi, List<Operation> operations) {
  /** Returns the operations on znodes below {@code root}, with paths relative to it. */
  Transaction below(String root) {
    List<Operation> inside =
        operations.stream()
            .filter(operation -> operation.path().startsWith(root + "/"))
            .map(operation -> operation.at(operation.path().substring(root.length())))
            .toList();
    return new Transaction(zxid, session, multi, inside);
  }

  <T extends Operation> Stream<T> all(Class<T> kind) {
    return operations.stream().filter(kind::isInstance).map(kind::cast);
  }

  boolean checks(String path) {
    return all(Operation.Check.class).anyMatch(check -> check.path().equals(path));
  }

  @Override
  public String toString() {
    return "0x%x of session 0x%x %s"
        .formatted(zxid, session, operations.stream().map(Transaction::brief).toList());
  }

  private static String brief(Operation operation) {
    return operation.getClass().getSimpleName().toLowerCase(java.util.Locale.ROOT)
        + " "
        + operation.path();
  }
}
