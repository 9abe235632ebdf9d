#include <armilla/core/error.hpp>
#include <armilla/job/journal/campaign_key.hpp>
#include <armilla/job/journal/journal.hpp>
#include <armilla/job/journal/journal_writer.hpp>
#include <armilla/job/journal/status.hpp>
#include <armilla/job/parse/parse_job.hpp>
#include <armilla/job/plan/plan.hpp>

#include <fstream>
#include <string>
#include <vector>

#include "error_message.hpp"
#include <gtest/gtest.h>
#include <support/scratch_folder.hpp>
#include <sys/stat.h>
#include <unistd.h>

namespace armilla::job {
namespace {

using nlohmann::json;
using test::contains;

/// Journals of campaign "c" in a fresh folder.
class Journals : public testing::Test {
 protected:
  void write(const std::string& name, const std::vector<json>& lines, const std::string& rest = "") const {
    std::ofstream file(folder_.path() / (name + ".jsonl"));
    for (const json& line : lines) file << line.dump() << "\n";
    file << rest;
  }
  static json run(const std::string& id, double time) {
    return {{"line", "run"}, {"campaign", "c"}, {"run", id}, {"time", time}, {"maps", 4}, {"end", 4}};
  }
  static json key(double time, const std::string& digest, const json& content = json::object()) {
    return {{"line", "key"}, {"time", time}, {"digest", digest}, {"content", content}};
  }
  static json map(const std::string& line, const std::string& label, double time) {
    return {{"line", line}, {"map", label}, {"time", time}, {"reason", line}};
  }
  Journal read() const { return read_journal(folder_.path().string(), "c"); }

  test::ScratchFolder folder_;
};

TEST_F(Journals, AFolderThatIsNotThereHasNone) {
  const Journal journal = read_journal((folder_.path() / "none").string(), "c");
  EXPECT_TRUE(journal.runs.empty() && journal.maps.empty());
}

// Numbers that do not fit, and values of other types, are not cast.
TEST_F(Journals, ValuesOfAnotherKindAreBadInput) {
  const std::vector<json> lines{{{"line", "run"}, {"campaign", "c"}, {"run", "a"}, {"maps", 1e300}},
                                {{"line", "run"}, {"campaign", "c"}, {"run", "a"}, {"maps", ~std::uint64_t{0}}},
                                {{"line", "run"}, {"campaign", "c"}, {"run", "a"}, {"end", "x"}},
                                {{"line", "run"}, {"campaign", "c"}, {"run", 7}}};
  for (const json& line : lines) {
    write("a", {line});
    EXPECT_TRUE(contains(test::input_error([&] { read(); }), "a journal in '" + folder_.path().string())) << line;
  }
  write("a", {run("a", 1), {{"line", "key"}, {"to_do", -1e300}}});
  EXPECT_TRUE(contains(test::input_error([&] { read(); }), "is damaged"));
}

TEST_F(Journals, SpecialFilesAreNotJournals) {
  ASSERT_EQ(::mkfifo((folder_.path() / "a.jsonl").c_str(), 0600), 0);
  ::alarm(60);
  EXPECT_TRUE(read().runs.empty());
  ::alarm(0);
}

TEST_F(Journals, TheNewestLineOfAMapCountsWhateverFileItIsIn) {
  write("b", {run("b", 1), key(1, "k1"), map("done", "0", 2), map("left_out", "1", 3)});
  write("a", {run("a", 5), key(5, "k2"), map("done", "1", 6)});
  write("b-1", {{{"line", "group"}, {"campaign", "c"}, {"run", "b"}}, map("done", "2", 7), map("left_out", "0", 1.5)});
  write("other", {{{"line", "run"}, {"campaign", "d"}, {"run", "d"}}, key(9, "k"), map("done", "3", 9)});
  const Journal journal = read();
  ASSERT_EQ(journal.runs.size(), 2u);
  EXPECT_EQ(journal.runs[0].id, "b");
  EXPECT_EQ(journal.runs[0].done, 4);
  ASSERT_EQ(journal.maps.size(), 3u);
  EXPECT_FALSE(journal.maps.at("0").left_out);
  EXPECT_FALSE(journal.maps.at("1").left_out);
  EXPECT_EQ(journal.digest_of(journal.maps.at("1").run), "k2");
  EXPECT_EQ(journal.digest_of(journal.maps.at("2").run), "k1");
}

TEST_F(Journals, TornAndForeignLinesAreIgnored) {
  write("a", {run("a", 1), key(1, "k"), map("done", "0", 2)}, R"({"line":"done","map":"1","time":3)");
  EXPECT_EQ(read().maps.size(), 1u);
  EXPECT_EQ(read().ignored_lines, 0u);
  write("a", {run("a", 1), key(1, "k"), json(3), map("done", "0", 2)}, "{\"line\":\"do\n{}\n");
  EXPECT_EQ(read().maps.size(), 1u);
  EXPECT_EQ(read().ignored_lines, 2u);
  write("a", {}, R"({"line":"run","campaign":"c")");  // died in its first line
  EXPECT_TRUE(read().runs.empty());
  write("lost-1", {{{"line", "group"}, {"campaign", "c"}, {"run", "lost"}}, map("done", "0", 2)});
  EXPECT_TRUE(read().maps.empty()) << "nobody knows what its maps depend on";
}

TEST_F(Journals, ThatCannotBeReadAreNamed) {
  write("a", {run("a", 1)});
  const std::string path = folder_.path() / "b.jsonl";
  ASSERT_EQ(::symlink("/proc/self/mem", path.c_str()), 0);  // it can be opened, but not read
  try {
    read();
    FAIL() << "it is read";
  } catch (const core::ResourceError& error) {
    EXPECT_EQ(error.what(), "journal '" + path + "' cannot be read (Input/output error): check the disk");
  }
}

TEST_F(Journals, ARestartForgetsWhatWasBefore) {
  write("a", {run("a", 1), key(1, "k"), map("done", "0", 2), map("done", "1", 2)});
  write("b", {run("b", 3), {{"line", "forget"}, {"time", 3}, {"maps", {"0"}}}, key(3, "k")});
  EXPECT_FALSE(read().maps.contains("0"));
  EXPECT_TRUE(read().maps.contains("1"));
  write("b", {run("b", 3), {{"line", "forget"}, {"time", 3}}, key(3, "k"), map("done", "0", 4)});
  EXPECT_TRUE(read().maps.contains("0"));
  EXPECT_FALSE(read().maps.contains("1"));
}

TEST_F(Journals, AFailureCountsUntilTheMapIsDone) {
  write("a", {run("a", 1), key(1, "k"), map("failed", "0", 2)});
  EXPECT_EQ(read().failed.at("0").reason, "failed");
  write("b", {run("b", 3), key(3, "k"), map("done", "0", 4)});
  EXPECT_TRUE(read().failed.empty());
}

TEST_F(Journals, AreWrittenAsAWholeAndShowThatTheirRunLives) {
  const std::string path = (folder_.path() / "a.jsonl").string();
  {
    JournalWriter writer(path, run("a", 1));
    writer.append(std::vector<json>{key(1, "k"), map("done", "0", 2)});
    EXPECT_TRUE(is_locked(path));
    EXPECT_TRUE(read().runs.front().is_live);
    EXPECT_THROW(JournalWriter(path, run("b", 1)), core::ResourceError);  // never two writers of one file
  }
  EXPECT_FALSE(is_locked(path));
  EXPECT_FALSE(read().runs.front().is_live);
  EXPECT_EQ(read().maps.size(), 1u);
}

TEST_F(Journals, TheTokenTellsWorkFromAttempts) {
  const std::filesystem::path folder = folder_.path() / kJournalFolder;
  std::filesystem::create_directory(folder);
  const std::vector<JournalPlace> places{{folder_.path().string(), "c"}};
  const auto write_run = [&](const std::string& name, const std::vector<json>& lines) {
    std::ofstream file(folder / (name + ".jsonl"));
    for (const json& line : lines) file << line.dump() << "\n";
    file.close();
    return status_token(places);
  };
  const std::string none = status_token(places);
  EXPECT_EQ(write_run("a", {run("a", 1), key(1, "k"), map("failed", "0", 2)}), none);
  const std::string one = write_run("b", {run("b", 3), key(3, "k"), map("left_out", "0", 4)});
  EXPECT_NE(one, none);
  EXPECT_EQ(write_run("c", {run("c", 5), key(5, "k"), map("left_out", "0", 6)}), one);  // in vain again
  const std::string done = write_run("d", {run("d", 7), key(7, "k"), map("done", "0", 8)});
  EXPECT_NE(done, one);
  // Checkpoints of other jobs do not count.
  std::ofstream(folder / "x-0.checkpoint") << "1";
  EXPECT_EQ(status_token(places), done);
  std::ofstream(folder / "c-0.checkpoint") << "1";
  EXPECT_NE(status_token(places), done);
}

TEST(Differences, NameThePathThatSetTakes) {
  const json before = json::parse(R"({"steps": [{"analysis": {"lmax": 100}}, {"smooth": {"fwhm": 1}}], "a": 1})");
  json now = before;
  EXPECT_EQ(differences(before, now), "");
  now["steps"][0]["analysis"]["lmax"] = 200;
  EXPECT_EQ(differences(before, now), "steps.0.analysis.lmax was 100, now 200");
  now["steps"][0]["analysis"]["mmax"] = 3;
  EXPECT_TRUE(contains(differences(before, now), "steps.0.analysis.mmax was absent, now 3"));
  now["b"] = 1;
  now["c"] = 1;
  now.erase("a");
  EXPECT_TRUE(contains(differences(before, now), "and 2 more"));
}

TEST(Digest, TellsValuesApart) {
  EXPECT_EQ(digest_of(json{{"a", 1}, {"b", 2}}), digest_of(json{{"b", 2}, {"a", 1}}));  // keys are sorted
  EXPECT_NE(digest_of(json{{"a", 1}}), digest_of(json{{"a", 1.5}}));
  EXPECT_NE(digest_of(json{{"a", "1"}}), digest_of(json{{"a", 1}}));
  EXPECT_EQ(digest_of(json()).size(), 32u);
}

JournalPlace place_of(const std::string& file) {
  return journal_place(parse_job(
      "version: 1\nsteps: []\ninputs:\n  a: {alm: a.h5}\noutputs:\n  a: {file: \"" + file + "\"}\n", "job.yaml", {}));
}

TEST(JournalPlace, IsBesideTheFilesOfAllMaps) {
  EXPECT_EQ(place_of("/x/y/m_{}.h5").folder(), "/x/y/.armilla");
  EXPECT_EQ(place_of("/x/y/{}/m.h5").folder(), "/x/y/.armilla");
  EXPECT_EQ(place_of("m_{}.h5").base, ".");
  EXPECT_NE(place_of("/x/y/{}/m.h5").campaign, place_of("/x/y/m_{}.h5").campaign);
  EXPECT_EQ(place_of("/x/y/m_{}.h5").campaign, place_of("/z/m_{}.h5").campaign);  // so a folder can be moved
  const JournalPlace place = place_of("/x/y/m_{}.h5");
  EXPECT_EQ(place.relative("/x/y/z/f.h5"), "z/f.h5");
  EXPECT_EQ(place.relative("/x/f.h5"), "/x/f.h5");
  EXPECT_EQ(place.resolved("z/f.h5"), "/x/y/z/f.h5");
  EXPECT_EQ(place.resolved("/x/f.h5"), "/x/f.h5");
}

TEST(Written, HasNumbersAndWhatTheCommandLineReplaced) {
  const std::vector<std::string> overrides{"steps.0.scale.factor=2.5"};
  const JobSpec spec = parse_job(
      "version: 1\ninputs:\n  a: {alm: a.h5, lmax: 7}\nsteps:\n  - scale: {alm: a, factor: 1, out: b}\n"
      "outputs:\n  b: {file: b.h5}\n",
      "job.yaml", overrides);
  const json written = json::parse(spec.written);
  EXPECT_EQ(written["steps"][0]["scale"]["factor"], 2.5);
  EXPECT_EQ(written["inputs"]["a"]["lmax"], 7);
  EXPECT_EQ(written["outputs"]["b"]["file"], "b.h5");
}

TEST(Part, BlocksCoverAllMapsOnce) {
  for (const Index maps : {1, 7, 40})
    for (const Index of : {1, 2, 3, 8}) {
      Index next = 0;
      for (Index number = 1; number <= of; ++number) {
        const CampaignPart part{number, of};
        EXPECT_EQ(part.first(maps), next);
        next = part.end(maps);
        EXPECT_LE(next - part.first(maps), (maps + of - 1) / of);
      }
      EXPECT_EQ(next, maps);
    }
}

TEST(Batches, AreOfConsecutiveMaps) {
  JobPlan plan{};
  plan.campaign.emplace();
  plan.campaign->labels.resize(20);
  plan.campaign->items = {2, 3, 4, 5, 9, 11, 12, 13};
  EXPECT_EQ(plan.campaign->longest_run(), 4);
  set_batch(plan, 3);
  std::vector<std::pair<Index, Index>> runs;
  for (const auto& run : plan.campaign->runs) runs.emplace_back(run.first, run.maps);
  EXPECT_EQ(runs, (std::vector<std::pair<Index, Index>>{{2, 3}, {5, 1}, {9, 1}, {11, 3}}));
  plan.campaign->items.clear();
  EXPECT_EQ(plan.campaign->longest_run(), 1);
  set_batch(plan, 3);
  EXPECT_EQ(plan.campaign->batches(), 0);
}

}  // namespace
}  // namespace armilla::job
