package io.callboard.internal.link;

import static org.assertj.core.api.Assertions.assertThat;

import io.callboard.CallboardException;
import io.callboard.CallboardException.Code;
import io.callboard.internal.link.Frame.Acknowledgement;
import io.callboard.internal.link.Frame.Acknowledgement.Refusal;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class LinkTest {
  private static final LinkLimits LIMITS =
      new LinkLimits(
          4,
          1_000,
          10,
          5_000,
          20,
          8_000,
          Duration.ofSeconds(1),
          Duration.ofSeconds(2),
          Duration.ofMillis(100));
  private static final long MS = 1_000_000;

  private final OutgoingMessages outcomes = new OutgoingMessages();
  private final Link link = new Link(1, LIMITS, 0);

  private static Acknowledgement ack(long sequence) {
    return new Acknowledgement(sequence, 0, List.of());
  }

  private void offer(int from, int to) {
    for (int n = from; n <= to; n++) {
      assertThat(link.offer(OutgoingMessages.parcel(n))).isTrue();
    }
  }

  private Link.Packed pack() {
    return Objects.requireNonNull(link.pack(0));
  }

  private void end() {
    link.end(
        new CallboardException(Code.UNAVAILABLE, "under way"),
        new CallboardException(Code.UNAVAILABLE, "waiting"),
        outcomes);
  }

  @Test
  void waitsForItsWelcomeThenPacksWhatIsThere() {
    offer(1, 6);
    assertThat(link.pack(0)).isNull();
    link.welcomed(10, 5_000);
    Link.Packed first = pack();
    assertThat(first.sequence()).isEqualTo(1);
    assertThat(OutgoingMessages.numbers(first)).containsExactly(1, 2, 3, 4);
    assertThat(OutgoingMessages.numbers(pack())).containsExactly(5, 6);
    assertThat(link.pack(0)).isNull();
  }

  @Test
  void keepsToTheWindowAndGoesOnWithTheCredit() {
    link.welcomed(10, 5_000);
    offer(1, 15);
    assertThat(pack().messages()).hasSize(4);
    assertThat(pack().messages()).hasSize(4);
    assertThat(OutgoingMessages.numbers(pack())).containsExactly(9, 10);
    assertThat(link.pack(0)).isNull();
    link.acknowledged(ack(1), "peer", outcomes);
    assertThat(outcomes.accepted).containsExactly(1, 2, 3, 4);
    assertThat(OutgoingMessages.numbers(pack())).containsExactly(11, 12, 13, 14);
  }

  @Test
  void pushesLeaveAtOnceBehindMessagesOrNotAtAll() {
    assertThat(link.offerPush(OutgoingMessages.parcel(1))).as("nobody is there").isFalse();
    link.welcomed(40, 8_000);
    assertThat(link.offerPush(OutgoingMessages.parcel(1))).as("the peer takes none").isFalse();
    link.takesPushes();
    assertThat(link.offerPush(OutgoingMessages.parcel(8))).isTrue();
    offer(1, 3);
    assertThat(OutgoingMessages.numbers(pack())).containsExactly(1, 2, 3, 8);
    assertThat(link.pack(0)).isNull();
    link.acknowledged(ack(1), "peer", outcomes);
    assertThat(outcomes.accepted).containsExactly(1, 2, 3, 8);
  }

  @Test
  void pushesLeaveMostOfTheCreditToMessages() {
    link.welcomed(40, 8_000);
    link.takesPushes();
    int taken = 0;
    while (link.offerPush(OutgoingMessages.parcel(100 + taken))) {
      taken++;
    }
    assertThat(taken).isEqualTo(40 / Link.PUSH_SHARE);
    assertThat(link.offerPush(OutgoingMessages.parcel(9))).as("dropped, not queued").isFalse();
    for (int packed = taken; packed > 0; packed -= 4) {
      assertThat(pack().messages()).isNotEmpty();
    }
    assertThat(link.offerPush(OutgoingMessages.parcel(9))).as("under way counts too").isFalse();
    offer(1, 4);
    assertThat(OutgoingMessages.numbers(pack()))
        .as("messages still have credit")
        .containsExactly(1, 2, 3, 4);
    link.acknowledged(ack(1), "peer", outcomes);
    link.acknowledged(ack(2), "peer", outcomes);
    assertThat(link.offerPush(OutgoingMessages.parcel(9))).isTrue();
    Link other = new Link(2, LIMITS, 0);
    other.welcomed(40, 8_000);
    other.takesPushes();
    assertThat(other.offerPush(OutgoingMessages.parcel(1, 8_000 / Link.PUSH_SHARE))).isFalse();
    end();
    assertThat(outcomes.refused).contains(9).doesNotHaveDuplicates();
  }

  @Test
  void aMessageLargerThanFrameAndWindowGoesAlone() {
    link.welcomed(10, 500);
    offer(1, 1);
    assertThat(link.offer(OutgoingMessages.parcel(2, 6_000))).isTrue();
    assertThat(OutgoingMessages.numbers(pack())).containsExactly(1);
    assertThat(link.pack(0)).isNull();
    link.acknowledged(ack(1), "peer", outcomes);
    assertThat(OutgoingMessages.numbers(pack())).containsExactly(2);
  }

  @Test
  void refusesWhatIsOverTheBoundOfMessagesOrBytes() {
    offer(1, 20);
    assertThat(link.offer(OutgoingMessages.parcel(21))).isFalse();
    Link other = new Link(2, LIMITS, 0);
    assertThat(other.offer(OutgoingMessages.parcel(1, 7_000))).isTrue();
    assertThat(other.offer(OutgoingMessages.parcel(2, 1_000))).isFalse();
  }

  @Test
  void aRefusalFailsItsMessageOnly() {
    link.welcomed(10, 5_000);
    offer(1, 4);
    assertThat(pack().sequence()).isEqualTo(1);
    link.acknowledged(
        new Acknowledgement(1, 0, List.of(new Refusal(2, Code.MAILBOX_FULL, "full"))),
        "peer",
        outcomes);
    assertThat(outcomes.accepted).containsExactly(1, 2, 4);
    assertThat(outcomes.refused).containsExactly(3);
    assertThat(outcomes.causes.get(0).code()).isEqualTo(Code.MAILBOX_FULL);
  }

  @Test
  void framesThatNeverCameFailAndAcknowledgementsMayComeInAnyOrder() {
    link.welcomed(10, 5_000);
    offer(1, 10);
    assertThat(pack().sequence()).isEqualTo(1);
    assertThat(pack().sequence()).isEqualTo(2);
    assertThat(pack().sequence()).isEqualTo(3);
    link.acknowledged(new Acknowledgement(3, 1, List.of()), "peer", outcomes);
    assertThat(outcomes.refused).containsExactly(5, 6, 7, 8);
    assertThat(outcomes.accepted).containsExactly(9, 10);
    link.acknowledged(ack(1), "peer", outcomes);
    link.acknowledged(ack(1), "peer", outcomes);
    link.acknowledged(ack(99), "peer", outcomes);
    assertThat(outcomes.accepted).containsExactly(9, 10, 1, 2, 3, 4);
  }

  @Test
  void endsByRefusingAllInOrder() {
    link.welcomed(10, 5_000);
    offer(1, 4);
    assertThat(pack().sequence()).isEqualTo(1);
    offer(5, 6);
    end();
    assertThat(outcomes.refused).containsExactly(1, 2, 3, 4, 5, 6);
    assertThat(outcomes.causes.get(3)).hasMessage("under way");
    assertThat(outcomes.causes.get(4)).hasMessage("waiting");
    link.acknowledged(ack(1), "peer", outcomes);
    assertThat(outcomes.accepted).isEmpty();
  }

  @Test
  void saysHelloUntilItIsWelcomedAndGivesUpInTheEnd() {
    assertThat(link.tick(0)).isEqualTo(Link.Wish.HELLO);
    assertThat(link.tick(50 * MS)).isEqualTo(Link.Wish.NOTHING);
    assertThat(link.tick(100 * MS)).isEqualTo(Link.Wish.HELLO);
    assertThat(link.tick(1_001 * MS)).isEqualTo(Link.Wish.GIVE_UP);
  }

  @Test
  void probesAQuietPeerAndGivesUpInTheEnd() {
    link.welcomed(10, 5_000);
    assertThat(link.tick(3_000 * MS)).isEqualTo(Link.Wish.NOTHING);
    offer(1, 1);
    assertThat(Objects.requireNonNull(link.pack(3_000 * MS)).sequence()).isEqualTo(1);
    assertThat(link.tick(3_050 * MS)).isEqualTo(Link.Wish.NOTHING);
    assertThat(link.tick(3_100 * MS)).isEqualTo(Link.Wish.HELLO);
    assertThat(link.tick(3_150 * MS)).isEqualTo(Link.Wish.NOTHING);
    assertThat(link.tick(3_200 * MS)).isEqualTo(Link.Wish.HELLO);
    assertThat(link.tick(5_001 * MS)).isEqualTo(Link.Wish.GIVE_UP);
    link.acknowledged(ack(1), "peer", outcomes);
    assertThat(link.tick(5_001 * MS)).isEqualTo(Link.Wish.NOTHING);
  }

  /** A network that loses, repeats and delays frames, and loses and reorders acknowledgements. */
  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
  void eachMessageHasOneOutcomeAndOrderIsKeptOverABadNetwork(long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    Inbound in = new Inbound(1);
    List<Integer> handled = new ArrayList<>();
    List<Integer> overflowed = new ArrayList<>();
    List<Link.Packed> frames = new ArrayList<>();
    List<Acknowledgement> acks = new ArrayList<>();
    link.welcomed(10, 5_000);
    int offered = 0;
    for (int step = 0; step < 20_000; step++) {
      switch (random.nextInt(5)) {
        case 0, 1 -> {
          if (!link.offer(OutgoingMessages.parcel(++offered, 1 + random.nextInt(300)))) {
            overflowed.add(offered);
          }
        }
        case 2 -> {
          Link.Packed packed = link.pack(step * MS);
          if (packed != null && random.nextInt(10) > 0) {
            frames.add(packed);
          }
        }
        case 3 -> {
          if (!frames.isEmpty()) {
            int which = random.nextInt(8) == 0 ? random.nextInt(frames.size()) : 0;
            Link.Packed frame = frames.get(which);
            if (random.nextInt(20) > 0) {
              frames.remove(which);
            }
            long lost = in.arrived(frame.sequence());
            if (lost != Inbound.REPEATED) {
              handled.addAll(OutgoingMessages.numbers(frame));
              acks.add(new Acknowledgement(frame.sequence(), lost, List.of()));
            }
          }
        }
        default -> {
          if (!acks.isEmpty()) {
            Acknowledgement next = acks.remove(random.nextInt(acks.size()));
            if (random.nextInt(20) > 0) {
              link.acknowledged(next, "peer", outcomes);
            }
          }
        }
      }
      if (link.tick(step * MS) == Link.Wish.GIVE_UP) {
        break;
      }
    }
    end();
    assertThat(handled).as("never reordered, never twice").isSorted().doesNotHaveDuplicates();
    assertThat(handled).as("what was accepted was handled").containsAll(outcomes.accepted);
    List<Integer> all = new ArrayList<>(outcomes.accepted);
    all.addAll(outcomes.refused);
    all.addAll(overflowed);
    assertThat(all).as("one outcome each").hasSize(offered).doesNotHaveDuplicates();
    assertThat(outcomes.accepted).isNotEmpty();
    assertThat(outcomes.refused).isNotEmpty();
  }
}
