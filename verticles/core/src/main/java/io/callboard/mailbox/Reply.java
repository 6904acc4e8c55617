package io.callboard.mailbox;

/** Where the answer to an ask goes. Each is used once; a second use is ignored. */
public interface Reply {
  /** Of a tell: nobody waits. */
  Reply NONE =
      new Reply() {
        @Override
        public void succeed(Object answer) {}

        @Override
        public void fail(Throwable cause) {}
      };

  void succeed(Object answer);

  void fail(Throwable cause);
}
