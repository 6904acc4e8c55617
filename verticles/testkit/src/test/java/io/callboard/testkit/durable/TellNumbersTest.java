package io.callboard.testkit.durable;

import static io.callboard.testkit.Futures.await;
import static org.assertj.core.api.Assertions.assertThat;

import io.callboard.ActorRef;
import io.callboard.Callboard;
import io.callboard.admin.WaitingMessage;
import io.callboard.codecs.MessageId;
import io.callboard.testkit.CallboardExtension;
import io.callboard.testkit.Waits;
import io.vertx.core.Future;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Numbers of the messages that several threads tell one durable actor. */
@ExtendWith(CallboardExtension.class)
class TellNumbersTest {
  private static final CountDownLatch ENCODING = new CountDownLatch(1);
  private static final CountDownLatch GO_ON = new CountDownLatch(1);

  /** Message whose encoding waits if its text is "slow". */
  record Note(String text) {
    @Override
    public String text() {
      if (text.equals("slow")) {
        ENCODING.countDown();
        Waits.opened(GO_ON);
      }
      return text;
    }
  }

  @Test
  void numbersRiseInTheOrderOfTheMailbox(Callboard node) throws Exception {
    ActorRef<Note> nobody = node.durableRef("/notes/n", Note.class);
    CompletableFuture<Future<Void>> slow =
        CompletableFuture.supplyAsync(() -> nobody.tell(new Note("slow")));
    Waits.opened(ENCODING);
    await(nobody.tell(new Note("quick")));
    GO_ON.countDown();
    await(Future.fromCompletionStage(slow).compose(told -> told));
    List<WaitingMessage> waiting = await(node.admin().waiting("/notes/n", 10));
    assertThat(waiting)
        .extracting(each -> String.valueOf(each.body()))
        .containsExactly("{\"text\":\"quick\"}", "{\"text\":\"slow\"}");
    assertThat(waiting).extracting(WaitingMessage::id).extracting(MessageId::number).isSorted();
  }
}
