#include <armilla/comm/phase.hpp>
#include <armilla/core/input_file.hpp>
#include <armilla/io/checksum.hpp>

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <cstring>
#include <optional>
#include <span>
#include <vector>

#include <fmt/format.h>

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

std::uint64_t checksum_of(const core::InputFile& file, Index block, Index size) {
  BlockChecksum sum;
  std::vector<char> piece;
  const Index end = std::min((block + 1) * kChecksumBlock, size);
  for (Index position = block * kChecksumBlock; position < end; position += static_cast<Index>(piece.size())) {
    piece.resize(std::min(kPiece, static_cast<std::size_t>(end - position)));
    file.read(position, piece);
    sum.add(piece);
  }
  return sum.value();
}

}  // namespace

std::string file_checksum(const comm::Communicator& comm, const std::string& path) {
  // The root determines the size, so that all ranks agree on the blocks while another process changes the file.
  std::optional<core::InputFile> file;
  comm::phase(comm, [&] { file.emplace(path); });
  Index size = file->size();
  comm.broadcast(&size, sizeof size);
  std::vector<Index> sums;
  comm::phase(comm, [&] {
    sums.resize(static_cast<std::size_t>((size + kChecksumBlock - 1) / kChecksumBlock + 1));
    for (Index block = comm.rank(); block * kChecksumBlock < size; block += comm.size())
      sums[static_cast<std::size_t>(block)] = std::bit_cast<Index>(checksum_of(*file, block, size));
    if (comm.is_root()) sums.back() = size;
  });
  comm.sum(std::span<Index>(sums));  // all but one rank contribute zero
  BlockChecksum all;
  all.add({reinterpret_cast<const char*>(sums.data()), sums.size() * sizeof(Index)});
  return fmt::format("{:016x}", all.value());
}

std::uint64_t bytes_checksum(std::span<const std::byte> bytes) {
  BlockChecksum sum;
  sum.add({reinterpret_cast<const char*>(bytes.data()), bytes.size()});
  return sum.value();
}

std::string file_checksum(const std::string& path) { return file_checksum(comm::Communicator::self(), path); }

}  // namespace armilla::io
