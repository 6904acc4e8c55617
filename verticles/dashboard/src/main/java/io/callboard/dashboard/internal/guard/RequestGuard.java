package io.callboard.dashboard.internal.guard;

import io.callboard.dashboard.internal.contract.IsoText;
import io.callboard.dashboard.internal.contract.ProblemException;
import io.vertx.core.Handler;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpVersion;
import io.vertx.ext.web.RoutingContext;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Guard before every route: refuses foreign hosts and origins, of reads as of writes, and sets the
 * headers that limit what the page may do.
 */
public final class RequestGuard implements Handler<RoutingContext> {
  private static final Set<HttpMethod> READS =
      Set.of(HttpMethod.GET, HttpMethod.HEAD, HttpMethod.OPTIONS);
  private static final String POLICY =
      "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:;"
          + " connect-src 'self'; manifest-src 'self'; base-uri 'none'; form-action 'none';"
          + " frame-ancestors 'none'";

  private final HostRule rule;

  /** Creates the guard. */
  public RequestGuard(HostRule rule) {
    this.rule = rule;
  }

  @Override
  public void handle(RoutingContext context) {
    HttpServerRequest request = context.request();
    context
        .response()
        .putHeader("Content-Security-Policy", POLICY)
        .putHeader("X-Content-Type-Options", "nosniff")
        .putHeader("X-Frame-Options", "DENY")
        .putHeader("Referrer-Policy", "no-referrer")
        .putHeader("Cross-Origin-Opener-Policy", "same-origin")
        .putHeader("Cross-Origin-Resource-Policy", "same-origin")
        .putHeader("Cache-Control", "no-store");
    String host = RequestForm.check(request.uri(), pseudoHeader(request), request.headers());
    if (!rule.allowsHost(request.authority())) {
      throw ProblemException.forbidden(
          "this node does not answer under the name %s".formatted(IsoText.quoted(host)));
    }
    checkOrigin(request);
    boolean socket = request.getHeader("Upgrade") != null;
    if (socket || !isRead(request)) {
      checkSite(request);
    }
    context.next();
  }

  private static @Nullable String pseudoHeader(HttpServerRequest request) {
    boolean has = request.version() == HttpVersion.HTTP_2 && request.authority() != null;
    return has ? request.authority().toString() : null;
  }

  /** Returns whether a request only reads, by its method. */
  static boolean isRead(HttpServerRequest request) {
    return READS.contains(request.method());
  }

  private void checkOrigin(HttpServerRequest request) {
    String origin = request.getHeader("Origin");
    if (!rule.allowsOrigin(origin, request.authority(), request.isSSL())) {
      throw ProblemException.forbidden(
          "a page of %s is not allowed to send requests to this node"
              .formatted(IsoText.quoted(orNone(origin))));
    }
  }

  /** Refuses what a page of another site sends; not reads, since a link from there is one, too. */
  private static void checkSite(HttpServerRequest request) {
    String site = request.getHeader("Sec-Fetch-Site");
    if (site != null && !site.equals("same-origin") && !site.equals("none")) {
      throw ProblemException.forbidden(
          "a page of another site is not allowed to send requests to this node");
    }
  }

  private static String orNone(@Nullable String header) {
    return header == null ? "" : header;
  }
}
