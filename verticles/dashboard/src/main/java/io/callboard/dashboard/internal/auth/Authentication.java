package io.callboard.dashboard.internal.auth;

import io.callboard.dashboard.internal.contract.Caller;
import io.callboard.dashboard.internal.contract.Problem;
import io.callboard.dashboard.internal.contract.ProblemException;
import io.callboard.time.Time;
import io.vertx.core.Future;
import io.vertx.core.Handler;
import io.vertx.core.Vertx;
import io.vertx.core.http.Cookie;
import io.vertx.core.http.CookieSameSite;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.ext.web.RoutingContext;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.Base64;
import java.util.Locale;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Login of callers: identifies the sender of a request by a session, a password or a token, and
 * refuses wrong credentials. A request without credentials is from nobody, whom operations refuse.
 * Thread-safe.
 */
public final class Authentication implements Handler<RoutingContext> {
  private static final String COOKIE = "callboard-session-";
  private static final int TOKEN_BYTES = 32;

  private final @Nullable PasswordLogin passwords;
  private final @Nullable Tokens tokens;
  private final Sessions sessions;
  private final Clock clock;

  private Authentication(
      @Nullable PasswordLogin passwords, @Nullable Tokens tokens, Sessions sessions, Clock clock) {
    this.passwords = passwords;
    this.tokens = tokens;
    this.sessions = sessions;
    this.clock = clock;
  }

  /**
   * Creates the login; it asks for no credentials if there are neither users nor tokens.
   *
   * @param time time of the looks at the users file
   * @param users users file
   * @param tokens rules for tokens
   * @param idle time after its last use at which a session ends
   * @param most time after its begin at which a session ends in any case
   * @return fails with one line if the users file or a file of keys cannot be read
   */
  public static Future<Authentication> open(
      Vertx vertx,
      Time time,
      Optional<Path> users,
      Optional<TokenRules> tokens,
      Duration idle,
      Duration most,
      Clock clock) {
    Future<Optional<PasswordLogin>> passwords =
        vertx.executeBlocking(
            () -> users.map(file -> new PasswordLogin(vertx, Users.open(vertx, file), clock)));
    Future<Optional<Tokens>> bearers =
        tokens
            .map(rules -> Tokens.open(vertx, rules, clock).map(Optional::of))
            .orElseGet(() -> Future.succeededFuture(Optional.empty()));
    return Future.all(passwords, bearers)
        .map(
            all -> {
              passwords.result().ifPresent(login -> login.watch(time));
              return new Authentication(
                  passwords.result().orElse(null),
                  bearers.result().orElse(null),
                  new Sessions(idle, most),
                  clock);
            });
  }

  /** Returns whether callers must log in. */
  public boolean isRequired() {
    return passwords != null || tokens != null;
  }

  /** Returns whether users can log in with a password. */
  public boolean hasPasswords() {
    return passwords != null;
  }

  @Override
  public void handle(RoutingContext context) {
    if (!isRequired()) {
      Caller.LOCAL.sent(context);
      context.next();
      return;
    }
    String authorization = context.request().getHeader("Authorization");
    if (authorization == null) {
      ofSession(context).orElse(Caller.NOBODY).sent(context);
      context.next();
      return;
    }
    context.request().pause(); // the body comes when it is known who sends it
    authorized(context, authorization)
        .onComplete(
            found -> {
              context.request().resume();
              if (found.succeeded()) {
                found.result().sent(context);
                context.next();
              } else {
                context.fail(found.cause());
              }
            });
  }

  private Future<Caller> authorized(RoutingContext context, String authorization) {
    int space = authorization.indexOf(' ');
    String scheme = authorization.substring(0, Math.max(0, space)).toLowerCase(Locale.ROOT);
    String given = authorization.substring(space + 1).strip();
    if (scheme.equals("basic") && passwords != null) {
      return basic(passwords, given, Caller.address(context));
    }
    return scheme.equals("bearer") && tokens != null
        ? tokens.caller(given)
        : Future.failedFuture(
            ProblemException.unauthenticated(
                "this node takes an Authorization header with " + schemes()));
  }

  private String schemes() {
    return passwords == null ? "Bearer" : tokens == null ? "Basic" : "Basic or Bearer";
  }

  private static Future<Caller> basic(PasswordLogin passwords, String given, String address) {
    String pair;
    try {
      pair = new String(Base64.getDecoder().decode(given), StandardCharsets.UTF_8);
    } catch (IllegalArgumentException e) {
      pair = "";
    }
    int colon = pair.indexOf(':');
    return colon < 0
        ? Future.failedFuture(
            ProblemException.unauthenticated(
                "the Authorization header is not user:password in Base64"))
        : passwords
            .check(pair.substring(0, colon), pair.substring(colon + 1), address)
            .map(passwords::caller);
  }

  private Optional<Caller> ofSession(RoutingContext context) {
    PasswordLogin login = passwords;
    Cookie cookie = context.request().getCookie(cookieName(context.request()));
    if (login == null || cookie == null) {
      return Optional.empty();
    }
    Optional<Sessions.Session> found;
    synchronized (sessions) {
      found = sessions.use(cookie.getValue(), clock.millis());
    }
    return found
        .map(session -> caller(login, session))
        .filter(caller -> caller.still().getAsBoolean());
  }

  private Caller caller(PasswordLogin login, Sessions.Session session) {
    Caller user = login.caller(session.user());
    return new Caller(
        user.name(), user.role(), () -> user.still().getAsBoolean() && isLive(session));
  }

  private boolean isLive(Sessions.Session session) {
    synchronized (sessions) {
      return sessions.isLive(session, clock.millis());
    }
  }

  /**
   * Logs a user in: the response sets the cookie of a new session.
   *
   * @return the user; fails with the problem to answer with
   */
  public Future<Caller> login(RoutingContext context, String name, String password) {
    PasswordLogin login = passwords;
    if (login == null) {
      return Future.failedFuture(
          new ProblemException(
              Problem.of(
                  Problem.Kind.ILLEGAL_STATE,
                  "this node has no users file (http.auth.users), so that there is no login with a password")));
    }
    return login
        .check(name, password, Caller.address(context))
        .map(
            user -> {
              byte[] token = RandomSecret.bytes(TOKEN_BYTES);
              String text = Base64.getUrlEncoder().withoutPadding().encodeToString(token);
              Cookie before = context.request().getCookie(cookieName(context.request()));
              synchronized (sessions) {
                if (before != null) {
                  sessions.end(before.getValue()); // its cookie is replaced
                }
                sessions.begin(text, user, clock.millis());
              }
              setCookie(context, text, false);
              return login.caller(user);
            });
  }

  /** Ends the session of a request, if it has one; the response deletes the cookie. */
  public void logout(RoutingContext context) {
    Cookie cookie = context.request().getCookie(cookieName(context.request()));
    if (cookie != null) {
      synchronized (sessions) {
        sessions.end(cookie.getValue());
      }
      setCookie(context, "", true);
    }
  }

  private static void setCookie(RoutingContext context, String value, boolean ends) {
    HttpServerRequest request = context.request();
    String origin = request.getHeader("Origin"); // checked by the guard; https behind a TLS proxy
    Cookie cookie =
        Cookie.cookie(cookieName(request), value)
            .setHttpOnly(true)
            .setSameSite(CookieSameSite.STRICT)
            .setSecure(request.isSSL() || (origin != null && origin.startsWith("https://")))
            .setPath("/");
    context.response().addCookie(ends ? cookie.setMaxAge(0) : cookie);
  }

  /**
   * Returns a name of its own for each port: cookies know none, and a machine may run many nodes.
   */
  private static String cookieName(HttpServerRequest request) {
    var authority = request.authority();
    return COOKIE + (authority == null ? 0 : Math.max(0, authority.port()));
  }

  /** Closes the readers of users and tokens; sessions are forgotten. */
  public Future<Void> close() {
    if (passwords != null) {
      passwords.close();
    }
    return tokens == null ? Future.succeededFuture() : tokens.close();
  }
}
