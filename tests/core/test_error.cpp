#include <armilla/core/error.hpp>

#include <filesystem>
#include <string>
#include <type_traits>

#include <gtest/gtest.h>

namespace armilla::core {
namespace {

using Form = ErrorContext::Form;

TEST(Errors, AreComposedOfTheirParts) {
  ErrorContext parts{.where = "job.yaml:3", .section = "steps[0].analysis", .key = "lmax", .text = "is odd"};
  EXPECT_EQ(sentence(parts), "job.yaml:3: steps[0].analysis.lmax: is odd");
  parts.form = Form::kPredicate;
  EXPECT_EQ(sentence(parts), "job.yaml:3: steps[0].analysis.lmax is odd");
  parts.value = "7";
  EXPECT_EQ(sentence(parts), "job.yaml:3: steps[0].analysis.lmax = 7 is odd");
  parts.value = "";
  EXPECT_EQ(sentence(parts), "job.yaml:3: steps[0].analysis.lmax =  is odd") << "an empty value is a value";
  parts = {.section = "inputs.map", .text = "has no file"};
  EXPECT_EQ(sentence(parts), "inputs.map: has no file");
  EXPECT_EQ(sentence({.where = "job.yaml", .text = "not YAML"}), "job.yaml: not YAML");
  EXPECT_EQ(sentence({.section = "steps[0].lens", .key = "[1]", .text = "?"}), "steps[0].lens[1]: ?");
}

TEST(Errors, NameOtherKeysInTheWordsOfTheFrontEnd) {
  const ErrorContext parts{.section = "execution",
                           .key = "batch",
                           .text = "lower " + mention("", "lmax") + " or set " +
                                   mention("execution", "precision", "single") + ": see " + mention("inputs.a", "")};
  EXPECT_EQ(sentence(parts), "execution.batch: lower lmax or set execution.precision: single: see inputs.a");
  const auto options = [](const std::string& section, const std::string& key, const std::string& value) {
    return "<" + section + "|" + key + "|" + value + ">";
  };
  EXPECT_EQ(sentence(parts, options),
            "<execution|batch|>: lower <|lmax|> or set <execution|precision|single>: see <inputs.a||>");
}

TEST(Errors, KeepControlCharactersThatAreNotMentions) {
  for (const std::string text : {"a\x02 b", "a\x02 b\x1f c", "a\x02 b\x1f c\x1f", "a\x03 b"})
    EXPECT_EQ(sentence({.text = text}), text);
}

TEST(Errors, CarryTheirPartsWhenTheyAreThrownAgain) {
  static_assert(std::is_nothrow_copy_constructible_v<InputError>);
  CaughtError caught{ErrorKind::kInternal, ""};
  try {
    throw_error(ErrorKind::kResource, ErrorContext{.where = "w", .section = "s", .key = "k", .text = "t"});
  } catch (...) {
    caught = describe_current_exception();
  }
  try {
    throw_error(caught);
    FAIL() << "nothing was thrown";
  } catch (const ResourceError& error) {
    EXPECT_EQ(std::string(error.what()), "w: s.k: t");
    ASSERT_TRUE(error.context());
    EXPECT_EQ(error.context()->key, "k");
    EXPECT_EQ(error.context()->text, "t");
  }
  EXPECT_FALSE(InputError("a text").context());
}

TEST(Errors, OfTheFileSystemNameTheFileAndTheReason) {
  CaughtError error{ErrorKind::kInternal, ""};
  try {
    static_cast<void>(std::filesystem::file_size("/no/such/file"));
  } catch (...) {
    error = describe_current_exception();
  }
  EXPECT_EQ(error.kind, ErrorKind::kResource);
  EXPECT_NE(error.message.find("'/no/such/file' cannot be used (No such file"), std::string::npos) << error.message;
}

}  // namespace
}  // namespace armilla::core
