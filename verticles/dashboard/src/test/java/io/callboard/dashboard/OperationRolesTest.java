package io.callboard.dashboard;

import static org.assertj.core.api.Assertions.assertThat;

import io.callboard.codecs.Json;
import io.callboard.dashboard.internal.auth.TestUsers;
import io.callboard.dashboard.internal.contract.Contract;
import io.callboard.dashboard.internal.contract.Contract.Operation;
import io.callboard.dashboard.internal.contract.Role;
import io.callboard.dashboard.internal.contract.Samples;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Who may what: every operation of the contract as every role, over a real node. */
@Tag("real")
class OperationRolesTest {
  private static final Contract CONTRACT = Contract.read();

  @TempDir Path data;
  @AutoClose private TestNode node;

  private HttpResponse<String> ask(Operation operation, Role role) {
    String path = operation.base() + operation.path().replaceAll("\\{\\w+}", "no-such");
    String body =
        operation.body() == null
            ? ""
            : new String(
                Json.uncheckedBytes(new Samples(CONTRACT).valid(operation.body(), false)),
                StandardCharsets.UTF_8);
    HttpRequest.Builder request = node.request(path);
    if (operation.isWrite()) {
      request.header("Content-Type", operation.mediaTypes().get(0));
    }
    if (role != Role.ANYONE) {
      request.header("Authorization", TestUsers.basic(role));
    }
    return node.send(request.method(operation.method().name(), BodyPublishers.ofString(body)));
  }

  private static String code(HttpResponse<String> answer) {
    return answer.statusCode() < 400 || answer.body().isEmpty()
        ? ""
        : TestNode.json(answer).path("code").asText();
  }

  @Test
  void everyOperationIsRefusedBelowItsRoleAndNotFromItOn() {
    Path users = TestUsers.write(data.resolve("users"), TestUsers.text());
    node = new TestNode(data, TestNode.options().auth(AuthOptions.users(users)));
    List<String> wrong = new ArrayList<>();
    for (Operation operation : CONTRACT.operations()) {
      for (Role role : Role.values()) {
        if (operation.id().equals("login")) {
          continue; // refuses wrong passwords with the same code
        }
        String code = code(ask(operation, role));
        String expected =
            role.includes(operation.role())
                ? ""
                : role == Role.ANYONE ? "UNAUTHENTICATED" : "FORBIDDEN";
        boolean refused = code.equals("UNAUTHENTICATED") || code.equals("FORBIDDEN");
        if (refused ? !code.equals(expected) : !expected.isEmpty()) {
          wrong.add("%s as %s: %s".formatted(operation.id(), role, code));
        }
      }
    }
    assertThat(wrong).isEmpty();
  }

  @Test
  void readsNeedAViewerAtMostAndWritesMore() {
    node = new TestNode(data, TestNode.options());
    for (Operation operation : CONTRACT.operations()) {
      boolean session = operation.path().equals("/session");
      if (operation.isWrite() && !session) {
        assertThat(operation.role()).as(operation.id()).isIn(Role.OPERATOR, Role.ADMIN);
      }
    }
    Set<String> admins = new TreeSet<>();
    Set<String> anyones = new TreeSet<>();
    for (Operation operation : CONTRACT.operations()) {
      if (operation.role() == Role.ADMIN) {
        admins.add(operation.id());
      } else if (operation.role() == Role.ANYONE) {
        anyones.add(operation.id());
      }
    }
    assertThat(anyones)
        .containsExactly("getHealth", "getReadiness", "getSession", "login", "logout");
    assertThat(admins)
        .contains("putLimit", "putType", "discardParked", "deleteJob", "failoverRole");
  }

  @Test
  void aReadOnlyNodeRefusesEveryWriteAndNamesTheSetting() {
    node = new TestNode(data, TestNode.options().readOnly(true));
    for (Operation operation : CONTRACT.operations()) {
      String code = code(ask(operation, Role.ANYONE));
      if (operation.isWrite() && operation.role() != Role.ANYONE) {
        assertThat(code).as(operation.id()).isEqualTo("READ_ONLY");
      } else {
        assertThat(code).as(operation.id()).isNotEqualTo("READ_ONLY");
      }
    }
    HttpResponse<String> refused = node.post("/api/v1/types/process/pause");
    assertThat(refused.statusCode()).isEqualTo(403);
    assertThat(refused.body()).contains("http.readOnly: true");
    assertThat(TestNode.json(node.get("/api/v1/session")).path("readOnly").asBoolean()).isTrue();
  }
}
