package io.callboard.dashboard.internal.guard;

import io.callboard.dashboard.internal.contract.Fault;
import io.callboard.dashboard.internal.contract.IsoText;
import io.callboard.dashboard.internal.contract.ProblemException;
import io.vertx.core.MultiMap;
import java.io.ByteArrayOutputStream;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Checks that a request has only one meaning, for this node and for any proxy in front of it. Pure.
 */
final class RequestForm {
  /** Headers that must not be repeated, as a proxy may believe the other value. */
  private static final List<String> SINGLE =
      List.of(
          "Origin",
          "Sec-Fetch-Site",
          "Content-Type",
          "Idempotency-Key",
          "Authorization",
          "X-Callboard-Reason");

  private RequestForm() {}

  /**
   * Checks a request, and returns the host that it is for.
   *
   * @param target target in the request line
   * @param authority the pseudo-header {@code :authority}; null if there is none, as before HTTP/2
   * @throws ProblemException of kind {@code MALFORMED} that says what is wrong
   */
  static String check(String target, @Nullable String authority, MultiMap headers) {
    String host = host(authority, headers.getAll("Host"));
    for (String single : SINGLE) {
      int count = headers.getAll(single).size();
      if (count > 1) {
        throw wrong(
            "/" + single,
            "a request must have at most one %s header, this has %d".formatted(single, count));
      }
    }
    checkBodyLength(headers);
    checkTarget(target, host);
    checkEscapes(target);
    return host;
  }

  /** Returns the host of a request: from HTTP/2 on its authority, which a Host header repeats. */
  private static String host(@Nullable String authority, List<String> hosts) {
    if (authority == null && hosts.size() != 1) {
      throw wrong("/Host", "a request must have one Host header, this has " + hosts.size());
    } else if (authority == null) {
      return hosts.get(0);
    } else if (hosts.isEmpty() || hosts.equals(List.of(authority))) {
      return authority;
    }
    throw wrong("/Host", "a Host header beside :authority must be one, and the same");
  }

  /**
   * Checks that the end of the body is unambiguous; otherwise a proxy may see different requests
   * behind it.
   */
  private static void checkBodyLength(MultiMap headers) {
    List<String> codings = headers.getAll("Transfer-Encoding");
    if (codings.isEmpty()) {
      return;
    }
    if (codings.size() > 1 || !codings.get(0).strip().equalsIgnoreCase("chunked")) {
      throw wrong("/Transfer-Encoding", "only chunked is supported");
    }
    if (headers.contains("Content-Length")) {
      throw wrong("/Content-Length", "a request must not have both this and Transfer-Encoding");
    }
  }

  /** Checks that an absolute target, as for a proxy, names the same host as the header. */
  private static void checkTarget(String target, String host) {
    if (target.startsWith("/") || target.equals("*")) {
      return;
    }
    try {
      URI absolute = new URI(target.replaceFirst("[?#].*", ""));
      String scheme = String.valueOf(absolute.getScheme());
      if (scheme.matches("(?i)https?") && host.equalsIgnoreCase(absolute.getRawAuthority())) {
        return;
      }
    } catch (URISyntaxException e) {
      // no target of this server
    }
    throw wrong(
        "",
        "the request is for %s, which does not belong to the host %s"
            .formatted(IsoText.quoted(target), IsoText.quoted(host)));
  }

  private static void checkEscapes(String target) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream(target.length());
    for (int i = 0; i < target.length(); i++) {
      char c = target.charAt(i);
      if (c == '%') {
        int high = i + 2 < target.length() ? Character.digit(target.charAt(i + 1), 16) : -1;
        int low = high < 0 ? -1 : Character.digit(target.charAt(i + 2), 16);
        if (low < 0) {
          throw wrong("", "a % in the target must be followed by two hexadecimal digits");
        }
        bytes.write(high << 4 | low);
        i += 2;
      } else {
        bytes.write(c);
      }
    }
    try {
      var unused = StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes.toByteArray()));
    } catch (CharacterCodingException e) {
      throw wrong("", "the target is not UTF-8");
    }
  }

  private static ProblemException wrong(String pointer, String detail) {
    return ProblemException.malformed(List.of(new Fault(pointer, detail)));
  }
}
