package io.callboard.audit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.callboard.audit.AgreedLog.Agreed;
import io.callboard.audit.Operation.Delete;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/** Test of the merge of members' logs; a number stands for each transaction. */
class AgreedLogTest {
  private static final class Member implements MemberLog {
    private final Deque<Transaction> left = new ArrayDeque<>();

    Member(long... zxids) {
      LongStream.of(zxids).forEach(zxid -> left.add(transaction(zxid, "/a")));
    }

    @Override
    public boolean has() {
      return !left.isEmpty();
    }

    @Override
    public long zxid() {
      return left.element().zxid();
    }

    @Override
    public Transaction take() {
      return left.remove();
    }

    @Override
    public String toString() {
      return "a member";
    }
  }

  private static Transaction transaction(long zxid, String path) {
    return new Transaction(zxid, 7, false, List.of(new Delete(path)));
  }

  private static List<Agreed> merged(Member... members) throws IOException {
    AgreedLog log = new AgreedLog(List.of(members));
    List<Agreed> all = new ArrayList<>();
    for (Optional<Agreed> next = log.next(); next.isPresent(); next = log.next()) {
      all.add(next.get());
    }
    return all;
  }

  private static List<Long> zxids(Member... members) throws IOException {
    return merged(members).stream().map(agreed -> agreed.one().zxid()).toList();
  }

  @Test
  void aSingleServersLogIsAllThatWasAgreedOn() throws IOException {
    assertThat(zxids(new Member(1, 2, 3))).containsExactly(1L, 2L, 3L);
  }

  @Test
  void eachIsTakenOnce() throws IOException {
    assertThat(zxids(new Member(1, 2, 3), new Member(1, 2, 3), new Member(1, 2)))
        .containsExactly(1L, 2L, 3L);
  }

  @Test
  void aTransactionThatOneMemberMissedIsInTheOthers() throws IOException {
    assertThat(zxids(new Member(1, 2, 3, 4), new Member(1, 4), new Member(1, 2, 3, 4)))
        .containsExactly(1L, 2L, 3L, 4L);
  }

  /** The others were sent a snapshot that has it. */
  @Test
  void aTransactionAfterWhichItsOnlyWriterWentOnWasAgreedOn() throws IOException {
    assertThat(zxids(new Member(1, 2, 3), new Member(1, 3), new Member(1, 3)))
        .containsExactly(1L, 2L, 3L);
  }

  @Test
  void theLastOfAMinorityWasNot() throws IOException {
    assertThat(zxids(new Member(1, 2, 3), new Member(1, 2), new Member(1, 2)))
        .containsExactly(1L, 2L);
  }

  private static final long SECOND = 1L << 32;

  /** The member was sent a snapshot of the next epoch, so its log keeps what was not agreed on. */
  @Test
  void aProposalOfALostLeaderIsNotAgreedOnAlthoughItsWriterGoesOn() throws IOException {
    Member zombie = new Member(1, 2, 3, 4, SECOND + 3, SECOND + 4);
    assertThat(
            zxids(
                new Member(1, 2, SECOND + 1, SECOND + 2, SECOND + 3, SECOND + 4),
                new Member(1, 2, SECOND + 1, SECOND + 2, SECOND + 3, SECOND + 4),
                zombie))
        .containsExactly(1L, 2L, SECOND + 1, SECOND + 2, SECOND + 3, SECOND + 4);
  }

  /** The leader of the next epoch keeps the transactions that it has. */
  @Test
  void aTransactionThatTheNextLeaderHasIsAgreedOn() throws IOException {
    assertThat(
            zxids(
                new Member(1, 2, 3, SECOND + 1, SECOND + 2),
                new Member(1, SECOND + 2),
                new Member(1, 2, SECOND + 1, SECOND + 2)))
        .containsExactly(1L, 2L, 3L, SECOND + 1, SECOND + 2);
  }

  @Test
  void membersThatDoNotAgreeAreTold() throws IOException {
    Member other = new Member();
    other.left.add(transaction(1, "/b"));
    List<Agreed> merged = merged(new Member(1), other, new Member(1));
    assertThat(merged).singleElement().satisfies(one -> assertThat(one.others()).hasSize(1));
  }

  @Test
  void aLogThatGoesBackIsNoLog() {
    assertThatThrownBy(() -> merged(new Member(2, 1)))
        .isInstanceOf(IOException.class)
        .hasMessage("a member goes back to 0x1");
  }

  /** However members were away, one at a time. */
  @Test
  void noTransactionThatMostMembersHaveIsLeftOut() throws IOException {
    for (long seed = 0; seed < 500; seed++) {
      SplittableRandom random = new SplittableRandom(seed);
      Member[] members = {new Member(), new Member(), new Member()};
      List<Long> agreed = new ArrayList<>();
      for (long zxid = 1; zxid <= 40; zxid++) {
        int away = random.nextInt(4); // 3: nobody
        for (int i = 0; i < members.length; i++) {
          if (i != away) {
            members[i].left.add(transaction(zxid, "/a"));
          }
        }
        agreed.add(zxid);
      }
      assertThat(zxids(members)).as("seed %d", seed).isEqualTo(agreed);
    }
  }
}
