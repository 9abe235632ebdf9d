#include <armilla/core/log.hpp>
#include <armilla/core/text.hpp>
#include <armilla/core/timer.hpp>
#include <armilla/job/run/progress.hpp>

#include <algorithm>
#include <cstdio>
#include <limits>
#include <utility>

#include <fmt/format.h>
#include <unistd.h>

namespace armilla::job {

namespace {
constexpr double kBarSeconds = 0.1;
constexpr double kLogSeconds = 60;
constexpr int kBarWidth = 30;

// A closed terminal must not abort the job: output errors are ignored.
void draw(const std::string& text) {
  [[maybe_unused]] const auto written = std::fwrite(text.data(), 1, text.size(), stderr);
  std::fflush(stderr);
}

}  // namespace

Progress::Display Progress::choose(bool is_root, Verbosity verbosity) {
  if (!is_root || verbosity == Verbosity::kQuiet) return Display::kNone;
  return ::isatty(STDERR_FILENO) != 0 ? Display::kBar : Display::kLog;
}

Progress::Progress(Display display, std::size_t steps)
    : display_(display), steps_(std::max<std::size_t>(steps, 1)), shown_at_(core::now_seconds()) {}

Progress::Progress(Call call, std::size_t steps) : Progress(Display::kCall, steps) {
  call_ = std::move(call);
  shown_at_ = -std::numeric_limits<double>::infinity();  // calls at once
}

Progress::~Progress() { clear(); }

void Progress::begin(std::size_t number, const std::string& what, std::size_t transforms) {
  number_ = number;
  transforms_ = transforms;
  transforms_done_ = 0;
  last_ = 0;
  note(what);
}

void Progress::note(const std::string& what) {
  what_ = core::printable(what);
  show(display_ == Display::kBar);
}

void Progress::update(double fraction) {
  if (fraction < last_) transforms_done_ = std::min(transforms_done_ + 1, std::max<std::size_t>(transforms_, 1) - 1);
  last_ = fraction;
  show(false);
}

void Progress::campaign(Index maps) {
  maps_ = maps;
  maps_done_ = 0;
  campaign_began_ = core::now_seconds();
}

void Progress::maps_done(Index maps) {
  if (maps == maps_done_) return;
  maps_done_ = maps;
  show(display_ == Display::kBar);
}

std::string Progress::maps_text() const {
  if (maps_ == 0) return {};
  const double seconds = core::now_seconds() - campaign_began_;
  if (maps_done_ == 0 || !(seconds > 0)) return fmt::format("0 of {} maps, ", maps_);
  const double rate = static_cast<double>(maps_done_) / seconds;
  const auto left = static_cast<long>(static_cast<double>(maps_ - maps_done_) / rate + 0.5);
  return fmt::format("{} of {} maps, {:.3g} maps/s, {}:{:02}:{:02} remaining, ", maps_done_, maps_, rate, left / 3600,
                     left / 60 % 60, left % 60);
}

double Progress::fraction() const {
  if (maps_ > 0) return std::clamp(static_cast<double>(maps_done_) / static_cast<double>(maps_), 0.0, 1.0);
  const double step =
      transforms_ == 0 ? 0 : (static_cast<double>(transforms_done_) + last_) / static_cast<double>(transforms_);
  return std::clamp((static_cast<double>(number_) + step) / static_cast<double>(steps_), 0.0, 1.0);
}

void Progress::show(bool now) {
  if (display_ == Display::kNone) return;
  const double time = core::now_seconds();
  if (!now && time - shown_at_ < (display_ == Display::kLog ? kLogSeconds : kBarSeconds)) return;
  shown_at_ = time;
  const double percent = 100 * fraction();
  if (display_ == Display::kCall) return call_(fraction(), what_);
  if (display_ == Display::kLog) {
    core::log().info("{:.0f}% done, {}now {}", percent, maps_text(), what_);
    return;
  }
  const auto filled = static_cast<std::size_t>(percent / 100 * kBarWidth);
  draw(fmt::format("\r\x1b[K[{}{}] {:3.0f}% {}{}", std::string(filled, '#'), std::string(kBarWidth - filled, '.'),
                   percent, maps_text(), what_));
}

void Progress::clear() const {
  if (display_ != Display::kBar) return;
  draw("\r\x1b[K");
}

}  // namespace armilla::job
