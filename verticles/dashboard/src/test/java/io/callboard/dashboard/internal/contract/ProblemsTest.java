package io.callboard.dashboard.internal.contract;

import static org.assertj.core.api.Assertions.assertThat;

import io.callboard.CallboardException;
import io.callboard.codecs.ActorPath;
import io.callboard.dashboard.internal.contract.Problem.Kind;
import io.callboard.jobs.model.JobException;
import io.callboard.store.StoreException;
import io.vertx.core.VertxException;
import io.vertx.core.http.HttpClosedException;
import java.util.List;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.Test;

class ProblemsTest {
  @Test
  void failuresHaveTheKindThatFitsThem() {
    ActorPath path = ActorPath.of("/a");
    assertThat(kind(new JobException(JobException.Code.NOT_FOUND, "x"))).isEqualTo(Kind.NOT_FOUND);
    assertThat(kind(new JobException(JobException.Code.ILLEGAL_STATE, "x")))
        .isEqualTo(Kind.ILLEGAL_STATE);
    assertThat(kind(new JobException(JobException.Code.INVALID, "x"))).isEqualTo(Kind.INVALID);
    assertThat(kind(new JobException(JobException.Code.OVERLOADED, "x")))
        .isEqualTo(Kind.OVERLOADED);
    assertThat(kind(new JobException(JobException.Code.UNAVAILABLE, "x")))
        .isEqualTo(Kind.UNAVAILABLE);
    assertThat(kind(CallboardException.mailboxFull(path, 5))).isEqualTo(Kind.OVERLOADED);
    assertThat(kind(CallboardException.noSuchActor(path))).isEqualTo(Kind.NOT_FOUND);
    assertThat(kind(CallboardException.tooLarge("x", 2, 1))).isEqualTo(Kind.TOO_LARGE);
    assertThat(kind(CallboardException.stopped("x"))).isEqualTo(Kind.UNAVAILABLE);
    assertThat(kind(StoreException.unavailable("x", new RuntimeException())))
        .isEqualTo(Kind.UNAVAILABLE);
    assertThat(kind(StoreException.denied("x", null))).isEqualTo(Kind.UNAVAILABLE);
    assertThat(kind(StoreException.conflict("x"))).isEqualTo(Kind.ILLEGAL_STATE);
    assertThat(kind(StoreException.corrupt("znode /x is damaged"))).isEqualTo(Kind.CORRUPT);
    assertThat(Problems.of(StoreException.corrupt("znode /x is damaged")).json("/y").toString())
        .contains("\"status\":409", "\"code\":\"CORRUPT\"", "znode /x is damaged");
    assertThat(kind(new TimeoutException())).isEqualTo(Kind.UNAVAILABLE);
    assertThat(kind(new HttpClosedException("Verbindung beendet"))).isEqualTo(Kind.MALFORMED);
    assertThat(kind(new VertxException("Connection pool is full"))).isEqualTo(Kind.INTERNAL);
    assertThat(kind(new NullPointerException("secret"))).isEqualTo(Kind.INTERNAL);
    assertThat(Problems.of(new NullPointerException("secret")).detail()).doesNotContain("secret");
  }

  private static Kind kind(Throwable cause) {
    return Problems.of(cause).kind();
  }

  @Test
  void aProblemHasTheShapeOfRfc9457() {
    Problem problem =
        Problem.of(Kind.INVALID, List.of(new Fault("/a", "is b"), new Fault("/c", "d")));
    assertThat(problem.json("/api/v1/jobs").toString())
        .isEqualTo(
            "{\"type\":\"urn:callboard:problem:invalid\",\"title\":\"Invalid"
                + " request\",\"status\":422,\"detail\":\"a: is b (and 1"
                + " more)\",\"instance\":\"/api/v1/jobs\",\"code\":\"INVALID\",\"errors\":[{\"pointer\":\"/a\",\"detail\":\"is"
                + " b\"},{\"pointer\":\"/c\",\"detail\":\"d\"}]}");
  }

  @Test
  void matchesEntityTags() {
    assertThat(EntityTags.match("\"v1\"", "\"v1\"")).isTrue();
    assertThat(EntityTags.match("\"v2\" , W/\"v1\"", "\"v1\"")).isTrue();
    assertThat(EntityTags.match("*", "\"v1\"")).isTrue();
    assertThat(EntityTags.match("\"v11\"", "\"v1\"")).isFalse();
    assertThat(EntityTags.match(null, "\"v1\"")).isFalse();
  }
}
