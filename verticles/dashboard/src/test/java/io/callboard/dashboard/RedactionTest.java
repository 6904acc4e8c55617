package io.callboard.dashboard;

import static io.callboard.dashboard.TestNode.json;
import static io.callboard.testkit.Futures.await;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.callboard.ActorOptions;
import io.callboard.ActorRef;
import io.callboard.DurableStateActor;
import io.callboard.Protocol;
import io.callboard.codecs.redaction.Sensitive;
import io.callboard.dashboard.internal.auth.TestUsers;
import io.callboard.dashboard.internal.contract.Role;
import io.callboard.testkit.Eventually;
import io.callboard.testkit.Waits;
import io.vertx.core.http.WebSocket;
import io.vertx.core.http.WebSocketConnectOptions;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Secrets in what users submit: none is told, whoever asks and wherever. */
@Tag("real")
class RedactionTest {
  private static final BlockingQueue<Login> OPENED = new LinkedBlockingQueue<>();
  private static final BlockingQueue<Transfer> PAID = new LinkedBlockingQueue<>();
  private static final String[] SECRETS = {"hunter2", "s3cr3t", "env1ron", "DE8937040044"};

  @TempDir static Path data;
  private static TestNode node;

  record Login(String user, String password) {}

  record Last(String user) {}

  record Account(String owner, @Sensitive String iban, @Sensitive Map<String, Integer> limits) {}

  record Transfer(String order, List<Account> to) {}

  static final class Bank extends DurableStateActor<Transfer, Last> {
    @Override
    protected Last initial() {
      return new Last("nobody");
    }

    @Override
    protected void protocol(Protocol<Transfer> on) {
      on.message(
          Transfer.class,
          transfer -> {
            if (transfer.order().equals("bad")) {
              throw new IllegalArgumentException("no such order");
            }
            PAID.add(transfer);
            update(new Last(transfer.order()));
          });
    }
  }

  static final class Door extends DurableStateActor<Login, Last> {
    @Override
    protected Last initial() {
      return new Last("nobody");
    }

    @Override
    protected void protocol(Protocol<Login> on) {
      on.message(
          Login.class,
          login -> {
            if (login.user().equals("bad")) {
              throw new IllegalArgumentException("no such user");
            }
            OPENED.add(login);
            update(new Last(login.user()));
          });
    }
  }

  @BeforeAll
  static void start() {
    Path users = TestUsers.write(data.resolve("users"), TestUsers.text());
    node = new TestNode(data, TestNode.options().auth(AuthOptions.users(users)));
  }

  @AfterAll
  static void stop() {
    node.close();
  }

  private static HttpRequest.Builder request(Role role, String path) {
    return node.request("/api/v1" + path).header("Authorization", TestUsers.basic(role));
  }

  private static HttpResponse<String> get(Role role, String path) {
    HttpResponse<String> answer = node.send(request(role, path));
    assertThat(answer.statusCode()).as(path + answer.body()).isEqualTo(200);
    return answer;
  }

  private static HttpResponse<String> send(String method, String path, String body) {
    return node.send(
        request(Role.ADMIN, path)
            .header("Content-Type", "application/json")
            .method(method, BodyPublishers.ofString(body.replace('\'', '"'))));
  }

  private static String submit() {
    HttpResponse<String> answer =
        send(
            "POST",
            "/jobs",
            """
            {'command': ['sh', '-c', 'test ${#1},${#2},${#DB_HOST} = 18,22,7', 'x',
                         '--password=hunter2', 'https://ann:s3cr3t@db/'],
             'env': {'DB_HOST': 'env1ron'}, 'labels': {'of': 'redaction'}}
            """);
    assertThat(answer.statusCode()).as(answer.body()).isEqualTo(201);
    return json(answer).path("id").asText();
  }

  @Test
  void aJobGetsItsSecretsAndNobodyElseDoes() throws Exception {
    String id = submit();
    Eventually.assertThat(
        () ->
            assertThat(json(get(Role.ADMIN, "/jobs/" + id)).path("state").asText())
                .isEqualTo("SUCCEEDED"));
    for (Role role : Role.ofUsers()) {
      JsonNode job = json(get(role, "/jobs/" + id));
      assertThat(job.at("/command/4").asText()).isEqualTo("--password=[masked]");
      assertThat(job.at("/command/5").asText()).isEqualTo("https://ann:[masked]@db/");
      for (String path :
          List.of(
              "/jobs/" + id,
              "/jobs?label=of%3Dredaction",
              "/jobs/" + id + "/events",
              "/jobs/" + id + "/runs",
              "/jobs/" + id + "/why",
              "/search?q=redaction",
              "/actors/jobs/job/" + id)) {
        HttpResponse<String> answer = node.send(request(role, path));
        assertThat(answer.body()).as(path).contains("{").doesNotContain(SECRETS);
      }
    }
    for (String topic : List.of("jobs", "job/" + id)) {
      assertThat(snap(topic)).contains(id, "[masked]").doesNotContain(SECRETS);
    }
  }

  private static String snap(String topic) throws InterruptedException {
    BlockingQueue<String> frames = new LinkedBlockingQueue<>();
    WebSocketConnectOptions options =
        new WebSocketConnectOptions()
            .setHost("127.0.0.1")
            .setPort(node.front.port())
            .setURI("/ws")
            .addHeader("Authorization", TestUsers.basic(Role.VIEWER))
            .addSubProtocol("callboard.v1+json");
    WebSocket socket =
        await(
            node.sockets
                .connect(options)
                .map(
                    opened -> {
                      opened.textMessageHandler(frames::add);
                      return opened;
                    }));
    await(socket.writeTextMessage("{\"t\":\"hello\"}"));
    await(socket.writeTextMessage("{\"t\":\"sub\",\"id\":1,\"topic\":\"%s\"}".formatted(topic)));
    String snap = Waits.next(frames, frame -> frame.startsWith("{\"t\":\"snap\""));
    await(socket.close());
    return snap;
  }

  @Test
  void aSearchDoesNotTellWhetherASecretIsThere() {
    String id = submit();
    Eventually.assertThat(
        () -> assertThat(get(Role.VIEWER, "/jobs?q=" + id.substring(0, 30)).body()).contains(id));
    for (String secret : SECRETS) {
      assertThat(json(get(Role.VIEWER, "/jobs?q=" + secret)).path("items")).isEmpty();
      assertThat(get(Role.VIEWER, "/search?q=" + secret).body()).doesNotContain(id);
    }
  }

  @Test
  void aDefinitionIsWholeForThoseWhoMayChangeItAndMaskedForOthers() {
    String definition =
        "{'name':'pays','steps':{'a':{'run':'process','with':{'command':"
            + "['pay','--token','hunter2'],'env':{'KEY_FILE':'env1ron'}}},"
            + "'get-token':{'run':'handler:nobody','after':{'a':'success'}}}}";
    HttpResponse<String> put = send("PUT", "/workflow-definitions/pays", definition);
    assertThat(put.statusCode()).as(put.body()).isEqualTo(201);
    String path = "/workflow-definitions/pays";
    assertThat(get(Role.ADMIN, path).body()).contains("hunter2", "env1ron");
    for (Role role : List.of(Role.VIEWER, Role.OPERATOR)) {
      HttpResponse<String> shown = get(role, path);
      assertThat(shown.body()).contains("[masked]").doesNotContain(SECRETS);
      assertThat(json(shown).at("/definition/steps/get-token/run").asText())
          .as("the id of a step is no name of a secret")
          .isEqualTo("handler:nobody");
      assertThat(shown.headers().firstValue("ETag").orElseThrow())
          .isNotEqualTo(get(Role.ADMIN, path).headers().firstValue("ETag").orElseThrow());
      HttpResponse<String> back = send("PUT", path, json(shown).path("definition").toString());
      assertThat(back.statusCode()).isEqualTo(422);
      assertThat(back.body()).contains("stands for a secret that is not shown");
    }
  }

  @Test
  void aMaskThatIsCopiedIntoARequestIsRefused() {
    String job = "{'command':['pay','--token','[masked]'],'env':{'API_KEY':'[masked]'}}";
    HttpResponse<String> submitted = send("POST", "/jobs", job);
    assertThat(submitted.statusCode()).as(submitted.body()).isEqualTo(422);
    assertThat(json(submitted).at("/errors/0/pointer").asText()).isEqualTo("/command/2");
    assertThat(json(submitted).at("/errors/1/pointer").asText()).isEqualTo("/env/API_KEY");
    String workflow = "{'definition':'asks','input':{'apiKey':'[masked]'}}";
    HttpResponse<String> started = send("POST", "/workflows", workflow);
    assertThat(started.statusCode()).as(started.body()).isEqualTo(422);
    assertThat(json(started).at("/errors/0/pointer").asText()).isEqualTo("/input/apiKey");
  }

  @Test
  void theInputOfAWorkflowIsMasked() throws Exception {
    String definition = "{'name':'asks','steps':{'a':{'run':'handler:nobody'}}}";
    assertThat(send("PUT", "/workflow-definitions/asks", definition).statusCode()).isEqualTo(201);
    HttpResponse<String> started =
        send(
            "POST",
            "/workflows",
            "{'definition':'asks','input':{'order':42,'apiKey':'hunter2','env':{'A':'env1ron'}}}");
    assertThat(started.statusCode()).as(started.body()).isEqualTo(201);
    assertThat(json(started).at("/input/order").asInt()).isEqualTo(42);
    String path = "/workflows/" + json(started).path("id").asText();
    for (String body :
        List.of(
            started.body(),
            get(Role.ADMIN, path).body(),
            snap(path.substring(1).replaceFirst("workflows", "workflow")))) {
      assertThat(body).contains("[masked]").doesNotContain(SECRETS);
    }
    assertThat(send("POST", path + "/cancel", "").statusCode()).isEqualTo(202);
  }

  @Test
  void aParkedMessageIsShownWithoutItsSecretsAndReplayedWithThem() throws Exception {
    await(node.callboard.spawn("/house/door", Door::new, new ActorOptions().attempts(1)));
    await(node.callboard.durableRef("/house/door", Login.class).tell(new Login("bad", "hunter2")));
    String path = "/deadletters/" + parked();
    JsonNode shown = json(get(Role.ADMIN, path));
    assertThat(shown.at("/body/password").asText()).isEqualTo("[masked]");
    assertThat(get(Role.VIEWER, path).body()).doesNotContain("[masked]");
    HttpResponse<String> wrong =
        send("POST", path + "/replay", "{'body':{'user':'[masked]','password':'[masked]'}}");
    assertThat(wrong.statusCode()).as(wrong.body()).isEqualTo(422);
    assertThat(json(wrong).at("/errors/0/pointer").asText()).isEqualTo("/body/user");
    HttpResponse<String> right =
        send("POST", path + "/replay", "{'body':{'user':'ann','password':'[masked]'}}");
    assertThat(right.statusCode()).as(right.body()).isEqualTo(202);
    assertThat(right.body()).doesNotContain(SECRETS);
    assertThat(Waits.next(OPENED)).isEqualTo(new Login("ann", "hunter2"));
  }

  @Test
  void fieldsThatATypeCallsSensitiveAreMaskedAsSecretsAre() throws Exception {
    ActorRef<Transfer> bank =
        await(node.callboard.spawn("/house/bank", Bank::new, new ActorOptions().attempts(1)));
    Account account = new Account("ann", "DE8937040044", Map.of("DE8937040044", 7));
    Transfer transfer = new Transfer("bad", List.of(account));
    await(bank.tell(transfer));
    String path = "/deadletters/" + parked();
    JsonNode shown = json(get(Role.ADMIN, path));
    assertThat(shown.has("maskedByNames")).isFalse();
    assertThat(shown.at("/body/to/0/owner").asText()).isEqualTo("ann");
    assertThat(shown.at("/body/to/0/iban").asText()).isEqualTo("[masked]");
    assertThat(shown.at("/body/to/0/limits").asText()).isEqualTo("[masked]");
    assertThat(shown.toString()).doesNotContain(SECRETS);
    String misfit = "{'owner':'ann','iban':'[masked]','limits':'DE8937040044'}";
    HttpResponse<String> refused =
        send("POST", path + "/replay", "{'body':{'order':'good','to':[%s]}}".formatted(misfit));
    assertThat(refused.statusCode()).as(refused.body()).isEqualTo(422);
    assertThat(json(refused).at("/errors/0/pointer").asText()).isEqualTo("/body/to/0/limits");
    assertThat(refused.body()).contains("not a text").doesNotContain(SECRETS);
    String within = "{'owner':'ann','iban':'[masked]','limits':{'DE8937040044':'much'}}";
    HttpResponse<String> keyed =
        send("POST", path + "/replay", "{'body':{'order':'good','to':[%s]}}".formatted(within));
    assertThat(keyed.statusCode()).as(keyed.body()).isEqualTo(422);
    assertThat(json(keyed).at("/errors/0/pointer").asText()).isEqualTo("/body/to/0/limits/*");
    assertThat(keyed.body()).doesNotContain(SECRETS);
    String edited = shown.path("body").toString().replace("bad", "good");
    HttpResponse<String> replayed = send("POST", path + "/replay", "{'body':%s}".formatted(edited));
    assertThat(replayed.statusCode()).as(replayed.body()).isEqualTo(202);
    assertThat(replayed.body()).doesNotContain(SECRETS);
    assertThat(Waits.next(PAID)).isEqualTo(new Transfer("good", transfer.to()));

    await(node.callboard.stop("/house/bank"));
    await(node.callboard.durableRef("/house/bank", Transfer.class).tell(transfer));
    String peeked = get(Role.ADMIN, "/mailboxes/house/bank/messages").body();
    assertThat(peeked).contains("[masked]", "ann").doesNotContain(SECRETS);
  }

  private static String parked() {
    Eventually.assertThat(
        () -> assertThat(json(get(Role.ADMIN, "/deadletters")).path("items")).hasSize(1));
    return json(get(Role.ADMIN, "/deadletters")).at("/items/0/id").asText();
  }
}
