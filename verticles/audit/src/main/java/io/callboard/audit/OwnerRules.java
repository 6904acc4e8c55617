package io.callboard.audit;

import com.fasterxml.jackson.databind.JsonNode;
import io.callboard.audit.Operation.Create;
import io.callboard.audit.Operation.Delete;
import io.callboard.audit.Operation.Write;
import io.callboard.audit.Violation.Rule;
import java.util.function.BiConsumer;

/** Rules of owners: leases, incarnations and commit numbers only rise. */
final class OwnerRules {
  private final Znodes znodes;

  OwnerRules(Znodes znodes) {
    this.znodes = znodes;
  }

  void look(Transaction transaction, BiConsumer<Rule, String> wrong) {
    for (Operation operation : transaction.operations()) {
      String path = operation.path();
      boolean known = path.startsWith("/o/") || path.startsWith("/i/") || path.startsWith("/s/");
      if (operation instanceof Create create && known) {
        changed(transaction, path, create.data(), wrong);
      } else if (operation instanceof Write write && known) {
        changed(transaction, path, write.data(), wrong);
      } else if (operation instanceof Delete && known) {
        wrong.accept(Rule.NUMBER, path + " is gone");
      }
    }
  }

  private void changed(
      Transaction transaction, String path, byte[] data, BiConsumer<Rule, String> wrong) {
    JsonNode before = znodes.json(path);
    JsonNode after = Znodes.json(path, data);
    if (path.startsWith("/o/")) {
      leased(transaction, path, before, after, wrong);
    } else {
      String field = path.startsWith("/s/") ? "number" : "counter";
      // the first number is 0, the first incarnation 1
      long from = before.path(field).asLong(path.startsWith("/s/") ? -1 : 0);
      if (after.path(field).asLong() != from + 1) {
        wrong.accept(Rule.NUMBER, "%s goes from %s to %s".formatted(path, before, after));
      }
    }
  }

  private void leased(
      Transaction transaction,
      String path,
      JsonNode before,
      JsonNode after,
      BiConsumer<Rule, String> wrong) {
    String owner = after.path("owner").asText();
    long epochs = after.path("epoch").asLong() - before.path("epoch").asLong();
    boolean released = owner.isEmpty() && epochs == 0;
    boolean claimed =
        !owner.isEmpty()
            && epochs == 1
            && transaction.multi()
            && transaction.checks("/i/" + owner)
            && after.path("boot").equals(znodes.json("/i/" + owner).path("boot"));
    if (!released && !claimed) {
      wrong.accept(Rule.EPOCH, "%s goes from %s to %s".formatted(path, before, after));
    }
  }
}
