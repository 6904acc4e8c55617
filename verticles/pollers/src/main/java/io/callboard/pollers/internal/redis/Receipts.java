package io.callboard.pollers.internal.redis;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;

/**
 * Receipts as the scripts take them: {@code ID/DELIVERY}, so that one of an earlier delivery is not
 * taken for the current one.
 */
final class Receipts {
  /** As many as one script is called with. */
  private static final int MOST_A_CALL = 500;

  private Receipts() {}

  static String of(String id, long delivery) {
    return id + "/" + delivery;
  }

  /** Returns whether a text has the form of a receipt. */
  static boolean isReceipt(String receipt) {
    return receipt.matches("[0-9]{1,20}-[0-9a-f]{1,20}/[0-9]{1,18}");
  }

  /** Divides receipts into lists, one for each call. */
  static List<List<String>> calls(Collection<String> receipts) {
    List<List<String>> calls = new ArrayList<>();
    List<String> ours = receipts.stream().filter(Receipts::isReceipt).toList();
    for (int from = 0; from < ours.size(); from += MOST_A_CALL) {
      calls.add(ours.subList(from, Math.min(ours.size(), from + MOST_A_CALL)));
    }
    return calls;
  }

  /** Returns the arguments of a script: {@code first}, then id and delivery of each receipt. */
  static List<Object> arguments(List<Object> first, List<String> receipts) {
    List<Object> arguments = new ArrayList<>(first);
    for (String receipt : receipts) {
      arguments.addAll(List.of(receipt.split("/", 2)));
    }
    return arguments;
  }
}
