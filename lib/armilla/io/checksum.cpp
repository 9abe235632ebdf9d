#include <armilla/comm/phase.hpp>
#include <armilla/core/error.hpp>
#include <armilla/io/checksum.hpp>

#include <algorithm>
#include <array>
#include <bit>
#include <cerrno>
#include <cstdint>
#include <cstring>
#include <span>
#include <vector>

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

namespace armilla::io {

namespace {

using core::Index;

constexpr Index kChecksumBlock = Index{4} << 20;
constexpr std::size_t kPiece = std::size_t{256} << 10;       // part of a block that is in memory
constexpr std::size_t kLanes = 8;                            // products that a processor computes in parallel
constexpr std::uint64_t kFactor = 0x9e3779b97f4a7c15u;       // odd: multiplication by it is invertible
constexpr std::uint64_t kOtherFactor = 0xff51afd7ed558ccdu;  // the finalizer of MurmurHash3 (A. Appleby)

std::uint64_t mixed(std::uint64_t value) {
  value = (value ^ (value >> 33)) * kOtherFactor;
  return value ^ (value >> 33);
}

/// The checksum of a block that is processed in pieces. Each step is invertible, so two blocks that differ in a single
/// word have different checksums.
class BlockChecksum {
 public:
  BlockChecksum() {
    for (std::size_t lane = 0; lane < kLanes; ++lane) lanes_[lane] = kFactor * (lane + 1);
  }
  /// All pieces but the last must have a multiple of kStep bytes.
  void add(std::span<const char> bytes) {
    size_ += bytes.size();
    std::size_t at = 0;
    for (; at + kStep <= bytes.size(); at += kStep) {
      std::array<std::uint64_t, kLanes> words;
      std::memcpy(words.data(), bytes.data() + at, kStep);
      for (std::size_t lane = 0; lane < kLanes; ++lane) lanes_[lane] = step(lanes_[lane], words[lane]);
    }
    rest_.assign(bytes.begin() + static_cast<std::ptrdiff_t>(at), bytes.end());
  }
  std::uint64_t value() const {
    std::uint64_t state = mixed(size_);
    for (const std::uint64_t lane : lanes_) state = mixed(step(state, lane));
    for (const char byte : rest_) state = step(state, static_cast<unsigned char>(byte));
    return mixed(state);
  }
  static constexpr std::size_t kStep = kLanes * sizeof(std::uint64_t);

 private:
  static std::uint64_t step(std::uint64_t state, std::uint64_t word) { return (std::rotl(state, 29) ^ word) * kFactor; }

  std::array<std::uint64_t, kLanes> lanes_{};
  std::size_t size_ = 0;
  std::vector<char> rest_;
};
static_assert(kPiece % BlockChecksum::kStep == 0);

class InputFile {
 public:
  explicit InputFile(const std::string& path) : path_(path), descriptor_(::open(path.c_str(), O_RDONLY | O_CLOEXEC)) {
    struct stat status {};
    if (descriptor_ < 0 || ::fstat(descriptor_, &status) != 0)
      throw core::InputError(fmt::format("'{}' cannot be opened: {}", path, std::strerror(errno)));
    size_ = static_cast<Index>(status.st_size);
  }
  ~InputFile() {
    if (descriptor_ >= 0) ::close(descriptor_);
  }
  InputFile(const InputFile&) = delete;
  InputFile& operator=(const InputFile&) = delete;

  Index size() const { return size_; }
  std::uint64_t checksum_of(Index block) {
    BlockChecksum sum;
    const Index end = std::min((block + 1) * kChecksumBlock, size_);
    for (Index at = block * kChecksumBlock; at < end; at += static_cast<Index>(buffer_.size())) {
      buffer_.resize(std::min(kPiece, static_cast<std::size_t>(end - at)));
      read(at);
      sum.add(buffer_);
    }
    return sum.value();
  }

 private:
  void read(Index position) {
    for (std::size_t done = 0; done < buffer_.size();) {
      const ssize_t bytes = ::pread(descriptor_, buffer_.data() + done, buffer_.size() - done,
                                    static_cast<off_t>(position) + static_cast<off_t>(done));
      if (bytes < 0 && errno == EINTR) continue;
      if (bytes <= 0)
        throw core::ResourceError(fmt::format("'{}' cannot be read ({}): check the disk", path_,
                                              bytes < 0 ? std::strerror(errno) : "it was truncated during the read"));
      done += static_cast<std::size_t>(bytes);
    }
  }

  std::string path_;
  int descriptor_;
  Index size_ = 0;
  std::vector<char> buffer_;
};

}  // namespace

std::string file_checksum(const comm::Communicator& comm, const std::string& path) {
  std::vector<Index> sums;
  comm::phase(comm, [&] {
    InputFile file(path);
    sums.resize(static_cast<std::size_t>((file.size() + kChecksumBlock - 1) / kChecksumBlock + 1));
    for (Index block = comm.rank(); block * kChecksumBlock < file.size(); block += comm.size())
      sums[static_cast<std::size_t>(block)] = std::bit_cast<Index>(file.checksum_of(block));
    if (comm.is_root()) sums.back() = file.size();
  });
  comm.sum(std::span<Index>(sums));  // all but one rank contribute zero
  BlockChecksum all;
  all.add({reinterpret_cast<const char*>(sums.data()), sums.size() * sizeof(Index)});
  return fmt::format("{:016x}", all.value());
}

std::string file_checksum(const std::string& path) { return file_checksum(comm::Communicator::self(), path); }

}  // namespace armilla::io
