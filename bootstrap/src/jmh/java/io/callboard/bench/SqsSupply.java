package io.callboard.bench;

import io.callboard.servers.SqsServer;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import io.vertx.ext.web.client.HttpResponse;
import io.vertx.ext.web.client.WebClient;

/**
 * Queue of a server that speaks the protocol of SQS. Its plain client speaks that protocol, too:
 * the SDK has none that needs no other library.
 */
final class SqsSupply implements Supply {
  /** Most messages of a call. */
  private static final int BATCH = 10;

  private static final int VISIBILITY_SECONDS = 60;

  private final WebClient client;
  private final String endpoint;
  private final String name;
  private final String queue;
  private int number;

  SqsSupply(Vertx vertx, int port, String name) throws Exception {
    this.client = WebClient.create(vertx);
    this.endpoint = "http://127.0.0.1:" + port;
    this.name = name;
    this.queue = call("CreateQueue", new JsonObject().put("QueueName", name)).getString("QueueUrl");
  }

  private JsonObject call(String action, JsonObject request) throws Exception {
    HttpResponse<Buffer> response =
        Node.await(
            client
                .postAbs(endpoint)
                .putHeader("Content-Type", "application/x-amz-json-1.0")
                .putHeader("X-Amz-Target", "AmazonSQS." + action)
                .sendBuffer(request.toBuffer()));
    JsonObject answer = response.bodyAsJsonObject();
    if (response.statusCode() != 200 || (answer != null && answer.containsKey("Failed"))) {
      String failed = "%s: %d %s".formatted(action, response.statusCode(), response.bodyAsString());
      throw new IllegalStateException(failed);
    }
    return answer == null ? new JsonObject() : answer;
  }

  private JsonObject request() {
    return new JsonObject().put("QueueUrl", queue);
  }

  @Override
  public JsonObject settings() {
    return new JsonObject()
        .put("queue", name)
        .put("create", true)
        .put("endpoint", endpoint)
        .put("region", "elasticmq")
        .put("accessKeyId", "any")
        .put("secretAccessKey", "any");
  }

  @Override
  public String plain() {
    return "receive of %d, then one delete of all".formatted(BATCH);
  }

  @Override
  public void put(int count) throws Exception {
    for (int sent = 0; sent < count; ) {
      JsonArray entries = new JsonArray();
      for (int i = 0; i < BATCH && sent < count; i++, sent++) {
        entries.add(
            new JsonObject()
                .put("Id", String.valueOf(i))
                .put("MessageBody", Supply.body(++number)));
      }
      var unused = call("SendMessageBatch", request().put("Entries", entries));
    }
  }

  @Override
  public void take(int count) throws Exception {
    for (int taken = 0; taken < count; ) {
      JsonObject receive = request().put("MaxNumberOfMessages", BATCH);
      JsonArray messages =
          call("ReceiveMessage", receive.put("VisibilityTimeout", VISIBILITY_SECONDS))
              .getJsonArray("Messages", new JsonArray());
      JsonArray entries = new JsonArray();
      for (int i = 0; i < messages.size(); i++) {
        JsonObject message = messages.getJsonObject(i);
        Supply.check(message.getString("Body").length());
        entries.add(
            new JsonObject()
                .put("Id", String.valueOf(i))
                .put("ReceiptHandle", message.getString("ReceiptHandle")));
      }
      if (!entries.isEmpty()) {
        var unused = call("DeleteMessageBatch", request().put("Entries", entries));
        taken += entries.size();
      }
    }
  }

  @Override
  public long left() throws Exception {
    JsonObject counts =
        call("GetQueueAttributes", request().put("AttributeNames", new JsonArray().add("All")))
            .getJsonObject("Attributes");
    return Long.parseLong(counts.getString("ApproximateNumberOfMessages"))
        + Long.parseLong(counts.getString("ApproximateNumberOfMessagesNotVisible"));
  }

  @Override
  public void end() {
    client.close();
  }

  /** A server in a JVM of its own. */
  static final class Server {
    private Server() {}

    public static void main(String[] arguments) throws Exception {
      Child.endWithParent();
      SqsServer server = SqsServer.start();
      Child.say("ready " + server.port());
    }
  }
}
