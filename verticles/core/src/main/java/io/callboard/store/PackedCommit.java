package io.callboard.store;

import io.callboard.codecs.ActorPath;
import io.callboard.codecs.Envelope;
import io.callboard.codecs.Partition;
import io.callboard.codecs.Segment;
import io.callboard.store.CommitOutcome.Reason;
import io.callboard.store.CommitOutcome.Refused;
import io.callboard.store.CommitUnit.Write;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * A commit in its stored form, as bytes. All stores pack and measure commits alike, so that a
 * commit accepted by one store is accepted by the others.
 *
 * @param records of each unit, in order; empty for a unit that writes nothing
 * @param mails one for each receiving actor, in the order of the first messages
 */
public record PackedCommit(Commit commit, List<Optional<byte[]>> records, List<Mail> mails) {
  /**
   * Bytes that one operation adds to a request besides its data and the actor's path. At least what
   * it adds to the response, so that bounding the request bounds both.
   */
  private static final int OPERATION_BYTES = 160;

  /**
   * The segment that a commit adds to one mailbox.
   *
   * @param unit the first one that sends to it and is not the receiver's own
   * @param own whether all of it is from the receiver itself: that is never refused as too much,
   *     for only the receiver can make room
   */
  @SuppressWarnings("ArrayRecordComponent")
  public record Mail(ActorPath receiver, int unit, boolean own, int messages, byte[] bytes) {}

  /** Packs a commit: encodes its records, and the messages to each receiver as one segment. */
  public static PackedCommit pack(Commit commit) {
    List<Optional<byte[]>> records = new ArrayList<>();
    Map<ActorPath, Integer> strangers = new HashMap<>();
    Map<ActorPath, Integer> first = new HashMap<>();
    Map<ActorPath, List<Envelope>> outgoing = new LinkedHashMap<>();
    for (int i = 0; i < commit.units().size(); i++) {
      int index = i;
      CommitUnit unit = commit.units().get(i);
      records.add(unit.write().map(write -> write.record().encode()));
      unit.outgoing()
          .forEach(
              (receiver, envelopes) -> {
                if (!envelopes.isEmpty()) {
                  first.putIfAbsent(receiver, index);
                  if (!isOwn(unit, receiver)) {
                    strangers.putIfAbsent(receiver, index);
                  }
                  outgoing.computeIfAbsent(receiver, to -> new ArrayList<>()).addAll(envelopes);
                }
              });
    }
    List<Mail> mails = new ArrayList<>();
    outgoing.forEach(
        (to, envelopes) ->
            mails.add(
                new Mail(
                    to,
                    strangers.getOrDefault(to, first.getOrDefault(to, 0)),
                    !strangers.containsKey(to),
                    envelopes.size(),
                    Segment.encode(envelopes))));
    return new PackedCommit(commit, List.copyOf(records), List.copyOf(mails));
  }

  private static boolean isOwn(CommitUnit unit, ActorPath receiver) {
    return unit.write().isPresent() && unit.write().get().actor().equals(receiver);
  }

  /**
   * Returns the refusal of a commit that no store takes, whatever is stored; empty if it is sound.
   *
   * @param partitions of the cell
   */
  public Optional<Refused> refusal(int partitions) {
    Set<Partition> leased =
        commit.leases().stream().map(Lease::partition).collect(Collectors.toSet());
    for (int i = 0; i < commit.units().size(); i++) {
      Optional<Write> write = commit.units().get(i).write();
      if (write.isPresent() && !leased.contains(write.get().actor().partition(partitions))) {
        String detail = "the commit names no lease for " + write.get().actor();
        return Optional.of(new Refused(i, Reason.FENCED, detail));
      }
    }
    long total = 0;
    for (int i = 0; i < commit.units().size(); i++) {
      total += writtenBytes(i);
    }
    for (Mail mail : mails) {
      total += mailBytes(mail.receiver()) + mail.bytes().length;
    }
    return total <= Limits.INLINE_BYTES ? Optional.empty() : culprit(total);
  }

  private Optional<Refused> culprit(long total) {
    long largest = -1;
    int suspect = 0;
    for (int i = 0; i < commit.units().size(); i++) {
      Optional<byte[]> record = records.get(i);
      if (record.isPresent() && record.get().length > Limits.RECORD_BYTES) {
        String what = "the state of %s with its record".formatted(actor(i));
        return tooLarge(i, what, record.get().length, Limits.RECORD_BYTES);
      }
      long unit = writtenBytes(i);
      for (Map.Entry<ActorPath, List<Envelope>> each :
          commit.units().get(i).outgoing().entrySet()) {
        unit += mailBytes(each.getKey());
        for (Envelope envelope : each.getValue()) {
          int message = envelope.blob() == null ? envelope.body().length : envelope.size();
          if (message > Limits.INLINE_BYTES) {
            String what = "a message to %s outside of the blob log".formatted(each.getKey());
            return tooLarge(i, what, message, Limits.INLINE_BYTES);
          }
          unit += message;
        }
      }
      if (unit > Limits.UNIT_BYTES) {
        return tooLarge(i, "the turn", unit, Limits.UNIT_BYTES);
      }
      if (unit > largest) {
        largest = unit;
        suspect = i;
      }
    }
    return total > Limits.REQUEST_BYTES
        ? tooLarge(suspect, "the commit", total, Limits.REQUEST_BYTES)
        : Optional.empty();
  }

  private String actor(int unit) {
    return commit.units().get(unit).write().map(write -> write.actor().toString()).orElse("?");
  }

  private static Optional<Refused> tooLarge(int unit, String what, long bytes, int most) {
    String detail = "%s takes %d bytes, the limit is %d".formatted(what, bytes, most);
    return Optional.of(new Refused(unit, Reason.TOO_LARGE, detail));
  }

  private long writtenBytes(int unit) {
    long unparked = blobBytes(commit.units().get(unit));
    for (ParkedKey key : commit.units().get(unit).unparked()) {
      unparked += OPERATION_BYTES + key.actor().toString().length() + 3L * key.id().length();
    }
    Optional<Write> written = commit.units().get(unit).write();
    if (written.isEmpty()) {
      return unparked;
    }
    Write write = written.get();
    long operation = (long) OPERATION_BYTES + write.actor().toString().length();
    long bytes = records.get(unit).map(record -> record.length).orElse(0) + operation + unparked;
    bytes += operation * (write.consumed().size() + write.journal().trim().size());
    bytes += write.header() == null ? 0 : operation;
    bytes += write.outbox().operations() * operation + write.outbox().bytes();
    byte[] entry = write.journal().entry();
    bytes += entry == null ? 0 : 2 * operation + entry.length;
    for (Map.Entry<String, byte[]> parked : write.parked().entrySet()) {
      bytes += operation + 3L * parked.getKey().length() + parked.getValue().length;
    }
    return bytes;
  }

  /**
   * Returns the bytes of the blobs' operations: a write for each blob that is named, a delete for
   * each part of one that goes.
   */
  private static long blobBytes(CommitUnit unit) {
    long bytes = 0;
    for (BlobKey key : unit.named()) {
      bytes += 2L * OPERATION_BYTES + key.receiver().toString().length() + key.blob().id().length();
    }
    for (BlobKey key : unit.blobs()) {
      long operation =
          (long) OPERATION_BYTES + key.receiver().toString().length() + key.blob().id().length();
      bytes += (1 + key.blob().parts()) * operation;
    }
    return bytes;
  }

  /** Returns the bytes that the mail adds: a check of the mailbox and the create of the segment. */
  private static long mailBytes(ActorPath receiver) {
    return 2L * (OPERATION_BYTES + receiver.toString().length());
  }
}
