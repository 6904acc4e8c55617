package io.callboard.audit;

import io.callboard.audit.Operation.Create;
import io.callboard.audit.Operation.Delete;
import io.callboard.audit.Operation.Write;
import io.callboard.audit.Violation.Rule;
import io.callboard.codecs.BlobRef;
import io.callboard.codecs.Envelope;
import io.callboard.codecs.Segment;
import java.util.HashSet;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.BiConsumer;
import java.util.stream.IntStream;

/**
 * Rules of blobs: a blob is complete before a message names it, and is deleted with that message.
 */
final class BlobRules {
  private final Znodes znodes;
  private final Set<String> named = new TreeSet<>();
  private final Set<String> parked = new HashSet<>();
  private int all;

  BlobRules(Znodes znodes) {
    this.znodes = znodes;
  }

  void look(Transaction transaction, BiConsumer<Rule, String> wrong) {
    for (Operation operation : transaction.operations()) {
      String path = operation.path();
      if (operation instanceof Create create && MailRules.isSegment(path)) {
        Segment.decode(path, create.data()).stream()
            .map(Envelope::blob)
            .filter(Objects::nonNull)
            .forEach(blob -> names(transaction, path, blob, wrong));
      } else if (operation instanceof Create create && path.startsWith("/d/")) {
        var blob = Znodes.json(path, create.data()).path("envelope").path("blob");
        if (blob.isObject()) {
          boolean unused =
              parked.add(
                  "/b/%s~%s"
                      .formatted(
                          path.substring(3, path.lastIndexOf('~')), blob.path("id").asText()));
        }
      } else if (operation instanceof Delete && isHeader(path)) {
        boolean commits = transaction.all(Write.class).anyMatch(w -> w.path().startsWith("/s/"));
        if (named.remove(path) && !commits) {
          wrong.accept(Rule.BLOB, path + " goes without the message that names it");
        }
      }
    }
  }

  private static boolean isHeader(String path) {
    return path.startsWith("/b/") && path.split("/", -1).length == 4;
  }

  private void names(
      Transaction transaction, String segment, BlobRef blob, BiConsumer<Rule, String> wrong) {
    String path = "/b/%s~%s".formatted(MailRules.mailbox(segment), blob.id());
    boolean whole =
        IntStream.range(0, blob.parts()).allMatch(part -> znodes.exists(path + "/" + part));
    boolean told = transaction.all(Write.class).anyMatch(write -> write.path().equals(path));
    if (!whole || !told) {
      wrong.accept(
          Rule.BLOB,
          "%s names %s, which is %s, %s"
              .formatted(segment, path, whole ? "whole" : "not whole", told ? "told" : "not told"));
    }
    parked.remove(path);
    all += named.add(path) ? 1 : 0;
  }

  /** Returns the number of blobs that were ever named. */
  int named() {
    return all;
  }

  /** Returns the named blobs that still exist, except those of parked messages. */
  Set<String> left() {
    Set<String> left = new TreeSet<>(named);
    left.removeAll(parked);
    return left;
  }
}
