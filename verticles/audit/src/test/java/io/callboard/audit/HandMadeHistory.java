package io.callboard.audit;

import io.callboard.audit.Operation.Check;
import io.callboard.audit.Operation.Create;
import io.callboard.audit.Operation.Delete;
import io.callboard.audit.Operation.Write;
import io.callboard.codecs.Envelope;
import io.callboard.codecs.Json;
import io.callboard.codecs.MessageId;
import io.callboard.codecs.MessageType;
import io.callboard.codecs.Segment;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** Writer of a history by hand: of node n, and of actor /x/a in a partition of its own. */
abstract class HandMadeHistory {
  static final String RECORD = "/a/x~1/x:a";
  static final String BOX = "/m/x~1/x:a~0";
  static final String LEASE = "/o/x~1";

  final TxnLogHistory history = new TxnLogHistory("/callboard/test");
  long zxid;
  long session = 7;

  static byte[] json(String text, Object... values) {
    return text.replace('\'', '"').formatted(values).getBytes(StandardCharsets.UTF_8);
  }

  void one(Operation operation) {
    add(false, List.of(operation));
  }

  void multi(Operation... operations) {
    add(true, Arrays.asList(operations));
  }

  void add(boolean multi, List<Operation> operations) {
    List<Operation> whole =
        operations.stream().map(op -> op.at("/callboard/test" + op.path())).toList();
    history.add(new Transaction(++zxid, session, multi, whole));
  }

  static byte[] lease(long epoch, String owner, String boot) {
    return json("{'epoch':%d,'owner':'%s','boot':'%s'}", epoch, owner, boot);
  }

  static byte[] record(long turn, long next, int offset, long sent) {
    return record(turn, 1, next, offset, sent);
  }

  static byte[] record(long turn, long epoch, long next, int offset, long sent) {
    return json(
        "{'turn':%d,'epoch':%d,'next':%d,'offset':%d,'sent':%d}", turn, epoch, next, offset, sent);
  }

  static Create segment(long sequence, String sender, long... numbers) {
    List<Envelope> envelopes = new ArrayList<>();
    for (long number : numbers) {
      envelopes.add(
          new Envelope(
              new MessageId(sender, number), new MessageType("note", 1), Json.bytes(number), null));
    }
    String name = "%s/s%d.9-%010d".formatted(BOX, numbers.length, sequence);
    return new Create(name, Segment.encode(envelopes));
  }

  static Delete gone(long sequence, int count) {
    return new Delete("%s/s%d.9-%010d".formatted(BOX, count, sequence));
  }

  static Write number(long number) {
    return new Write("/s/n", json("{'number':%d}", number), (int) number);
  }

  static final Check ALIVE = new Check("/i/n", 0);
  static final Check OWNED = new Check(LEASE, 0);

  /** Node n owns the partition of actor /x/a, in whose mailbox two segments wait. */
  void begin() {
    one(new Create("/i/n", json("{'boot':'b','counter':1}")));
    one(new Create("/s/n", json("{'number':0}")));
    one(new Create("/a/x~1", new byte[0]));
    one(new Create("/m/x~1", new byte[0]));
    multi(ALIVE, new Create(LEASE, lease(1, "n", "b")));
    one(new Create(RECORD, record(0, 0, 0, 0)));
    one(new Create(BOX, json("{'state':'OPEN'}")));
    multi(ALIVE, number(1), segment(0, "edge:1", 1, 2));
    multi(ALIVE, number(2), segment(1, "edge:1", 3));
  }

  static Write turn(int version, byte[] record) {
    return new Write(RECORD, record, version);
  }
}
