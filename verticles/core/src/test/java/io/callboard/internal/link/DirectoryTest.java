package io.callboard.internal.link;

import static org.assertj.core.api.Assertions.assertThat;

import io.callboard.codecs.ActorPath;
import org.junit.jupiter.api.Test;

class DirectoryTest {
  private static final ActorPath A = ActorPath.of("/a");
  private final Directory directory = new Directory(2, 3, 1_000);

  @Test
  void holdsInOrderUntilTheActorIsFound() {
    assertThat(directory.hold(OutgoingMessages.parcel(1))).isEqualTo(Directory.Wish.LOCATE);
    assertThat(directory.hold(OutgoingMessages.parcel(2))).isEqualTo(Directory.Wish.WAIT);
    assertThat(directory.hold(OutgoingMessages.parcel(3))).isEqualTo(Directory.Wish.WAIT);
    assertThat(directory.hold(OutgoingMessages.parcel(4))).isEqualTo(Directory.Wish.REFUSE);
    assertThat(directory.release(A)).extracting(OutgoingMessages::number).containsExactly(1, 2, 3);
    assertThat(directory.release(A)).isEmpty();
    assertThat(directory.hold(OutgoingMessages.parcel(5, 900))).isEqualTo(Directory.Wish.LOCATE);
    assertThat(directory.hold(OutgoingMessages.parcel(6, 900))).isEqualTo(Directory.Wish.REFUSE);
  }

  @Test
  void forgetsByActorByNodeAndTheLongestUnused() {
    directory.found(A, "n1");
    directory.found(ActorPath.of("/b"), "n2");
    assertThat(directory.find(A)).isEqualTo("n1");
    directory.found(ActorPath.of("/c"), "n2");
    assertThat(directory.find(ActorPath.of("/b"))).isNull();
    directory.forget(A, "another");
    assertThat(directory.find(A)).isEqualTo("n1");
    directory.forget(A, "n1");
    assertThat(directory.find(A)).isNull();
    directory.forget("n2");
    assertThat(directory.find(ActorPath.of("/c"))).isNull();
  }
}
