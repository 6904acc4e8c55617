package io.callboard.part;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

class PartOrderTest {
  private final List<String> did = new ArrayList<>();
  private final PlayedPart<String> jobs = PlayedPart.of("jobs", String.class, "j", did);
  private final PlayedPart<Integer> flows = PlayedPart.of("workflows", Integer.class, 1, did);
  private final PlayedPart<Long> page = PlayedPart.of("page", Long.class, 1L, did);

  private static List<String> order(Set<Class<?>> given, NodePart<?>... parts) {
    return PartOrder.of(List.of(parts), given).stream().map(NodePart::name).toList();
  }

  @Test
  void partsStartInTheOrderGiven() {
    assertThat(order(Set.of(), page, jobs, flows)).containsExactly("page", "jobs", "workflows");
  }

  @Test
  void aPartStartsAfterThoseThatItNeedsOrUses() {
    assertThat(
            order(
                Set.of(),
                page.needing(PartNeed.optional(Integer.class)),
                flows.needing(PartNeed.of(String.class, "add jobs")),
                jobs))
        .containsExactly("jobs", "workflows", "page");
  }

  @Test
  void aNodeMayHaveWhatAPartNeedsWithoutAPart() {
    assertThat(order(Set.of(String.class), flows.needing(PartNeed.of(String.class, "add jobs"))))
        .containsExactly("workflows");
    assertThat(order(Set.of(), page.needing(PartNeed.optional(Integer.class))))
        .containsExactly("page");
  }

  @Test
  void aNeedThatIsMissingIsNamedWithItsRemedy() {
    assertThatThrownBy(
            () -> order(Set.of(), flows.needing(PartNeed.of(String.class, "add Jobs.part()"))))
        .hasMessage("workflows: it needs String, which this node lacks: add Jobs.part()");
  }

  @Test
  void aPartThatDoesNotSayWhatItIsIsNamedByItsClass() {
    String its = "the part " + PlayedPart.class.getName();
    assertThatThrownBy(() -> order(Set.of(), PlayedPart.of(" ", String.class, "", did)))
        .hasMessage(its + " has no name");
    assertThatThrownBy(() -> order(Set.of(), PlayedPart.of("a", null, "", did)))
        .hasMessage(its + " gives no type");
    assertThatThrownBy(() -> order(Set.of(), PlayedPart.of("a", Void.class, null, did)))
        .hasMessageStartingWith(its + " gives Void");
    assertThatThrownBy(() -> order(Set.of(), new PlayedPart<>("a", String.class, null, null, did)))
        .hasMessageStartingWith(its + " gives no list of needs");
  }

  @Test
  void partsThatNeedEachOtherAreRefused() {
    assertThatThrownBy(
            () ->
                order(
                    Set.of(),
                    flows.needing(PartNeed.of(String.class, "add jobs")),
                    jobs.needing(PartNeed.of(Integer.class, "add workflows"))))
        .hasMessage("parts need each other: workflows, jobs");
  }

  @Test
  void twoPartsOfOneTypeOrNameAreRefused() {
    assertThatThrownBy(
            () -> order(Set.of(), jobs, PlayedPart.of("more jobs", String.class, "m", did)))
        .hasMessage(
            "two parts give a String, jobs (%1$s) and more jobs (%1$s): leave one out",
            PlayedPart.class.getName());
    assertThatThrownBy(() -> order(Set.of(), jobs, PlayedPart.of("jobs", Double.class, 1.0, did)))
        .hasMessage(
            "two parts are called jobs, of %1$s and %1$s: give them different names",
            PlayedPart.class.getName());
    assertThatThrownBy(() -> order(Set.of(String.class), jobs))
        .hasMessage(
            "two parts give a String, the node and jobs (%s): leave one out",
            PlayedPart.class.getName());
  }
}
