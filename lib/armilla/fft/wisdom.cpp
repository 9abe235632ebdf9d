#include <armilla/core/aligned_buffer.hpp>
#include <armilla/core/cache.hpp>
#include <armilla/core/instantiate.hpp>
#include <armilla/core/planner_lock.hpp>
#include <armilla/fft/fftw.hpp>
#include <armilla/fft/wisdom.hpp>

#include <algorithm>
#include <cctype>
#include <chrono>
#include <cstdint>
#include <cstring>
#include <fstream>
#include <memory>
#include <mutex>
#include <optional>
#include <sstream>
#include <thread>

#include <fcntl.h>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <spdlog/spdlog.h>
#include <sys/file.h>
#include <unistd.h>

namespace armilla::fft {

namespace {

namespace fs = std::filesystem;

constexpr Index kMinMeasured = 512;
constexpr double kMaxSeconds = 0.5;
// Measuring the lengths for HEALPix nside 2048 takes about 6 s.
constexpr std::chrono::milliseconds kLockWait{10000};
constexpr std::chrono::milliseconds kLockPause{20};
// Files with some hundred lengths have a size of about 100 kB.
constexpr std::uintmax_t kLargestFile = std::uintmax_t{16} << 20;
constexpr const char* kMagic = "armilla-wisdom-1";

// Lengths for which FFTW_MEASURE took too long, so that all processes use FFTW_ESTIMATE. Protected by planner_lock.
template <class T>
std::set<Index>& estimated() {
  static std::set<Index> lengths;
  return lengths;
}

std::uint64_t hash(const std::string& text) { return core::fnv1a(text.data(), text.size()); }

// The following functions require planner_lock to be held.

template <class T>
std::string text_of_process() {
  const std::unique_ptr<char, void (*)(void*)> text(Fftw<T>::export_text(), std::free);
  const std::string body =
      fmt::format("estimated {}\n{}", fmt::join(estimated<T>(), " "), text == nullptr ? "" : text.get());
  return fmt::format("{} {:016x}\n{}", kMagic, hash(body), body);
}

template <class T>
bool take_text(const std::string& text) {
  const std::size_t first = text.find('\n');
  if (first == std::string::npos) return false;
  const std::string body = text.substr(first + 1);
  if (text.substr(0, first) != fmt::format("{} {:016x}", kMagic, hash(body))) return false;
  const std::size_t second = body.find('\n');
  if (second == std::string::npos) return false;
  std::istringstream list(body.substr(0, second));
  std::string word;
  list >> word;
  std::set<Index> lengths;
  for (Index length; list >> length;) lengths.insert(length);
  if (!Fftw<T>::import_text(body.c_str() + second + 1)) return false;
  estimated<T>().merge(lengths);
  return true;
}

template <class T>
bool knows(Index length, std::complex<T>* in, std::complex<T>* out) {
  if (estimated<T>().contains(length)) return true;
  const typename Fftw<T>::Plan plan = Fftw<T>::plan(length, in, out, FFTW_WISDOM_ONLY | FFTW_MEASURE);
  if (plan == nullptr) return false;
  Fftw<T>::destroy(plan);
  return true;
}

// Buffers for the longest of `lengths`.
template <class T>
struct Buffers {
  explicit Buffers(const std::set<Index>& lengths)
      : in(lengths.empty() ? 0 : *lengths.rbegin()), out(lengths.empty() ? 0 : *lengths.rbegin()) {}
  core::AlignedBuffer<std::complex<T>> in;
  core::AlignedBuffer<std::complex<T>> out;
};

template <class T>
std::set<Index> unknown(const std::set<Index>& lengths, Buffers<T>& buffers) {
  std::set<Index> result;
  for (const Index length : lengths)
    if (is_measured(length) && !knows<T>(length, buffers.in.data(), buffers.out.data())) result.insert(length);
  return result;
}

template <class T>
void measure_now(const std::set<Index>& lengths, Buffers<T>& buffers) {
  for (const Index length : lengths) {
    Fftw<T>::set_limit(kMaxSeconds);
    const typename Fftw<T>::Plan plan = Fftw<T>::plan(length, buffers.in.data(), buffers.out.data(), FFTW_MEASURE);
    Fftw<T>::set_limit(FFTW_NO_TIMELIMIT);
    if (plan != nullptr) Fftw<T>::destroy(plan);
    if (!knows<T>(length, buffers.in.data(), buffers.out.data())) estimated<T>().insert(length);
  }
}

// Locks the cache folder against other processes for the lifetime of this object. Where the file system does not
// support locks, the folder is used without one, because files are replaced atomically.
class FolderLock {
 public:
  explicit FolderLock(const fs::path& file) {
    const fs::path name = file.parent_path() / "wisdom.lock";
    handle_ = open(name.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0666);
    if (handle_ < 0) return;
    const auto end = std::chrono::steady_clock::now() + kLockWait;
    while (flock(handle_, LOCK_EX | LOCK_NB) != 0) {
      if (errno == EINTR) continue;
      if (errno != EWOULDBLOCK || std::chrono::steady_clock::now() > end) return;
      std::this_thread::sleep_for(kLockPause);
    }
  }
  ~FolderLock() {
    if (handle_ >= 0) close(handle_);
  }
  FolderLock(const FolderLock&) = delete;
  FolderLock& operator=(const FolderLock&) = delete;

 private:
  int handle_ = -1;
};

std::optional<std::string> read_file(const fs::path& file) {
  std::error_code error;
  const std::uintmax_t size = fs::file_size(file, error);
  if (error || size > kLargestFile) return std::nullopt;
  std::ifstream stream(file, std::ios::binary);
  std::string text(static_cast<std::size_t>(size), '\0');
  if (!stream.read(text.data(), static_cast<std::streamsize>(size))) return std::nullopt;
  return text;
}

bool write_file(const fs::path& path, const std::string& text) {
  core::CacheFile file(path);
  file.write(text.data(), text.size());
  return file.commit();
}

std::string processor() {
  std::ifstream stream("/proc/cpuinfo");
  std::string model;
  std::string rest;
  // For the first processor: its name, and its features (virtual machines may hide some).
  for (std::string line; std::getline(stream, line) && !line.empty();) {
    const std::size_t colon = line.find(": ");
    if (colon == std::string::npos) continue;
    const std::string key = line.substr(0, line.find_first_of("\t:"));
    if (key == "model name" || key == "CPU part" || key == "cpu") model += line.substr(colon + 2);
    if (key == "vendor_id" || key == "cpu family" || key == "model" || key == "stepping" || key == "flags" ||
        key == "CPU implementer" || key == "CPU variant" || key == "Features")
      rest += line.substr(colon);
  }
  return fmt::format("{}-{:08x}", model.empty() ? "cpu" : model, hash(rest) & 0xffffffffu);
}

std::string sanitised(std::string text) {
  for (char& c : text)
    if (std::isalnum(static_cast<unsigned char>(c)) == 0 && c != '.' && c != '-') c = '_';
  return text;
}

}  // namespace

bool is_measured(Index length) {
  if (length < kMinMeasured) return false;
  while (length % 2 == 0) length /= 2;
  return length <= 9 || length == 15;
}

template <class T>
fs::path Wisdom<T>::file() {
  const fs::path folder = core::cache_folder();
  if (folder.empty()) return {};
  static const std::string name =
      sanitised(fmt::format("wisdom-{}-{}-{}", sizeof(T) == 4 ? "float" : "double", Fftw<T>::version(), processor()));
  return folder / name;
}

template <class T>
void Wisdom<T>::measure(const std::set<Index>& lengths) {
  std::set<Index> wanted;
  std::ranges::copy_if(lengths, std::inserter(wanted, wanted.end()), is_measured);
  Buffers<T> buffers(wanted);
  const std::lock_guard guard(core::planner_lock());
  if (unknown(wanted, buffers).empty()) return;

  const fs::path path = file();
  std::error_code error;
  fs::create_directories(path.parent_path(), error);  // if this fails, so does writing
  std::optional<FolderLock> lock;
  if (!path.empty()) lock.emplace(path);
  if (fs::exists(path, error)) {
    const std::optional<std::string> text = read_file(path);
    if (!text || !take_text<T>(*text))
      spdlog::warn("FFT plans: {} is damaged or cannot be read: measuring plans again", path.string());
  }
  const std::set<Index> missing = unknown(wanted, buffers);
  if (missing.empty()) return;
  measure_now(missing, buffers);
  if (path.empty())
    spdlog::info("FFT plans: no cache folder (set ARMILLA_CACHE_DIR); measured for this run only");
  else if (!write_file(path, text_of_process<T>()))
    spdlog::warn(
        "FFT plans: {} cannot be written (set ARMILLA_CACHE_DIR to another folder); measured for this run only",
        path.string());
}

template <class T>
std::string Wisdom<T>::text() {
  const std::lock_guard guard(core::planner_lock());
  return text_of_process<T>();
}

template <class T>
bool Wisdom<T>::add(const std::string& text) {
  const std::lock_guard guard(core::planner_lock());
  return take_text<T>(text);
}

template <class T>
void Wisdom<T>::learn(Index length) {
  if (!is_measured(length)) return;
  Buffers<T> buffers({length});
  const std::lock_guard guard(core::planner_lock());
  measure_now(unknown({length}, buffers), buffers);
}

ARMILLA_INSTANTIATE_CLASS(Wisdom);

}  // namespace armilla::fft
