package io.callboard.dashboard;

import static io.callboard.dashboard.TestNode.json;
import static io.callboard.testkit.Futures.await;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.google.errorprone.annotations.CanIgnoreReturnValue;
import io.callboard.ActorOptions;
import io.callboard.codecs.ActorPath;
import io.callboard.dashboard.internal.search.Search;
import io.callboard.store.Store;
import io.callboard.store.memory.MemoryStore;
import io.callboard.testkit.Eventually;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.IntStream;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Search over all kinds of things of a node, with kinds that do not answer. */
@Tag("real")
class SearchTest {

  @TempDir Path data;
  private final MemoryStore store = new MemoryStore();

  /** Name of the method of the store that never answers; empty for none. */
  private final AtomicReference<String> silent = new AtomicReference<>("");

  /** Answers that silence has withheld. */
  private final Queue<Promise<Object>> withheld = new ConcurrentLinkedQueue<>();

  private TestNode node;

  private Object inFront(Object proxy, Method method, Object[] arguments) throws Throwable {
    if (method.getName().equals(silent.get())) {
      Promise<Object> late = Promise.promise();
      withheld.add(late);
      return late.future();
    }
    try {
      return method.invoke(store, arguments);
    } catch (InvocationTargetException e) {
      throw e.getCause();
    }
  }

  @BeforeEach
  void start() {
    Store given =
        (Store)
            Proxy.newProxyInstance(
                Store.class.getClassLoader(), new Class<?>[] {Store.class}, this::inFront);
    node = new TestNode(data, TestNode.options(), given);
  }

  @AfterEach
  void stop() {
    silent.set("");
    node.close();
  }

  private JsonNode search(String text) {
    return search(text, 5);
  }

  private JsonNode search(String text, int limit) {
    HttpResponse<String> answer =
        node.get(
            "/api/v1/search?q=%s&limit=%d"
                .formatted(URLEncoder.encode(text, StandardCharsets.UTF_8), limit));
    assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
    return json(answer).path("groups");
  }

  private static JsonNode group(JsonNode groups, String kind) {
    return StreamSupport.stream(groups.spliterator(), false)
        .filter(group -> group.path("kind").asText().equals(kind))
        .findFirst()
        .orElseThrow(() -> new AssertionError("no group " + kind + " in " + groups));
  }

  private static List<String> names(JsonNode groups, String kind) {
    return StreamSupport.stream(group(groups, kind).path("items").spliterator(), false)
        .map(hit -> hit.at("/subject/name").asText())
        .toList();
  }

  @CanIgnoreReturnValue
  private String submit(String command, String label) {
    HttpResponse<String> answer =
        node.post(
            "/api/v1/jobs",
            "{\"command\":[\"%s\"],\"labels\":{\"run\":\"%s\"}}".formatted(command, label));
    assertThat(answer.statusCode()).as(answer.body()).isEqualTo(201);
    return json(answer).path("id").asText();
  }

  @Test
  void everyKindIsFoundByItsUsualNames() {
    String job = submit("true", "nightly-7");
    assertThat(
            node.put(
                    "/api/v1/workflow-definitions/nightly",
                    "application/yaml",
                    "{name: nightly, steps: {a: {run: 'handler:nobody'}}}")
                .statusCode())
        .isEqualTo(201);
    String instance =
        json(node.post("/api/v1/workflows", "{\"definition\":\"nightly\"}")).path("id").asText();
    await(
        node.callboard.spawn("/nightly/shelf", ParkedMessagesTest.Shelf::new, new ActorOptions()));
    assertThat(node.put("/api/v1/types/nightly", "application/json", "{\"limit\":1}").statusCode())
        .isEqualTo(200);
    Eventually.assertThat(
        () -> {
          JsonNode found = search("nightly");
          assertThat(names(found, "JOB")).containsExactly(job);
          assertThat(names(found, "WORKFLOW")).contains(instance);
          assertThat(names(found, "ACTOR")).contains("/nightly/shelf");
          assertThat(names(found, "DEFINITION")).containsExactly("nightly");
          assertThat(names(found, "TYPE")).containsExactly("nightly");
        });
    JsonNode found = search("NIGHTLY");
    assertThat(names(found, "TYPE")).containsExactly("nightly");
    assertThat(group(found, "SOURCE").path("incomplete").asText()).contains("no part in sources");
    assertThat(names(search("node-a"), "NODE")).containsExactly("node-a");
    assertThat(names(search(node.callboard.bootId()), "NODE")).containsExactly("node-a");
    assertThat(names(search("toolkit"), "ZONE")).containsExactly("toolkit");
    assertThat(names(search("monitor"), "ROLE")).isNotEmpty();
  }

  @Test
  void anExactHitComesFirst() {
    String first = submit("true", "a");
    submit("true", "of-" + first);
    Eventually.assertThat(
        () -> assertThat(names(search(first), "JOB")).hasSize(2).startsWith(first));
    JsonNode found = search(first);
    assertThat(found.at("/0/kind").asText()).isEqualTo("JOB");
    assertThat(found.at("/0/items/0/exact").asBoolean()).isTrue();
    assertThat(found.at("/0/items/0/label").asText()).isEqualTo("true · run=a");
    assertThat(found.at("/0/items/1/exact").asBoolean()).isFalse();
    assertThat(names(search(first.toUpperCase(Locale.ROOT)), "JOB")).contains(first);
    for (String path : List.of("/z/one", "/z/one-more", "/a/z/one")) {
      await(node.callboard.spawn(path, ParkedMessagesTest.Shelf::new, new ActorOptions()));
    }
    assertThat(names(search("/z/one"), "ACTOR"))
        .containsExactly("/z/one", "/z/one-more", "/a/z/one");
    assertThat(search("/z/one").at("/0/kind").asText()).isEqualTo("ACTOR");
  }

  @Test
  void storedActorsAreFoundByTheBeginningOfTheirPath() {
    for (int i = 0; i < 30; i++) {
      await(store.createMailbox(ActorPath.of("/shop/a%02d".formatted(i))));
    }
    assertThat(names(search("/shop/a1", 3), "ACTOR"))
        .containsExactly("/shop/a10", "/shop/a11", "/shop/a12");
    JsonNode some = group(search("/shop/a1", 3), "ACTOR");
    assertThat(some.path("more").asBoolean()).isTrue();
    assertThat(some.has("incomplete")).isFalse();
    assertThat(some.at("/items/0/state").asText()).isEqualTo("PASSIVATED");
    JsonNode last = group(search("/shop/a29"), "ACTOR");
    assertThat(last.path("items")).hasSize(1);
    assertThat(last.at("/items/0/exact").asBoolean()).isTrue();
    assertThat(last.path("more").asBoolean()).isFalse();
    assertThat(names(search("/shop/", 2), "ACTOR")).containsExactly("/shop/a00", "/shop/a01");
    assertThat(names(search("/shop", 2), "ACTOR")).containsExactly("/shop/a00", "/shop/a01");
    JsonNode inside = group(search("a1"), "ACTOR");
    assertThat(inside.path("incomplete").asText()).contains("beginning of their path");
  }

  @Test
  void theFirstOfManyHitsAreShownWithANoteOfFurtherOnes() {
    for (int i = 0; i < 4; i++) {
      await(node.callboard.spawn("/many/b" + i, ParkedMessagesTest.Shelf::new, new ActorOptions()));
    }
    JsonNode found = group(search("/b", 2), "ACTOR");
    assertThat(found.path("items")).hasSize(2);
    assertThat(found.path("more").asBoolean()).isTrue();
  }

  @Test
  void aKindThatDoesNotAnswerSaysSoAndDelaysNoOther() {
    silent.set("members");
    JsonNode found = search("process");
    assertThat(group(found, "NODE").path("incomplete").asText()).isEqualTo("no answer within 5 s");
    assertThat(group(found, "NODE").path("items")).isEmpty();
    assertThat(names(found, "TYPE")).containsExactly("process");
  }

  @Test
  void searchesThatAreTooManyAtOnceAreRefused() {
    silent.set("members");
    HttpClient client = HttpClient.newHttpClient();
    List<CompletableFuture<HttpResponse<String>>> slow =
        IntStream.range(0, Search.MOST_AT_ONCE + 1)
            .mapToObj(
                i ->
                    client.sendAsync(
                        node.request("/api/v1/search?q=process").build(), BodyHandlers.ofString()))
            .toList();
    Object first =
        await(
            Future.fromCompletionStage(
                CompletableFuture.anyOf(slow.toArray(CompletableFuture<?>[]::new))));
    assertThat(((HttpResponse<?>) first).statusCode()).as("while the others wait").isEqualTo(429);
    silent.set("");
    withheld.forEach(answer -> answer.fail("it was silent"));
    List<Integer> answers = slow.stream().map(each -> each.join().statusCode()).sorted().toList();
    assertThat(answers).containsExactly(200, 200, 200, 200, 429);
    assertThat(names(search("process"), "TYPE")).containsExactly("process");
  }

  @Test
  void aSearchForNothingIsRefused() {
    for (String query : List.of("", "?q=", "?q=%20%09", "?q=a&limit=0", "?q=a&limit=21")) {
      HttpResponse<String> answer = node.get("/api/v1/search" + query);
      assertThat(answer.statusCode()).as(query).isEqualTo(400);
      assertThat(json(answer).path("errors")).as(query).isNotEmpty();
    }
    assertThat(node.get("/api/v1/search?q=" + "x".repeat(201)).statusCode()).isEqualTo(400);
    for (String odd : List.of("%25_'\"<script>", "..", "//", "/", "/../x", "\u202egnp", "*")) {
      assertThat(search(odd)).as(odd).hasSize(9);
    }
  }
}
