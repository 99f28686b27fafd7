package dev.restitch.key;

import static org.assertj.core.api.Assertions.assertThat;

import dev.restitch.model.Bytes;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;

/** Compared with regular expressions, over an alphabet so small that everything collides. */
class KeyPatternPropertiesTest {

  private static final List<String> ALL_KEYS = keys(6);

  private static List<String> keys(int longest) {
    List<String> all = new ArrayList<>();
    List<String> last = List.of("");
    for (int i = 0; i < longest; i++) {
      List<String> next = new ArrayList<>();
      last.forEach(key -> "ab:".chars().forEach(c -> next.add(key + (char) c)));
      all.addAll(next);
      last = next;
    }
    return all;
  }

  @Provide
  Arbitrary<String> patterns() {
    Arbitrary<String> literal = Arbitraries.of("a", "b", ":", "ab", "a:", ":b", "ba");
    return literal
        .list()
        .ofMinSize(1)
        .ofMaxSize(3)
        .flatMap(
            literals ->
                Arbitraries.of(true, false)
                    .tuple2()
                    .map(ends -> join(literals, ends.get1(), ends.get2())));
  }

  private static String join(List<String> literals, boolean open, boolean close) {
    StringBuilder text = new StringBuilder(open ? "{c0}" : "");
    for (int i = 0; i < literals.size(); i++) {
      text.append(i == 0 ? "" : "{c" + i + "}").append(literals.get(i));
    }
    return text.append(close ? "{last}" : "").toString();
  }

  private static Pattern regex(String pattern) {
    return Pattern.compile(pattern.replaceAll("\\{\\w+}", "([^:]+?)"));
  }

  @Property(tries = 300)
  void shouldMatchExactlyTheKeysThatARegexMatches(@ForAll("patterns") String text) {
    KeyPattern pattern = KeyPattern.parse(text);
    for (String key : ALL_KEYS) {
      Matcher regex = regex(text).matcher(key);
      boolean expected = regex.matches();
      var match = pattern.match(Bytes.utf8(key));
      assertThat(match.isPresent()).as("%s on %s", text, key).isEqualTo(expected);
      if (expected) {
        assertThat(pattern.format(match.get())).isEqualTo(Bytes.utf8(key));
        for (int i = 0; i < pattern.names().size(); i++) {
          assertThat(match.get().get(i)).hasToString(regex.group(i + 1));
        }
      }
    }
  }

  @Property(tries = 300)
  void shouldOverlapWhereSomeKeyMatchesBoth(
      @ForAll("patterns") String left, @ForAll("patterns") String right) {
    Pattern a = regex(left);
    Pattern b = regex(right);
    boolean common =
        ALL_KEYS.stream().anyMatch(key -> a.matcher(key).matches() && b.matcher(key).matches());

    boolean overlaps = KeyPattern.parse(left).overlaps(KeyPattern.parse(right));

    if (common) {
      assertThat(overlaps).isTrue();
    } else if (overlaps) {
      // only a key longer than those tried can be the common one
      assertThat(
              left.replaceAll("\\{\\w+}", "x").length()
                  + right.replaceAll("\\{\\w+}", "x").length())
          .isGreaterThan(6);
    }
  }
}
