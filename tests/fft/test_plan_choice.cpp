#include <armilla/core/cache.hpp>
#include <armilla/fft/ring_fft.hpp>

#include <array>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <memory>
#include <set>
#include <string>

#include "support/fields.hpp"
#include <dlfcn.h>
#include <fftw3.h>
#include <fmt/format.h>
#include <gtest/gtest.h>

namespace armilla::fft {
namespace {

// Estimated lengths, chirped ones, and ones with radix-4 steps.
constexpr std::array<Index, 9> kRings{12, 500, 576, 768, 1024, 1028, 1152, 4096, 5120};
// What the other user of FFTW measures. FFTW_PATIENT takes seconds for longer lengths.
constexpr std::array<int, 7> kMeasured{64, 320, 576, 768, 1024, 1152, 4096};
constexpr int kPatient = 256;

template <class T>
std::uint64_t hash_of_transforms() {
  PlanCache<T> plans;
  for (const Index n : kRings) plans.prepare(n);
  RingFftWorkspace<T> work(plans.sizes());
  std::uint64_t hash = core::fnv1a(nullptr, 0);
  for (const Index n : kRings) {
    core::AlignedBuffer<std::complex<T>> in(n), out(n);
    for (Index j = 0; j < n; ++j) {
      const auto i = static_cast<std::size_t>(j);
      in.data()[j] = {static_cast<T>(test::noise(1, i)), static_cast<T>(test::noise(2, i))};
    }
    plans.at(n).forward(in.data(), out.data(), work);
    hash = core::fnv1a(out.data(), core::at(n) * sizeof(std::complex<T>), hash);
  }
  return hash;
}

std::string hashes() {
  return fmt::format("hashes {:016x} {:016x}", hash_of_transforms<float>(), hash_of_transforms<double>());
}

// Another user of FFTW in the same process, in both precisions.
class OtherUser {
 public:
  OtherUser() {
    if (has_threads()) {
      call<int()>("fftw_init_threads")();
      call<int()>("fftwf_init_threads")();
    }
    for (const int n : kMeasured) plan(n, 0);
    fftw_set_timelimit(1e-3);
    fftwf_set_timelimit(1e-3);
    set_threads(kThreads);
    before_ = wisdom();
  }

  // What it planned is known, and the number of threads is as it was.
  void expect_nothing_changed() {
    const std::set<std::string> after = wisdom();
    for (const std::string& line : before_) EXPECT_TRUE(after.contains(line)) << line;
    if (has_threads()) {
      EXPECT_EQ(call<int()>("fftw_planner_nthreads")(), kThreads);
      EXPECT_EQ(call<int()>("fftwf_planner_nthreads")(), kThreads);
    }
    set_threads(1);
    for (const int n : kMeasured) plan(n, FFTW_WISDOM_ONLY);
  }

 private:
  static constexpr int kThreads = 3;

  bool has_threads() const { return threads_ != nullptr && threads_of_single_ != nullptr; }
  template <class Function>
  Function* call(const std::string& name) {
    void* library = name.starts_with("fftwf") ? threads_of_single_ : threads_;
    return reinterpret_cast<Function*>(::dlsym(library, name.c_str()));
  }
  void set_threads(int threads) {
    if (!has_threads()) return;
    call<void(int)>("fftw_plan_with_nthreads")(threads);
    call<void(int)>("fftwf_plan_with_nthreads")(threads);
  }
  void plan(int n, unsigned flags) {
    flags |= n <= kPatient ? FFTW_PATIENT : FFTW_MEASURE;
    take(fftw_plan_dft_1d(n, in_.data(), out_.data(), FFTW_FORWARD, flags));
    take(fftwf_plan_dft_1d(n, single_in_.data(), single_out_.data(), FFTW_FORWARD, flags));
  }
  static void take(fftw_plan plan) {
    EXPECT_NE(plan, nullptr);
    fftw_destroy_plan(plan);
  }
  static void take(fftwf_plan plan) {
    EXPECT_NE(plan, nullptr);
    fftwf_destroy_plan(plan);
  }
  // Lines, because FFTW writes them in no particular order.
  static std::set<std::string> wisdom() {
    std::set<std::string> lines;
    for (char* text : {fftw_export_wisdom_to_string(), fftwf_export_wisdom_to_string()}) {
      for (char* line = std::strtok(text, "\n"); line != nullptr; line = std::strtok(nullptr, "\n")) lines.insert(line);
      std::free(text);
    }
    return lines;
  }

  using Array = std::array<fftw_complex, 8192>;
  using SingleArray = std::array<fftwf_complex, 8192>;
  void* threads_ = ::dlopen("libfftw3_threads.so.3", RTLD_NOW | RTLD_LOCAL);  // null where it is not installed
  void* threads_of_single_ = ::dlopen("libfftw3f_threads.so.3", RTLD_NOW | RTLD_LOCAL);
  alignas(64) Array in_{};
  alignas(64) Array out_{};
  alignas(64) SingleArray single_in_{};
  alignas(64) SingleArray single_out_{};
  std::set<std::string> before_;
};

// Output of one of the tests below, of this program in a process of its own that has no cache.
std::string output_of(const std::string& test) {
  const std::string command = fmt::format(
      "env -u ARMILLA_CACHE_DIR -u XDG_CACHE_HOME -u HOME {} --gtest_also_run_disabled_tests --gtest_filter={} 2>&1",
      std::filesystem::read_symlink("/proc/self/exe").string(), test);
  std::FILE* stream = popen(command.c_str(), "r");
  std::string text;
  for (int c = std::fgetc(stream); c != EOF; c = std::fgetc(stream)) text += static_cast<char>(c);
  EXPECT_EQ(pclose(stream), 0) << text;
  return text;
}

TEST(PlanChoice, DISABLED_OfAFreshProcess) { fmt::print("{}\n", hashes()); }

TEST(PlanChoice, DISABLED_AfterOtherPlans) {
  const auto other = std::make_unique<OtherUser>();
  fmt::print("{}\n", hashes());
  other->expect_nothing_changed();
}

// claims: guarantee reproducible
TEST(PlanChoice, IsTheSameInEveryProcess) {
  const std::string expected = hashes();
  for (const char* test : {"PlanChoice.DISABLED_OfAFreshProcess", "PlanChoice.DISABLED_OfAFreshProcess",
                           "PlanChoice.DISABLED_AfterOtherPlans"}) {
    const std::string text = output_of(test);
    EXPECT_NE(text.find(expected), std::string::npos) << expected << " " << text;
  }
}

}  // namespace
}  // namespace armilla::fft
