package io.callboard.dashboard.internal.guard;

import io.callboard.dashboard.internal.audit.AuditDetail;
import io.callboard.dashboard.internal.audit.AuditEntry;
import io.callboard.dashboard.internal.audit.AuditTrail;
import io.callboard.dashboard.internal.audit.Reason;
import io.callboard.dashboard.internal.contract.Caller;
import io.callboard.dashboard.internal.contract.Contract.Operation;
import io.callboard.dashboard.internal.contract.ContractRouter;
import io.callboard.dashboard.internal.contract.Problem;
import io.callboard.dashboard.internal.contract.ProblemException;
import io.callboard.dashboard.internal.contract.Problems;
import io.callboard.dashboard.internal.contract.Role;
import io.vertx.ext.web.RoutingContext;
import java.time.Clock;

/**
 * Guard before each operation: refuses callers whose role does not allow it, and writes to a
 * read-only node; records every write in the audit, the refused ones included.
 */
public final class OperationGuard implements ContractRouter.Gate {
  private static final String NOTED = "callboard.noted";

  private final AuditTrail audit;
  private final boolean readOnly;
  private final Clock clock;

  /**
   * Creates the guard.
   *
   * @param readOnly whether writes are refused, except for login and logout
   */
  public OperationGuard(AuditTrail audit, boolean readOnly, Clock clock) {
    this.audit = audit;
    this.readOnly = readOnly;
    this.clock = clock;
  }

  @Override
  public void check(Operation operation, RoutingContext context) {
    Caller caller = Caller.of(context);
    if (operation.isWrite()) {
      context.put(NOTED, true);
      String subject = subject(operation, context);
      context.addEndHandler(end -> note(operation.id(), subject, context));
    }
    require(caller, operation.role(), operation.id());
    if (readOnly && operation.isWrite() && operation.role() != Role.ANYONE) {
      throw new ProblemException(
          Problem.of(
              Problem.Kind.READ_ONLY,
              "this node is read-only: its configuration has http.readOnly: true; send the request to another node, or change that"));
    }
  }

  /**
   * Answers a request that was refused before it came to an operation, as by its origin or login,
   * and records it in the audit if it is a write; a failure handler.
   */
  public void refused(RoutingContext context) {
    Problems.write(context);
    boolean noted = context.get(NOTED, false);
    if (!noted
        && !RequestGuard.isRead(context.request())
        && AuditTrail.isRefusal(context.response().getStatusCode())) {
      note("-", Reason.of(String.valueOf(context.request().path())), context);
    }
  }

  /**
   * Checks the role of a caller.
   *
   * @param what name of what needs the role
   * @throws ProblemException if the caller is nobody, or has another role
   */
  public static void require(Caller caller, Role needed, String what) {
    if (caller.role().includes(needed)) {
      return;
    }
    throw caller.isKnown()
        ? ProblemException.forbidden(
            "%s needs the role %s; %s has the role %s"
                .formatted(what, needed.word(), caller.name(), caller.role().word()))
        : ProblemException.unauthenticated(
            "%s needs a login: this node has http.auth configured".formatted(what));
  }

  private void note(String operation, String subject, RoutingContext context) {
    Caller caller = Caller.of(context);
    boolean answered = context.response().headWritten();
    audit.add(
        new AuditEntry(
            clock.instant(),
            caller.name(),
            caller.role().word(),
            Caller.address(context),
            operation,
            subject,
            AuditDetail.of(context),
            answered ? context.response().getStatusCode() : 0,
            Problems.code(context),
            Reason.of(context.request().getHeader(Reason.HEADER))),
        caller.isKnown());
  }

  /**
   * Returns the path without that of the API and of where it is mounted, and the other node that is
   * to carry it out, if there is one.
   */
  private static String subject(Operation operation, RoutingContext context) {
    String path = String.valueOf(context.request().path());
    int begin = path.indexOf(operation.base() + "/");
    String below = begin < 0 ? path : path.substring(begin + operation.base().length());
    String node = context.request().getParam("node");
    boolean there = node != null && !context.pathParams().containsKey("node");
    return Reason.of(there ? below + "?node=" + node : below);
  }
}
