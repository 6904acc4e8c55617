package io.callboard.supervision;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.UnknownHostException;
import java.nio.channels.ClosedChannelException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import javax.net.ssl.SSLException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Tests of what is told of causes, whatever their classes do. */
class CausesTest {
  private static final String HUGE = "x".repeat(20_000_000);

  @ParameterizedTest
  @EnumSource(HostileCauses.Kind.class)
  void aHostileCauseHasATextAMessageAStackAndAStandIn(HostileCauses.Kind kind) {
    Throwable cause = kind.make();
    assertThat(Causes.text(cause)).isNotBlank().hasSizeLessThanOrEqualTo(Causes.MOST);
    assertThat(Causes.message(cause)).isNotBlank().hasSizeLessThanOrEqualTo(Causes.MOST);
    String stack = Causes.stack(cause);
    assertThat(stack == null ? "" : stack).hasSizeLessThan(2 * Causes.MOST_STACK);
    assertThat(Causes.frames(cause)).doesNotContainNull();
    StringWriter printed = new StringWriter();
    Causes.readable(cause).printStackTrace(new PrintWriter(printed, true));
    assertThat(printed.toString()).contains(cause.getClass().getName());
  }

  @Test
  void aCauseThatCanBeReadIsPassedOnItself() {
    Throwable cause =
        new IllegalStateException("outer", new IOException("inner".repeat(500), new Error()));
    cause.addSuppressed(new IOException("suppressed"));
    assertThat(Causes.readable(cause)).isSameAs(cause);
  }

  @Test
  void aCauseOfWhichPartsAreSharedIsPassedOnItself() {
    Throwable shared = new IOException("shared", new Error());
    Throwable cause = new IllegalStateException("outer", new IOException("inner", shared));
    cause.addSuppressed(new IOException("suppressed", shared));
    cause.addSuppressed(shared);
    assertThat(Causes.readable(cause)).isSameAs(cause);
  }

  @Test
  void aStandInHasTheTextsStacksAndCausesOfItsCause() {
    Throwable hostile = HostileCauses.Kind.MESSAGE_THROWS.make();
    Throwable outer = new IllegalStateException("outer", new IOException("middle", hostile));
    Throwable made = Causes.readable(outer);
    assertThat(made).isNotSameAs(outer).hasMessage("java.lang.IllegalStateException: outer");
    assertThat(made.getStackTrace()).isEqualTo(outer.getStackTrace());
    assertThat(made.getCause()).hasMessage("java.io.IOException: middle");
    assertThat(made.getCause().getCause())
        .hasMessageContaining(hostile.getClass().getName())
        .hasMessageContaining("getMessage failed");
  }

  @Test
  void aSuppressedCauseThatCannotBeReadMakesItsCauseOneThatCannot() {
    Throwable cause = new IllegalStateException("outer");
    cause.addSuppressed(HostileCauses.Kind.TEXT_THROWS.make());
    assertThat(Causes.readable(cause)).isNotSameAs(cause);
  }

  @Test
  void aHugeTextKeepsItsBeginningItsEndAndItsLength() {
    Throwable cause = new IllegalStateException("begins " + HUGE + " ends");
    assertThat(Causes.text(cause))
        .hasSize(Causes.MOST)
        .startsWith("java.lang.IllegalStateException: begins x")
        .contains("characters) …")
        .endsWith("x ends");
    assertThat(Causes.message(cause)).hasSize(Causes.MOST).startsWith("begins ").endsWith(" ends");
    Throwable passed = Causes.readable(cause);
    assertThat(passed.getMessage()).hasSize(Causes.MOST);
    assertThat(passed.getStackTrace()).isEqualTo(cause.getStackTrace());
  }

  @Test
  void theMessageOfACauseWithoutOneIsItsNameInWords() {
    assertThat(Causes.message(new ClosedChannelException())).isEqualTo("closed channel");
    assertThat(Causes.message(new SSLException(""))).isEqualTo("SSL");
    assertThat(Causes.message(new StackOverflowError())).isEqualTo("stack overflow error");
    assertThat(Causes.message(new UnknownHostException("db"))).isEqualTo("unknown host: db");
    assertThat(Causes.message(new NoSuchFileException("/a"))).isEqualTo("no such file: /a");
    assertThat(Causes.message(new NoSuchFileException("/a", null, "gone"))).isEqualTo("/a: gone");
    assertThat(Causes.message(new IOException("it broke"))).isEqualTo("it broke");
    assertThat(Causes.message(new IOException(null, null) {})).isEqualTo("IO");
    FileSystemException hostile =
        new NoSuchFileException("/b") {
          @Override
          public String getReason() {
            throw new StackOverflowError();
          }
        };
    assertThat(Causes.message(hostile)).isNotBlank();
  }

  @Test
  void theRootCauseIsTheLastToGo() {
    Throwable root = new IOException("the disk is full");
    Throwable cause = new IllegalStateException(HUGE, new IllegalArgumentException(HUGE, root));
    assertThat(Causes.text(cause))
        .hasSize(Causes.MOST)
        .startsWith("java.lang.IllegalStateException: x")
        .endsWith("; its root cause: java.io.IOException: the disk is full");
    Throwable deep = root;
    for (int i = 0; i < 500; i++) {
      deep = new IllegalStateException("level " + i, deep);
    }
    Throwable last = Causes.readable(deep);
    while (last.getCause() != null) {
      last = last.getCause();
    }
    assertThat(last).hasMessageContaining("the disk is full");
  }

  @Test
  void aPredicateOfARuleMayThrowTheCauseItself() {
    RuntimeException cause = new IllegalStateException("thrown twice");
    Rules rules =
        Rules.RESTART.when(
            failure -> {
              throw cause;
            },
            Directive.STOP);
    for (int i = 0; i < 100; i++) {
      assertThat(rules.decide(cause, Rules.RESTART)).isEqualTo(Directive.RESTART);
    }
    Rules failing =
        Rules.RESTART.when(
            failure -> {
              throw new IllegalStateException("another");
            },
            Directive.STOP);
    for (int i = 0; i < 100; i++) {
      assertThat(failing.decide(cause, Rules.RESTART)).isEqualTo(Directive.RESTART);
    }
    assertThat(cause.getSuppressed()).hasSizeLessThanOrEqualTo(10);
  }

  /** A line of the log with a throwable, which the logger reads; or a question of its text. */
  private static final List<Pattern> ASKS =
      List.of(
          Pattern.compile("\\w\\.(getMessage|getLocalizedMessage)\\(\\)"),
          Pattern.compile(
              "\\b(e|cause|failure|why|thrown)(\\(\\))?\\.(toString|getStackTrace)\\(\\)"),
          Pattern.compile("String\\.valueOf\\((\\w+\\.)?(e|cause|failure|thrown)(\\(\\))?\\)"),
          Pattern.compile(
              "\\blog\\.(error|warn|info|debug)\\((?:[^;]*,)?\\s*(e|failure|thrown|done\\.cause\\(\\))\\);"));

  @Test
  void noOtherClassOfCoreAsksACauseForItsText() throws IOException {
    List<String> found = new ArrayList<>();
    try (Stream<Path> files = Files.walk(Path.of("../core/src/main/java"))) {
      for (Path file : files.filter(each -> each.toString().endsWith(".java")).toList()) {
        String text = Files.readString(file);
        for (Pattern asks : ASKS) {
          Matcher asked = asks.matcher(text);
          while (asked.find() && !file.endsWith("Causes.java")) {
            found.add(file.getFileName() + ": " + asked.group());
          }
        }
      }
    }
    assertThat(found).as("ask Causes").isEmpty();
  }
}
