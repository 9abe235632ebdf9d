// docs/job_keys.md is what the tables of keys say.
#include <armilla/job/key_reference.hpp>
#include <armilla/job/parse/operation_kind.hpp>

#include <cstdlib>
#include <fstream>
#include <iterator>
#include <set>
#include <string>

#include <gtest/gtest.h>
#include <support/reference_data.hpp>

namespace armilla::job {
namespace {

TEST(KeyReference, IsThePageInTheDocs) {
  const std::string page = test::source_file("docs/job_keys.md");
  if (std::getenv("ARMILLA_WRITE_KEY_REFERENCE") != nullptr) std::ofstream(page) << key_reference();
  std::ifstream stream(page);
  const std::string text(std::istreambuf_iterator<char>(stream), {});
  EXPECT_TRUE(text == key_reference()) << page << " does not match the tables of keys. Generate it with:\n"
                                       << "ARMILLA_WRITE_KEY_REFERENCE=1 test_job --gtest_filter='KeyReference.*'";
}

TEST(KeyReference, SaysWhatEachKeyIs) {
  for (const OperationKind& kind : operation_kinds()) {
    EXPECT_FALSE(kind.help.empty()) << kind.name;
    std::set<std::string> names;
    for (const Key& key : kind.keys) {
      EXPECT_TRUE(names.insert(key.name).second) << kind.name << "." << key.name << " stands twice";
      EXPECT_FALSE(key.help.empty()) << kind.name << "." << key.name;
      EXPECT_FALSE(type_text(key).empty()) << kind.name << "." << key.name;
    }
  }
}

}  // namespace
}  // namespace armilla::job
