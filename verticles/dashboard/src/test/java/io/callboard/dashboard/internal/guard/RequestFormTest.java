package io.callboard.dashboard.internal.guard;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.callboard.dashboard.internal.contract.ProblemException;
import io.vertx.core.MultiMap;
import java.util.List;
import org.junit.jupiter.api.Test;

class RequestFormTest {
  private static MultiMap hosts(String... hosts) {
    MultiMap headers = MultiMap.caseInsensitiveMultiMap();
    List.of(hosts).forEach(host -> headers.add("Host", host));
    return headers;
  }

  @Test
  void theHostOfHttp1IsItsHeader() {
    assertThat(RequestForm.check("/", null, hosts("a:1"))).isEqualTo("a:1");
    assertThatThrownBy(() -> RequestForm.check("/", null, hosts()))
        .isInstanceOf(ProblemException.class);
    assertThatThrownBy(() -> RequestForm.check("/", null, hosts("a", "a")))
        .isInstanceOf(ProblemException.class);
  }

  @Test
  void theHostOfHttp2IsItsAuthority() {
    assertThat(RequestForm.check("/", "a:1", hosts())).isEqualTo("a:1");
    assertThat(RequestForm.check("/", "a:1", hosts("a:1"))).isEqualTo("a:1");
    assertThat(RequestForm.check("https://a:1/", "a:1", hosts())).isEqualTo("a:1");
  }

  @Test
  void aRequestWhoseHostDiffersFromItsAuthorityIsRefused() {
    assertThatThrownBy(() -> RequestForm.check("/", "a", hosts("b")))
        .isInstanceOf(ProblemException.class);
    assertThatThrownBy(() -> RequestForm.check("/", "a", hosts("a", "a")))
        .isInstanceOf(ProblemException.class);
    assertThatThrownBy(() -> RequestForm.check("https://b/", "a", hosts()))
        .isInstanceOf(ProblemException.class);
  }
}
