package io.callboard.bootstrap.client;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.callboard.jobs.model.Remedy;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

class RemedyCommandTest {
  private static String of(String action, String subject) {
    ObjectNode reason = new ObjectMapper().createObjectNode().put("changesWhen", "it changes");
    reason.putObject("remedy").put("action", action).put("subject", subject);
    return RemedyCommand.changesWhen(reason);
  }

  @Test
  void eachRemedyOfTheSchedulerHasACommand() throws Exception {
    List<Method> remedies =
        Arrays.stream(Remedy.class.getDeclaredMethods())
            .filter(method -> Modifier.isStatic(method.getModifiers()))
            .toList();
    assertThat(remedies).hasSizeGreaterThan(5);
    for (Method made : remedies) {
      Remedy remedy = (Remedy) made.invoke(null, "some-name");
      assertThat(of(remedy.action(), remedy.subject()))
          .startsWith("it changes: callboard ")
          .contains(" some-name");
    }
  }

  @Test
  void aRemedyOfANewerNodeLeavesTheWords() {
    assertThat(of("grow-wings", "x")).isEqualTo("it changes");
  }

  @Test
  void aSubjectIsAWordForAShell() {
    assertThat(of("raise-label-limit", "team=a b"))
        .isEqualTo("it changes: callboard limits set 'team=a b' N");
  }
}
