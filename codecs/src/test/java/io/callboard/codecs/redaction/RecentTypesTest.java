package io.callboard.codecs.redaction;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JavaType;
import com.fasterxml.jackson.databind.type.TypeFactory;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class RecentTypesTest {
  private static final TypeFactory TYPES = TypeFactory.defaultInstance();

  private final List<JavaType> looked = new ArrayList<>();
  private final RecentTypes<String> types =
      new RecentTypes<>(
          type -> {
            looked.add(type);
            return type.toCanonical();
          });

  private static JavaType nested(int depth) {
    JavaType type = TYPES.constructType(String.class);
    for (int i = 0; i < depth; i++) {
      type = TYPES.constructCollectionType(List.class, type);
    }
    return type;
  }

  @Test
  void aTypeIsLookedAtOnce() {
    assertThat(types.get(nested(2))).isEqualTo("java.util.List<java.util.List<java.lang.String>>");
    assertThat(types.get(nested(2))).isEqualTo(types.get(nested(2)));
    assertThat(looked).hasSize(1);
    assertThat(types.get(nested(1))).isEqualTo("java.util.List<java.lang.String>");
    assertThat(looked).hasSize(2);
  }

  @Test
  void ofMoreThanItKeepsTheOneGoesThatWasAskedForLongestAgo() {
    JavaType first = nested(1);
    JavaType second = nested(2);
    List<JavaType> others = new ArrayList<>();
    JavaType last = second;
    while (others.size() < RecentTypes.MOST - 1) {
      last = TYPES.constructCollectionType(List.class, last);
      others.add(last);
    }
    RecentTypes<Integer> numbers =
        new RecentTypes<>(
            type -> {
              looked.add(type);
              return looked.size();
            });
    assertThat(numbers.get(first)).isEqualTo(1);
    assertThat(numbers.get(second)).isEqualTo(2);
    assertThat(numbers.get(first)).isEqualTo(1);
    others.forEach(type -> assertThat(numbers.get(type)).isPositive());
    assertThat(numbers.get(first)).as("asked for again").isEqualTo(1);
    assertThat(numbers.get(second)).as("forgotten").isGreaterThan(RecentTypes.MOST);
  }
}
