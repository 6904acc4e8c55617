package io.callboard.pollers.internal.sqs;

import io.callboard.pollers.source.SourceException;
import io.vertx.core.Future;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.BiFunction;
import software.amazon.awssdk.services.sqs.model.BatchResultErrorEntry;
import software.amazon.awssdk.services.sqs.model.Message;

/** Call for many messages, in as many batches as SQS wants; each message can fail by itself. */
final class SqsBatch {
  private static final int MOST_A_CALL = 10;

  /** Reasons for which a message is not ours any more, or cannot be kept any longer. */
  private static final Set<String> NOT_TAKEN =
      Set.of("ReceiptHandleIsInvalid", "MessageNotInflight", "InvalidParameterValue");

  private final SqsCalls calls;
  private final SqsDeliveries inFlight;

  SqsBatch(SqsCalls calls, SqsDeliveries inFlight) {
    this.calls = calls;
    this.inFlight = inFlight;
  }

  /**
   * Makes one call for at most ten messages, by the ids of their entries; completes with the
   * entries that failed.
   */
  @FunctionalInterface
  interface Call {
    Future<List<BatchResultErrorEntry>> of(Map<String, Message> entries);
  }

  /** Returns the entries of a request. */
  static <T> List<T> entries(Map<String, Message> messages, BiFunction<String, String, T> entry) {
    List<T> entries = new ArrayList<>();
    messages.forEach((id, message) -> entries.add(entry.apply(id, message.receiptHandle())));
    return entries;
  }

  /**
   * Calls for these receipts.
   *
   * @return those that are not taken any more; fails if one failed for another reason
   */
  Future<Set<String>> forEach(String what, Collection<String> receipts, Call call) {
    Set<String> lost = new HashSet<>();
    Map<String, BatchResultErrorEntry> failed = new LinkedHashMap<>();
    List<Future<Void>> running = new ArrayList<>();
    List<String> known = new ArrayList<>();
    for (String receipt : receipts) {
      if (inFlight.find(receipt).isPresent()) {
        known.add(receipt);
      } else {
        lost.add(receipt);
      }
    }
    for (int from = 0; from < known.size(); from += MOST_A_CALL) {
      List<String> part = known.subList(from, Math.min(known.size(), from + MOST_A_CALL));
      running.add(one(part, call, lost, failed));
    }
    return Future.join(running).compose(all -> ended(what, known.size(), lost, failed));
  }

  private Future<Void> one(
      List<String> receipts,
      Call call,
      Set<String> lost,
      Map<String, BatchResultErrorEntry> failed) {
    Map<String, Message> entries = new LinkedHashMap<>();
    for (int i = 0; i < receipts.size(); i++) {
      Message message = inFlight.find(receipts.get(i)).orElseThrow();
      entries.put(Integer.toString(i), message);
    }
    return call.of(entries)
        .map(
            errors -> {
              for (BatchResultErrorEntry error : errors) {
                String receipt = receipts.get(Integer.parseInt(error.id()));
                if (isNotTaken(error)) {
                  lost.add(receipt);
                } else {
                  failed.put(receipt, error);
                }
              }
              inFlight.remove(lost);
              return null;
            });
  }

  private static boolean isNotTaken(BatchResultErrorEntry error) {
    String code = String.valueOf(error.code());
    return NOT_TAKEN.contains(code.substring(code.lastIndexOf('.') + 1));
  }

  private Future<Set<String>> ended(
      String what, int all, Set<String> lost, Map<String, BatchResultErrorEntry> failed) {
    if (failed.isEmpty()) {
      return Future.succeededFuture(lost);
    }
    BatchResultErrorEntry first = failed.values().iterator().next();
    return Future.failedFuture(
        new SourceException(
            "%s: %s failed for %d of %d messages: %s: %s"
                .formatted(calls, what, failed.size(), all, first.code(), first.message())));
  }
}
