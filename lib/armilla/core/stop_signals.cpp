#include <armilla/core/own_files.hpp>
#include <armilla/core/stop_signals.hpp>
#include <armilla/core/timer.hpp>

#include <array>
#include <atomic>
#include <cerrno>
#include <cmath>
#include <csignal>
#include <cstdint>
#include <cstring>
#include <limits>
#include <system_error>
#include <utility>

#include <fmt/format.h>
#include <poll.h>
#include <sys/eventfd.h>
#include <unistd.h>

namespace armilla::core {

namespace {

constexpr std::array kSignals{SIGTERM, SIGINT, SIGUSR1};
constexpr const char* kKept = "unfinished output files were removed, complete ones were kept";

// A signal handler can access only globals.
std::atomic<int> at_once{0};      // the first signal that requested an immediate stop
std::atomic<int> at_boundary{0};  // the first signal that requested a stop at a boundary
std::atomic<double> stop_time{std::numeric_limits<double>::infinity()};  // on the clock of now_seconds()
std::atomic<double> time_to_write{0};
std::atomic<bool> usr1_at_once{false};
std::atomic<bool> ending{false};
std::atomic<bool> said{false};
thread_local StopQuestion* question = nullptr;  // of this thread
std::atomic<int> wake{-1};  // an eventfd, used as a semaphore: each request for an immediate stop adds one
static_assert(std::atomic<int>::is_always_lock_free && std::atomic<bool>::is_always_lock_free);

void wake_watcher() {
  const std::uint64_t one = 1;
  [[maybe_unused]] const ssize_t written = ::write(wake, &one, sizeof(one));
}

extern "C" void note_signal(int signal) {
  const int saved = errno;
  int none = 0;
  if (signal == SIGUSR1 && !usr1_at_once) {
    at_boundary.compare_exchange_strong(none, signal);
  } else {
    at_once.compare_exchange_strong(none, signal);
    wake_watcher();
  }
  errno = saved;
}

// The signals of kSignals that the process inherited as ignored, such as SIGINT by `armilla run job.yaml &` in a
// script; they remain ignored.
std::array<bool, kSignals.size()> ignored_from_start() {
  std::array<bool, kSignals.size()> ignored{};
  for (std::size_t i = 0; i < kSignals.size(); ++i) {
    struct sigaction now {};
    ignored[i] = ::sigaction(kSignals[i], nullptr, &now) == 0 && now.sa_handler == SIG_IGN;
  }
  return ignored;
}

void handle_all(void (*handler)(int)) {
  static const auto ignored = ignored_from_start();
  struct sigaction action {};
  action.sa_handler = handler;
  action.sa_flags = SA_RESTART;
  sigemptyset(&action.sa_mask);
  for (const int signal : kSignals) sigaddset(&action.sa_mask, signal);
  for (std::size_t i = 0; i < kSignals.size(); ++i)
    if (!ignored[i]) ::sigaction(kSignals[i], &action, nullptr);
}

const char* name_of(int signal) {
  // No signal reached this process: the cause is the time limit, or a signal to another rank. In the latter case it is
  // SIGUSR1, because only that leaves time for this report.
  if (signal == 0) return std::isfinite(stop_time.load()) ? "--max-time" : "SIGUSR1";
  if (signal == SIGTERM) return "SIGTERM";
  return signal == SIGINT ? "SIGINT" : "SIGUSR1";
}

// Waits for a request, or for the destruction of StopSignals; indefinitely if milliseconds < 0. Returns whether there
// was one.
bool wait_for_request(int milliseconds) {
  pollfd request{wake, POLLIN, 0};
  int ready = 0;
  do ready = ::poll(&request, 1, milliseconds);
  while (ready < 0 && errno == EINTR);
  std::uint64_t count = 0;
  return ::read(wake, &count, sizeof(count)) == sizeof(count);
}

std::optional<CaughtError> request_of(int signal) {
  if (signal == 0) return StopQuestion::answer();
  return CaughtError{ErrorKind::kStopped, stop_text(signal, kKept)};
}

}  // namespace

StopSignals::StopSignals(Usr1 usr1, Speech speech) : speech_(speech) {
  at_once = 0;
  at_boundary = 0;
  ending = false;
  said = false;
  usr1_at_once = usr1 == Usr1::kAtOnce;
  wake = ::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK | EFD_SEMAPHORE);
  if (wake < 0)
    throw ResourceError(
        fmt::format("no file descriptor available for signals ({}): raise ulimit -n", std::strerror(errno)));
  // The watcher thread does not handle signals itself: it inherits this mask.
  sigset_t all, before;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  try {
    watcher_ = std::thread([this] { watch(); });
  } catch (const std::system_error& error) {
    pthread_sigmask(SIG_SETMASK, &before, nullptr);
    ::close(wake.exchange(-1));
    throw ResourceError(fmt::format("cannot start a thread ({}): raise ulimit -u", error.what()));
  }
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
  handle_all(note_signal);
}

StopSignals::~StopSignals() {
  handle_all(SIG_IGN);
  ending = true;
  wake_watcher();
  watcher_.join();
  ::close(wake.exchange(-1));
  at_once = 0;
  at_boundary = 0;
  stop_time = std::numeric_limits<double>::infinity();
}

void StopSignals::watch() const {
  wait_for_request(-1);
  constexpr int kMilliseconds = static_cast<int>(1e3 * kPatience);
  const bool hurried = !ending && wait_for_request(kMilliseconds);
  if (ending) return;
  if (speech_ == Speech::kSpeaks && claim_stop_message()) {
    const char* clear_progress = ::isatty(STDERR_FILENO) != 0 ? "\r\x1b[K" : "";
    const std::string text = fmt::format("{}armilla: {}\n", clear_progress, stop_text(at_once, kKept));
    [[maybe_unused]] const ssize_t written = ::write(STDERR_FILENO, text.data(), text.size());
  }
  remove_own_files();
  if (!hurried) wait_for_request(kMilliseconds);
  ::_exit(kExitStopped);
}

StopQuestion::StopQuestion(Ask ask) : ask_(std::move(ask)), replaced_(std::exchange(question, this)) {}

StopQuestion::~StopQuestion() { question = replaced_; }

std::optional<CaughtError> StopQuestion::answer() { return question == nullptr ? std::nullopt : question->ask_(); }

std::optional<CaughtError> stop_at_once() { return request_of(at_once); }

std::optional<CaughtError> stop_at_boundary() {
  const int signal = at_boundary != 0 ? at_boundary.load() : at_once.load();
  if (signal != 0 || seconds_to_stop() > 0) return request_of(signal);
  return CaughtError{ErrorKind::kStopped, stop_text(0, kKept)};
}

void stop_after(double seconds) { stop_time = now_seconds() + seconds; }

void set_time_to_write(double seconds) { time_to_write = seconds; }

double seconds_to_stop() { return stop_time - time_to_write - now_seconds(); }

std::string stop_text(int signal, const std::string& done) {
  return fmt::format("stopped by {}: {}", name_of(signal), done);
}

std::string stop_text(const std::string& done) {
  const int signal = at_boundary;
  return stop_text(signal != 0 ? signal : at_once.load(), done);
}

bool claim_stop_message() { return !said.exchange(true); }

}  // namespace armilla::core
