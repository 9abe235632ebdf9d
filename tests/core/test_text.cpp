#include <armilla/core/text.hpp>

#include <string>

#include <gtest/gtest.h>

namespace armilla::core {
namespace {

// claims: guarantee printed_texts
TEST(Text, PrintableHasNoControlCharacters) {
  EXPECT_EQ(printable("a\x1b[31mred\x07\r\n\tb\x7f"), "a?[31mred????b?");
  EXPECT_EQ(printable("one\xc2\x9b"
                      "31m"),
            "one?31m")
      << "a control sequence introducer of eight bits";
  EXPECT_EQ(printable("\xe2\x80\xae"
                      "abc\xe2\x81\xa6"),
            "?abc?")
      << "text from right to left";
  EXPECT_EQ(printable(std::string_view("a\0b", 3)), "a?b");
}

TEST(Text, PrintableKeepsCharactersOfUtf8) {
  for (const std::string text : {"\xc2\xb5K", "\xe6\x98\x9f", "\xf0\x9f\x8c\x8c", "\xc2\xa0", "plain"})
    EXPECT_EQ(printable(text), text);
}

TEST(Text, PrintableReplacesBytesThatAreNotUtf8) {
  EXPECT_EQ(printable("\xb5K"), "?K") << "Latin-1";
  EXPECT_EQ(printable("a\xc2"), "a?") << "incomplete";
  EXPECT_EQ(printable("\xc1\xbf"), "??") << "an ASCII character in two bytes";
  EXPECT_EQ(printable("\xe0\x80\xaf"), "???") << "the same in three bytes";
  EXPECT_EQ(printable("\xed\xa0\x80"), "???") << "half of a surrogate pair";
  EXPECT_EQ(printable("\xf4\x90\x80\x80"), "????") << "beyond Unicode";
}

TEST(Text, LinesAreKeptWhereTheyAreMeant) {
  EXPECT_EQ(printable_lines("a\n\tb\x1b[2J\r\n"), "a\n\tb?[2J?\n");
  EXPECT_EQ(excerpt("a\nb"), "a?b");
}

TEST(Text, ExcerptsAreShortAndEndWithAWholeCharacter) {
  std::string text(199, 'a');
  text += "\xc2\xb5K";
  EXPECT_EQ(excerpt(text), std::string(199, 'a') + "...");
}

}  // namespace
}  // namespace armilla::core
