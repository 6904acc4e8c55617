package io.callboard.codecs;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The messages of one commit to one mailbox, as they are stored together: lines of JSON, so that
 * people can read them and no body is ever parsed on the way.
 *
 * <pre>
 * {"f":2,"n":2,"c":"9ae0daaf"}
 * {"from":"/a/b","n":17,"t":"add","v":1,"b":{"amount":5}}
 * {"blob":{"id":"node.1f0c.7","bytes":90000,"parts":1,"crc":"0e5fd1a2"}}
 * </pre>
 *
 * <p>The first line holds format, count and the CRC-32C of all that follows. A line leaves out what
 * it shares with the one before it; {@code n} rises by one. The body comes last, or in its place a
 * {@link BlobRef} to where it is. Before it may stand where the answer goes ({@code r}) and how the
 * message wants to be handled ({@code p} lane, {@code d} deadline, {@code k} timer: {@link
 * Handling}), and the trace that it is a part of ({@code tp} and {@code ts}: {@link TraceContext}).
 * A segment is written in the oldest format that can hold it, so that older nodes read what they
 * can.
 */
public final class Segment {
  /** The format that this code writes; it reads this and every older one. */
  public static final int FORMAT = 5;

  /** Format of segments with special handling, but without messages that are part of a trace. */
  private static final int UNTRACED_FORMAT = 4;

  /** Format of segments with references to blobs, but without special handling. */
  private static final int BLOB_FORMAT = 3;

  /** Format of segments without references to blobs. */
  private static final int INLINE_FORMAT = 2;

  /** Format of one envelope as a tree, as parked messages hold it. */
  private static final int TREE_FORMAT = 1;

  private static final byte[] NONE = {};

  private Segment() {}

  /** Returns the segment of these messages, in the oldest format that can hold them all. */
  public static byte[] encode(List<Envelope> envelopes) {
    int size = 64;
    int format = INLINE_FORMAT;
    for (Envelope envelope : envelopes) {
      size += envelope.size();
      format = Math.max(format, format(envelope));
    }
    LineBuffer lines = new LineBuffer(size);
    LineWriter writer = new LineWriter(lines);
    for (Envelope envelope : envelopes) {
      writer.write(envelope);
    }
    return lines.after(
        "{\"f\":" + format + ",\"n\":" + envelopes.size() + ",\"c\":\"" + lines.crc() + "\"}\n");
  }

  private static int format(Envelope envelope) {
    if (envelope.trace() != null) {
      return FORMAT;
    } else if (!envelope.handling().equals(Handling.PLAIN)) {
      return UNTRACED_FORMAT;
    }
    return envelope.blob() == null ? INLINE_FORMAT : BLOB_FORMAT;
  }

  /**
   * Decodes the messages of a segment.
   *
   * @param what names the segment in errors, for example its znode
   * @throws CodecException if it is malformed, damaged or of a newer format
   */
  public static List<Envelope> decode(String what, byte[] bytes) {
    int end = LineCursor.endOfLine(bytes, 0);
    if (end == bytes.length) {
      return decodeTree(what, Json.parse(what, bytes));
    }
    JsonNode header = Json.parse(what, bytes, 0, end);
    checkFormat(what, header);
    LineCursor.checkCrc(what, header, bytes, end + 1);
    LineReader lines = new LineReader(what, bytes, end + 1);
    List<Envelope> envelopes = new ArrayList<>();
    while (lines.hasNext()) {
      envelopes.add(lines.next());
    }
    if (envelopes.size() != header.path("n").asInt(-1) || envelopes.isEmpty()) {
      throw CodecException.malformed(
          what, "it holds %d messages, its header says %s".formatted(envelopes.size(), header));
    }
    return envelopes;
  }

  private static void checkFormat(String what, JsonNode header) {
    int format = header.path("f").asInt(0);
    if (format > FORMAT) {
      throw CodecException.newerVersion(what, format, FORMAT);
    }
    if (format < 1) {
      throw CodecException.malformed(what, "it is not a segment of envelopes");
    }
  }

  /** Reads format 1: one JSON object with an array of envelopes. */
  private static List<Envelope> decodeTree(String what, JsonNode segment) {
    checkFormat(what, segment);
    if (segment.path("f").asInt() != TREE_FORMAT || !segment.path("e").isArray()) {
      throw CodecException.malformed(what, "it is not a segment of envelopes");
    }
    List<Envelope> envelopes = new ArrayList<>();
    for (JsonNode node : segment.get("e")) {
      envelopes.add(decode(what, node));
    }
    return envelopes;
  }

  /**
   * Returns one envelope as a tree, as a parked message is stored. A body that is no JSON, or too
   * deep or large to be read back as part of another, is kept as it is, in Base64 under {@code
   * "raw"}.
   */
  public static ObjectNode encode(Envelope envelope) {
    ObjectNode node =
        JsonNodeFactory.instance
            .objectNode()
            .put("from", envelope.id().sender())
            .put("n", envelope.id().number())
            .put("t", envelope.type().name())
            .put("v", envelope.type().version());
    if (envelope.blob() == null) {
      body(node, envelope);
    } else {
      node.set("blob", Json.tree(envelope.blob()));
    }
    if (envelope.replyTo() != null) {
      node.put("r", envelope.replyTo());
    }
    Handling handling = envelope.handling();
    if (!handling.equals(Handling.PLAIN)) {
      node.put("p", handling.lane()).put("d", handling.deadlineMs()).put("k", handling.timer());
    }
    TraceContext trace = envelope.trace();
    if (trace != null) {
      node.put("tp", trace.parent());
      if (trace.state() != null) {
        node.put("ts", trace.state());
      }
    }
    return node;
  }

  /** Returns the envelope of such a tree, the inverse of {@link #encode(Envelope)}. */
  public static Envelope decode(String what, JsonNode node) {
    MessageType type = MessageType.read(what, node.path("t").asText(""), node.path("v").asInt(0));
    @Nullable JsonNode reply = node.get("r");
    @Nullable JsonNode blob = node.get("blob");
    Envelope envelope =
        new Envelope(
            new MessageId(Json.text(what, node.path("from").asText("?")), node.path("n").asLong()),
            type,
            blob == null ? body(what, node) : NONE,
            reply == null ? null : Json.text(what, reply.asText()),
            null,
            blob == null ? null : Json.convert(what, blob, BlobRef.class),
            Handling.of(
                what, node.path("p").asLong(), node.path("d").asLong(), node.path("k").asLong()),
            null);
    return envelope.with(
        TraceContext.read(node.path("tp").asText(null), node.path("ts").asText(null)).orElse(null));
  }

  private static void body(ObjectNode node, Envelope envelope) {
    String what = "the body of " + envelope;
    try {
      JsonNode body = Json.parse(what, envelope.body());
      JsonLimits.VALUE.check(what, body);
      node.set("b", body);
    } catch (CodecException e) {
      node.put("raw", envelope.body());
    }
  }

  private static byte[] body(String what, JsonNode node) {
    if (node.has("b")) {
      return Json.uncheckedBytes(node.get("b"));
    }
    byte[] raw;
    try {
      raw = node.path("raw").binaryValue();
    } catch (IOException e) {
      throw CodecException.malformed(what, e);
    }
    if (raw == null || LineCursor.endOfLine(raw, 0) < raw.length) {
      throw CodecException.malformed(what, "an envelope lacks its body");
    }
    return raw;
  }
}
