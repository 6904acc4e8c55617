package io.callboard.examples.search;

import static io.callboard.examples.search.SearchStage.last;
import static io.callboard.testkit.Futures.await;
import static org.assertj.core.api.Assertions.assertThat;

import io.callboard.CallboardOptions;
import io.callboard.testkit.Eventually;
import io.callboard.zookeeper.Clustering;
import io.callboard.zookeeper.EmbeddedZooKeeper;
import io.callboard.zookeeper.ZooKeeperStore;
import io.callboard.zookeeper.access.ZooKeeperOptions;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import io.vertx.core.eventbus.EventBusOptions;
import io.vertx.core.json.JsonObject;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Test of trees that are spread over two nodes of a cell, with a real ZooKeeper and links between
 * them.
 */
@Tag("real")
class SearchCellTest {
  private static final int SHARES = 3;

  private final HttpClient http = HttpClient.newHttpClient();
  private final List<Member> members = new ArrayList<>();
  private Path directory;
  private Path documents;
  private EmbeddedZooKeeper zookeeper;

  private record Member(Clustering clustering, Vertx vertx, SearchService service) {
    void close() {
      await(service.close());
      await(vertx.close());
      clustering.close();
    }
  }

  @BeforeEach
  void start() throws Exception {
    Path parent = Files.createDirectories(Path.of("target", "search"));
    directory = Files.createTempDirectory(parent, "cell-");
    documents = Documents.make(directory.resolve("documents"), 60);
    zookeeper =
        EmbeddedZooKeeper.start(
            directory.resolve("zookeeper"),
            0,
            failure -> {
              throw new AssertionError(failure);
            });
    members.add(join(0));
    members.add(join(1));
  }

  private Member join(int number) {
    String name = "member-" + number;
    ZooKeeperOptions cell = ZooKeeperOptions.of(zookeeper.connectString());
    Clustering clustering = Clustering.connect(cell, name);
    Vertx vertx =
        await(
            Vertx.builder()
                .with(
                    new VertxOptions()
                        .setEventBusOptions(new EventBusOptions().setHost("127.0.0.1")))
                .withClusterManager(clustering.manager())
                .buildClustered());
    SearchService service =
        await(
            SearchService.start(
                vertx,
                new CallboardOptions()
                    .name(name)
                    .homeId(name)
                    .store(() -> new ZooKeeperStore(cell)),
                new SearchOptions(directory.resolve(name))
                    .documents(documents)
                    .nodes(SHARES)
                    .fronts(1)
                    .member(number, 2),
                line -> {}));
    return new Member(clustering, vertx, service);
  }

  @AfterEach
  void end() throws Exception {
    members.forEach(Member::close);
    zookeeper.close();
    SearchStage.delete(directory);
  }

  private List<String> nodesOf(Member member) {
    return await(member.service().callboard().admin().running()).stream()
        .map(actor -> actor.path().toString())
        .filter(path -> path.contains("/nodes/"))
        .sorted()
        .toList();
  }

  private JsonObject search(Member member, String deadline) throws Exception {
    URI uri = URI.create(member.service().url() + "search?q=tree&limit=50&deadline=" + deadline);
    String body = http.send(HttpRequest.newBuilder(uri).build(), BodyHandlers.ofString()).body();
    return last(body.lines().map(JsonObject::new).toList());
  }

  @Test
  void eachTreeIsSpreadOverTwoNodesAndALostOneLeavesEachShareOnTheOther() throws Exception {
    Member first = members.get(0);
    assertThat(nodesOf(first))
        .containsExactly("/search/a/nodes/0", "/search/a/nodes/2", "/search/b/nodes/1");
    assertThat(nodesOf(members.get(1)))
        .containsExactly("/search/a/nodes/1", "/search/b/nodes/0", "/search/b/nodes/2");

    JsonObject both = search(first, "PT10S");
    assertThat(both.getBoolean("partial")).as("%s", both).isFalse();
    assertThat(both.getJsonArray("trees")).as("one tree, on two nodes").hasSize(1);
    assertThat(search(members.get(1), "PT5S").getLong("total")).isEqualTo(both.getLong("total"));

    members.remove(1).close();
    Eventually.isTrue(
        "the other node has left", () -> await(first.service().callboard().members()).size() == 1);
    JsonObject alone = search(first, "PT5S");
    assertThat(alone.getBoolean("partial")).as("%s", alone).isFalse();
    assertThat(alone.getJsonArray("trees")).as("each has a part").hasSize(2);
    assertThat(alone.getLong("total")).isEqualTo(both.getLong("total"));
  }
}
