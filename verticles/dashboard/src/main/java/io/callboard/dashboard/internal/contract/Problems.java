package io.callboard.dashboard.internal.contract;

import io.callboard.CallboardException;
import io.callboard.codecs.Json;
import io.callboard.dashboard.internal.contract.Problem.Kind;
import io.callboard.jobs.model.JobException;
import io.callboard.pollers.model.PollersException;
import io.callboard.store.StoreException;
import io.callboard.workflows.model.WorkflowException;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpClosedException;
import io.vertx.core.http.HttpServerResponse;
import io.vertx.ext.web.RoutingContext;
import io.vertx.ext.web.handler.HttpException;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Maps failures to {@link Problem}s, and writes these. */
public final class Problems {
  private static final Logger log = LoggerFactory.getLogger(Problems.class);

  private static final String READING = "callboard.reading";
  private static final String LIMIT = "callboard.limit";
  private static final String CODE = "callboard.code";
  private static final List<String> BROWSERS =
      List.of("Sec-Fetch-Site", "Cookie", "Referer", "Origin", "Accept-Language");
  private static final String TRANSFER = "Transfer-Encoding";

  private Problems() {}

  /**
   * Marks the request as being read: a failure from here on, such as a bad chunk, is not the node's
   * fault.
   *
   * @param limit maximum size of its body
   */
  static void reading(RoutingContext context, int limit) {
    context.put(READING, true).put(LIMIT, limit).next();
  }

  /** Marks the request as read completely. */
  static void read(RoutingContext context) {
    context.put(READING, false).next();
  }

  private static boolean isReading(RoutingContext context) {
    boolean reading = context.get(READING, false);
    return reading;
  }

  /** Writes the failure of a route; a failure handler. */
  public static void write(RoutingContext context) {
    Throwable cause = context.failure();
    Problem problem = problem(context.statusCode(), cause);
    if (problem.kind() == Kind.TOO_LARGE && isReading(context)) {
      int limit = context.get(LIMIT, ContractRouter.BODY_LIMIT);
      problem = ProblemException.tooLarge(limit).problem();
    }
    if (problem.kind() == Kind.INTERNAL && isReading(context)) {
      String why = cause == null ? "no reason given" : message(cause);
      problem = Problem.of(Kind.MALFORMED, "the body cannot be read: " + why);
    } else if (problem.kind() == Kind.INTERNAL) {
      String reference = UUID.randomUUID().toString();
      log.error(
          "{} {} failed, reference {}",
          context.request().method(),
          context.request().path(),
          reference,
          cause);
      problem =
          Problem.of(
              Kind.INTERNAL,
              "unexpected failure, please report it; the node's log has the details under reference "
                  + reference);
    }
    write(context, problem);
  }

  /**
   * Returns the problem for a request that Vert.x refused itself, with a status and an exception of
   * its own.
   */
  private static Problem problem(int status, @Nullable Throwable cause) {
    Problem known = cause == null ? ofStatus(status) : of(cause);
    return known.kind() == Kind.INTERNAL && status >= 400 && status < 500
        ? ofStatus(status)
        : known;
  }

  /** Returns the problem for {@code cause}; of kind {@code INTERNAL} if the cause is unknown. */
  public static Problem of(Throwable cause) {
    if (cause instanceof ProblemException ours) {
      return ours.problem();
    } else if (cause instanceof JobException jobs) {
      return of(jobs);
    } else if (cause instanceof WorkflowException workflows) {
      return of(workflows);
    } else if (cause instanceof PollersException sources) {
      return of(sources);
    } else if (cause instanceof CallboardException actors) {
      return Problem.of(kind(actors), message(cause));
    } else if (cause instanceof StoreException store) {
      return Problem.of(kind(store), message(cause));
    } else if (cause instanceof TimeoutException) {
      return Problem.of(
          Kind.UNAVAILABLE, "the answer did not come in time: the outcome is unknown");
    } else if (cause instanceof HttpException http) {
      return ofStatus(http.getStatusCode());
    } else if (cause instanceof HttpClosedException) {
      return Problem.of(Kind.MALFORMED, "the connection was closed before the request was whole");
    }
    return Problem.of(Kind.INTERNAL, "");
  }

  private static Problem of(JobException e) {
    Kind kind =
        switch (e.code()) {
          case NOT_FOUND -> Kind.NOT_FOUND;
          case ILLEGAL_STATE -> Kind.ILLEGAL_STATE;
          case INVALID -> Kind.INVALID;
          case OVERLOADED -> Kind.OVERLOADED;
          case UNAVAILABLE -> Kind.UNAVAILABLE;
        };
    return of(kind, e.pointer(), message(e));
  }

  private static Problem of(WorkflowException e) {
    Kind kind =
        switch (e.code()) {
          case NOT_FOUND -> Kind.NOT_FOUND;
          case ILLEGAL_STATE -> Kind.ILLEGAL_STATE;
          case INVALID -> Kind.INVALID;
          case OVERLOADED -> Kind.OVERLOADED;
          case UNAVAILABLE -> Kind.UNAVAILABLE;
        };
    return of(kind, e.pointer(), message(e));
  }

  private static Problem of(PollersException e) {
    return switch (e.code()) {
      case NOT_FOUND -> Problem.of(Kind.NOT_FOUND, message(e));
      case ILLEGAL_STATE -> Problem.of(Kind.ILLEGAL_STATE, message(e));
      case INVALID -> Problem.of(Kind.INVALID, List.of(new Fault("", message(e))));
      case OVERLOADED -> Problem.of(Kind.OVERLOADED, message(e));
      case UNAVAILABLE -> Problem.of(Kind.UNAVAILABLE, message(e));
    };
  }

  private static Problem of(Kind kind, String pointer, String message) {
    return pointer.isEmpty()
        ? Problem.of(kind, message)
        : Problem.of(kind, List.of(new Fault(pointer, message)));
  }

  private static Kind kind(CallboardException e) {
    return switch (e.code()) {
      case MAILBOX_FULL, JOURNAL_FULL -> Kind.OVERLOADED;
      case PAYLOAD_TOO_LARGE -> Kind.TOO_LARGE;
      case NO_SUCH_ACTOR, NO_SUCH_MESSAGE -> Kind.NOT_FOUND;
      case CONFLICT -> Kind.ILLEGAL_STATE;
      case TIMEOUT, UNAVAILABLE, STOPPED, DENIED -> Kind.UNAVAILABLE;
      case PATH_TAKEN, START_FAILED, HANDLER_FAILED, ASK_CYCLE, BAD_MESSAGE -> Kind.INTERNAL;
    };
  }

  private static Kind kind(StoreException e) {
    return switch (e.kind()) {
      case UNAVAILABLE, CLOSED, DENIED, WENT_BACK -> Kind.UNAVAILABLE;
      case CONFLICT -> Kind.ILLEGAL_STATE;
      case CORRUPT -> Kind.CORRUPT;
      case NAME_TAKEN -> Kind.INTERNAL;
    };
  }

  private static Problem ofStatus(int status) {
    return switch (status) {
      case 400 -> Problem.of(Kind.MALFORMED, "the request cannot be read");
      case 404 -> Problem.of(Kind.NOT_FOUND, "there is nothing at this path");
      case 413 -> ProblemException.tooLarge(ContractRouter.BODY_LIMIT).problem();
      case 415 -> ProblemException.notJson("").problem();
      default ->
          status >= 400 && status < 500
              ? Problem.of(Kind.MALFORMED, "the request cannot be read")
              : Problem.of(Kind.INTERNAL, "");
    };
  }

  private static String message(Throwable cause) {
    return String.valueOf(cause.getMessage());
  }

  /** Returns the code of the problem with which a request was answered; empty if there was none. */
  public static String code(RoutingContext context) {
    String code = context.get(CODE, "");
    return code;
  }

  static void writeNotAllowed(RoutingContext context, String allowed) {
    context.response().putHeader("Allow", allowed);
    write(
        context,
        Problem.of(
            Kind.METHOD_NOT_ALLOWED,
            "%s is not allowed here; allowed: %s".formatted(context.request().method(), allowed)));
  }

  /** Writes {@code problem} as the response, unless the response has begun. */
  public static void write(RoutingContext context, Problem problem) {
    HttpServerResponse response = context.response();
    if (response.headWritten() || response.closed()) {
      return;
    }
    @Nullable String path = context.request().path();
    context.put(CODE, problem.kind().name());
    if (problem.kind() == Kind.UNAUTHENTICATED) {
      // a browser that is told of Basic asks for a password itself, beside the page's login, and
      // sends it after a logout, too; over http it may send no Sec-Fetch-Site
      boolean page = BROWSERS.stream().anyMatch(context.request().headers()::contains);
      String scheme = page ? "Session" : "Basic";
      response.putHeader("WWW-Authenticate", scheme + " realm=\"Callboard\"");
    }
    response
        .setStatusCode(problem.kind().status())
        .putHeader("Content-Type", Problem.MEDIA_TYPE)
        .putHeader("Cache-Control", "no-store");
    if (problem.kind().retryAfterSeconds() > 0) {
      response.putHeader("Retry-After", String.valueOf(problem.kind().retryAfterSeconds()));
    }
    if (problem.kind() == Kind.TOO_LARGE || context.request().getHeader(TRANSFER) != null) {
      // the next bytes of this connection may be the rest of the refused request
      response.putHeader("Connection", "close");
    }
    response.end(Buffer.buffer(Json.uncheckedBytes(problem.json(path == null ? "" : path))));
  }
}
