// Jobs that are refused for their outputs, for the names of many maps, or for lack of space.
#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include "refusal.hpp"
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

namespace armilla::job {
namespace {

using test::analysis;
using test::error_of;
using test::expect_message;
using test::expect_refused;
using test::prepared;
using test::synthesis;

class OutputRefusals : public testing::Test {
 protected:
  OutputRefusals() {
    folder_.map("sky.h5", grid::make_healpix(8), {"T", "Q", "U"}, 3);
    folder_.alm("alm.h5", 8, 8, {"T"});
    folder_.spectra("dl.dat");
  }

  static std::string written_to(const std::string& file) {
    return "inputs:\n  sky: {map: sky.h5}\noutputs:\n  sky: {file: \"" + file + "\"}\n";
  }

  test::JobFolder folder_;
};

TEST_F(OutputRefusals, Places) {
  const std::string here = folder_.path("");
  expect_refused(
      folder_,
      {
          {analysis("lmax: 16") + "  sky: {file: nowhere/b.h5}\n",
           {fmt::format("job.yaml:8: outputs.sky: '{}nowhere/b.h5' cannot be written: the folder '{}nowhere' does not "
                        "exist: create it",
                        here, here)}},
          {written_to("/proc/a.h5"),
           {"outputs.sky: '/proc/a.h5' cannot be written: the folder '/proc' is not writable"}},
          {written_to("./sky.h5"), {"is also read by inputs.sky"}},
      });
}

TEST_F(OutputRefusals, FormatsThatCannotHoldTheValues) {
  expect_refused(
      folder_, {
                   {synthesis("{gauss: {nlat: 9, rings: [[0, 4]]}}", "file: m.fits"),
                    {"outputs.m.file =", "FITS maps must be HEALPix: write .h5"}},
                   {synthesis("{healpix: {nside: 8, theta_deg: [0, 90]}}", "file: m.fits, ordering: nested"),
                    {"outputs.m.ordering = nested applies to full-sky HEALPix maps only"}},
                   {"inputs:\n  a: {alm: alm.h5}\noutputs:\n  a: {file: out.fits, convention: {norm: 4pi}}\n",
                    {"out.fits cannot record the convention of its coefficients (4pi", "write .h5"}},
                   {"inputs:\n  a: {alm: alm.h5}\noutputs:\n  a: {file: out.h5, precision: single, convention: {norm: "
                    "unnormalised}}\n",
                    {"norm = unnormalised exceeds the range of single precision"}},
               });
}

TEST_F(OutputRefusals, SpecialFilesAreNotReplaced) {
  ASSERT_EQ(mkfifo(folder_.path("fifo.h5").c_str(), 0600), 0);
  std::filesystem::create_symlink("/dev/null", folder_.path("null.fits"));
  expect_refused(folder_,
                 {{written_to("fifo.h5"), {"outputs.sky: '", "fifo.h5' cannot be written: it is a FIFO"}},
                  {written_to("null.fits"), {"outputs.sky: '", "null.fits' cannot be written: it is a device"}}});
  expect_message(error_of([&] { prepared(folder_, written_to("a.h5"), {}, "/dev/null"); }),
                 {"--report: '/dev/null' cannot be written: it is a device"});
  EXPECT_TRUE(std::filesystem::is_character_file("/dev/null"));
}

TEST_F(OutputRefusals, SpaceThatADiskDoesNotHave) {
  const core::CaughtError error = error_of([&] {
    prepared(folder_,
             "steps:\n  - random_alm: {spectrum: dl.dat, spectrum_kind: dl, lmax: 8, fields: [T], seed: 1, maps: 4000, "
             "out: a}\n  - synthesis: {alm: a, grid: {healpix: {nside: 8192}}, out: m}\noutputs:\n  m: {file: m.h5}\n");
  });
  expect_message(error, {"outputs.m: the file system of folder", "bytes free (", ", but all outputs on it need "},
                 core::ErrorKind::kResource);
}

/// Maps sims/map_000.h5 to sims/map_002.h5, and coefficients other.h5.
class CampaignRefusals : public testing::Test {
 protected:
  CampaignRefusals() {
    std::filesystem::create_directory(folder_.path("sims"));
    for (int i = 0; i < 3; ++i)
      folder_.map(fmt::format("sims/map_00{}.h5", i), grid::make_healpix(8), {"T", "Q", "U"}, 3);
    folder_.alm("other.h5", 15, 15, {"T", "E", "B"});
    folder_.attribute("other.h5", "alm", "UNITS", "mK");
    folder_.spectra("dl.dat");
  }

  /// A campaign in which `old` (empty: nothing) is replaced.
  static std::string campaign(const std::string& old = "", const std::string& text = "") {
    std::string body =
        "inputs:\n  sky:   {map: \"sims/map_{000..002}.h5\"}\n  other: {alm: other.h5}\nsteps:\n"
        "  - analysis:   {map: sky, lmax: 15, out: found}\n"
        "  - add:        {alm: found, with: other, out: sum}\n"
        "  - synthesis:  {alm: found, grid: {healpix: {nside: 8}}, out: map}\n"
        "  - spectra:    {alm: found, with: sum, out: cl}\n"
        "  - statistics: {spectra: cl, out: stats}\n"
        "outputs:\n  found:  {file: found.h5}\n  map:   {file: \"map_{}.fits\", ordering: nested}\n"
        "  sum:   {file: \"sum_{}.h5\"}\n  cl:     {file: cl.h5}\n  stats: {file: stats.h5}\n";
    const std::size_t place = body.find(old);
    EXPECT_NE(place, std::string::npos);
    return body.replace(place, old.size(), text);
  }

  test::JobFolder folder_;
};

TEST_F(CampaignRefusals, Patterns) {
  EXPECT_NO_THROW(prepared(folder_, campaign()));
  const std::string random = "  - random_alm: {spectrum: dl.dat, spectrum_kind: dl, fields: [T], lmax: 8, ";
  expect_refused(folder_,
                 {
                     {campaign("map_{000..002}", "none_*"), {"matches no file"}},
                     {campaign("other.h5", "\"sims/map_{0..4}.h5\""), {"use equal numbers of maps"}},
                     {campaign("{000..002}", "{010..000}"), {"has a descending range: write {0..10}"}},
                     {campaign("map_{}.fits", "map.fits"), {"placeholder '{}'"}},
                     {campaign("sum_{}.h5", "sum_{000..002}.h5"), {"is an input pattern"}},
                     {campaign("stats.h5", "\"stats_{}.h5\""), {"shared by all maps"}},
                     {campaign("\"map_{}.fits\"", "map.h5"), {"batch axis"}},
                     {campaign("\"map_{}.fits\", ordering: nested", "\"sims/map_{}.h5\""), {"is also read by"}},
                     {campaign("\"map_{}.fits\"", "map_{}.fits"), {"need quotes"}},
                     {"inputs:\n  a: {alm: other.h5}\nsteps:\n  - spectra: {alm: a, out: cl}\n"
                      "  - statistics: {spectra: cl, out: s}\noutputs:\n  s: {file: s.h5}\n",
                      {"needs many maps"}},
                     {"steps:\n" + random + "maps: 4, out: a}\n" + random +
                          "maps: 5, out: b}\noutputs:\n  a: {file: a.h5}\n  b: {file: b.h5}\n",
                      {"differs from the 4 maps"}},
                 });
}

TEST_F(CampaignRefusals, NamesOfOutputs) {
  for (const char* label : {"one", "two"}) folder_.map(fmt::format("m_{}.h5", label), grid::make_healpix(8), {"T"}, 1);
  for (const auto& [name, part] :
       {std::pair("b_{:4}.h5", "expected '{}', or '{:04}'"), std::pair("b_{:x}.h5", "expected '{}', or '{:04}'"),
        std::pair("b_{:03}.h5", "a map is called 'one'")})
    expect_refused(folder_, {{std::string("inputs:\n  sky: {map: \"m_*.h5\"}\nsteps:\n"
                                          "  - analysis: {map: sky, lmax: 8, out: a}\noutputs:\n  a: {file: \"") +
                                  name + "\"}\n",
                              {part, "outputs.a.file = " + folder_.path(name) + " "}}});
}

TEST_F(CampaignRefusals, LinksDoNotHideWhatIsWritten) {
  folder_.text("elsewhere.h5", "");
  const auto refused = [&](const std::vector<std::pair<std::string, std::string>>& links, const std::string& part) {
    for (const auto& [link, target] : links) std::filesystem::create_symlink(folder_.path(target), folder_.path(link));
    expect_message(error_of([&] { prepared(folder_, campaign()); }), {part});
    for (const auto& [link, target] : links) std::filesystem::remove(folder_.path(link));
  };
  refused({{"sum_001.h5", "sims/map_001.h5"}}, "is also read by inputs.sky");
  refused({{"sum_001.h5", "other.h5"}}, "is also read by inputs.other");
  refused({{"sum_001.h5", "elsewhere.h5"}, {"sum_002.h5", "elsewhere.h5"}}, "is also written by");
}

TEST_F(CampaignRefusals, ADryRunNamesTheFilesThatAreMissing) {
  for (int i = 3; i < 12; ++i) folder_.map(fmt::format("sims/map_{:03}.h5", i), grid::make_healpix(8), {"T"}, 1);
  for (const char* name : {"sims/map_000.h5", "sims/map_002.h5", "sims/map_011.h5"})
    std::filesystem::remove(folder_.path(name));
  folder_.map("sims/map_001.h5", grid::make_healpix(8), {"T"}, 1);
  const std::string body =
      "inputs:\n  sky: {map: \"sims/map_{000..011}.h5\"}\nsteps:\n  - analysis: {map: sky, lmax: 6, out: a}\n"
      "outputs:\n  a: {file: \"a_{}.h5\"}\n";
  const auto dry_run = [&](std::vector<std::string> overrides, CampaignPart part = {}) {
    RunOptions options;
    options.overrides = std::move(overrides);
    options.mode = RunMode::kDryRun;
    options.part = part;
    return test::run(folder_, body, options);
  };
  const auto at_most = [](int maps) { return fmt::format("execution.on_bad_map={{skip: {{at_most: {}}}}}", maps); };
  core::CaughtError error = error_of([&] { dry_run({}); });
  expect_message(error, {"job.yaml:3: inputs.sky: 3 files are missing, for 3 of 12 maps: ", "on_bad_map: skip",
                         "map_000.h5", "map_002.h5", "map_011.h5"});
  EXPECT_FALSE(test::contains(error.message, "map_001.h5"));
  EXPECT_TRUE(test::contains(dry_run({at_most(3)}).text, "3 files are missing"));
  expect_message(error_of([&] { dry_run({at_most(2)}); }), {"This exceeds execution.on_bad_map.skip.at_most = 2"});
  error = error_of([&] { dry_run({"inputs.sky.map=sims/map_{001..012}.h5"}, {2, 2}); });
  expect_message(error, {"2 files are missing, for 2 of 12 maps"});
  EXPECT_FALSE(test::contains(error.message, "map_002.h5"));
  error = error_of([&] { dry_run({"inputs.sky.map=sims/map_{001..112}.h5"}); });
  expect_message(error, {"103 files are missing, for 103 of 112 maps", "map_019.h5 and 93 more"});
  EXPECT_FALSE(test::contains(error.message, "map_020.h5"));
}

}  // namespace
}  // namespace armilla::job
