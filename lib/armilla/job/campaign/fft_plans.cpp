#include <armilla/comm/phase.hpp>
#include <armilla/core/cache.hpp>
#include <armilla/core/error.hpp>
#include <armilla/core/host_name.hpp>
#include <armilla/core/read_file.hpp>
#include <armilla/fft/wisdom.hpp>
#include <armilla/job/campaign/fft_plans.hpp>

#include <new>
#include <utility>

#include <fmt/format.h>
#include <spdlog/spdlog.h>
#include <unistd.h>

namespace armilla::job {

namespace {

constexpr std::array<const char*, 2> kPlanFiles{"wisdom-float", "wisdom-double"};
constexpr double kPlanPatience = 600;  // [s]; measuring plans takes a few seconds

bool add_plans(std::size_t precision, const std::string& text) {
  return precision == 0 ? fft::Wisdom<float>::add(text) : fft::Wisdom<double>::add(text);
}

}  // namespace

CampaignFftPlans::CampaignFftPlans(const comm::Communicator& world, const CampaignJournal& journal)
    : world_(world), folder_(journal.is_kept() ? journal.place().folder() : std::string()) {
  if (folder_.empty()) return;
  comm::phase(world_, [&] {
    if (!world_.is_root()) return;
    lock_.emplace(folder_ + "/wisdom.lock", fmt::format("process {} on host {}", ::getpid(), core::host_name()),
                  kPlanPatience, core::FileLock::Patience::kFromSign);
    for (std::size_t i = 0; i < texts_.size(); ++i) {
      const std::string file = fmt::format("{}/{}", folder_, kPlanFiles[i]);
      texts_[i] = core::read_file_if_there(file, fmt::format("FFT plans '{}'", file));
    }
  });
  for (std::string& text : texts_) text = world_.broadcast(text);
  take();
}

void CampaignFftPlans::take() const {
  for (std::size_t i = 0; i < texts_.size(); ++i)
    if (!texts_[i].empty() && !add_plans(i, texts_[i]) && world_.is_root())
      spdlog::warn(
          "FFT plans: {}/{} cannot be used here (damaged, or from another FFTW version): results may differ in the "
          "last bits from those of the maps already done",
          folder_, kPlanFiles[i]);
}

void CampaignFftPlans::keep() {
  if (folder_.empty() || !world_.is_root()) return;
  for (std::size_t i = 0; i < kPlanFiles.size(); ++i) {
    try {
      keep(i);
    } catch (const std::bad_alloc&) {
      warn_unwritten(i);
    }
  }
  lock_.reset();
}

void CampaignFftPlans::keep(std::size_t precision) {
  std::string now = precision == 0 ? fft::Wisdom<float>::text() : fft::Wisdom<double>::text();
  if (now.size() <= texts_[precision].size()) return;
  core::CacheFile file(fmt::format("{}/{}", folder_, kPlanFiles[precision]));
  file.write(now.data(), now.size());
  if (file.commit())
    texts_[precision] = std::move(now);
  else
    warn_unwritten(precision);
}

void CampaignFftPlans::warn_unwritten(std::size_t precision) const {
  spdlog::warn("FFT plans: {}/{} cannot be written: later runs of this campaign may measure different plans", folder_,
               kPlanFiles[precision]);
}

}  // namespace armilla::job
