#include <armilla/comm/phase.hpp>
#include <armilla/core/cache.hpp>
#include <armilla/core/log.hpp>
#include <armilla/ops/pixel_weights_file.hpp>

#include <algorithm>
#include <cstdint>
#include <fstream>
#include <optional>
#include <string>

#include <fmt/format.h>

namespace armilla::ops {

namespace {

namespace fs = std::filesystem;

constexpr Index kBlock = Index{1} << 19;  // values that are broadcast at once

using core::at;

std::string header(const PixelWeightsFile& file) {
  return fmt::format("armilla-pixel-weights-1 nside {} degree {} orbits {}\n", file.nside, file.degree, file.count);
}

// Copies the values of `block`, the orbits starting at `begin`, that belong to `own`, the orbits starting at `first`.
void take(std::span<const double> block, Index begin, Index first, std::span<double> own) {
  const Index from = std::max(begin, first);
  const Index to = std::min(begin + static_cast<Index>(block.size()), first + static_cast<Index>(own.size()));
  if (from < to)
    std::ranges::copy(block.subspan(at(from - begin), at(to - from)),
                      own.begin() + static_cast<std::ptrdiff_t>(from - first));
}

std::vector<double> make_block(const comm::Communicator& comm, Index count) {
  std::vector<double> block;
  comm::phase(comm, [&] { block.resize(at(std::min(count, kBlock))); });
  return block;
}

// Reads a file from its header to its checksum.
class Reader {
 public:
  explicit Reader(const PixelWeightsFile& file) : stream_(file.path, std::ios::binary) {
    const std::string expected = header(file);
    const auto size = static_cast<std::uintmax_t>(file.count) * sizeof(double) + expected.size() + sizeof hash_;
    std::error_code error;
    std::string found(expected.size(), '\0');
    good_ = fs::file_size(file.path, error) == size && !error &&
            stream_.read(found.data(), static_cast<std::streamsize>(found.size())) && found == expected;
    hash_ = core::fnv1a(expected.data(), expected.size());
  }

  bool good() const { return good_; }
  void read(std::span<double> block) {
    if (!stream_.read(reinterpret_cast<char*>(block.data()), static_cast<std::streamsize>(block.size_bytes())))
      good_ = false;
    hash_ = core::fnv1a(block.data(), block.size_bytes(), hash_);
  }
  bool is_whole() {
    std::uint64_t kept = 0;
    return stream_.read(reinterpret_cast<char*>(&kept), sizeof kept) && good_ && kept == hash_;
  }

 private:
  std::ifstream stream_;
  std::uint64_t hash_ = 0;
  bool good_ = false;
};

bool agreed(const comm::Communicator& comm, bool of_root) {
  comm.broadcast(&of_root, sizeof of_root);
  return of_root;
}

}  // namespace

bool PixelWeightsFile::read(const comm::Communicator& comm, Index first, std::span<double> own) const {
  std::optional<Reader> reader;
  comm::phase(comm, [&] {
    std::error_code error;
    if (comm.is_root() && !path.empty() && fs::exists(path, error)) reader.emplace(*this);
  });
  if (!agreed(comm, reader.has_value())) return false;
  bool good = agreed(comm, reader && reader->good());
  if (good) {
    std::vector<double> block = make_block(comm, count);
    for (Index begin = 0; begin < count; begin += kBlock) {
      const std::span<double> part = std::span(block).first(at(std::min(kBlock, count - begin)));
      if (reader) reader->read(part);
      comm.broadcast(part.data(), static_cast<Index>(part.size_bytes()));
      take(part, begin, first, own);
    }
    good = agreed(comm, reader && reader->is_whole());
  }
  if (!good && comm.is_root())
    core::log().warn("pixel weights: {} is damaged or cannot be read: recomputing them", path.string());
  return good;
}

void PixelWeightsFile::write(const comm::Communicator& comm, std::span<const Index> begin, std::span<const double> mine,
                             Index first, std::span<double> own) const {
  const auto rank = static_cast<std::size_t>(comm.rank());
  std::optional<core::CacheFile> file;
  const std::string head = header(*this);
  std::uint64_t hash = core::fnv1a(head.data(), head.size());
  std::vector<double> block = make_block(comm, count);
  if (comm.is_root()) {
    file.emplace(path);
    file->write(head.data(), head.size());
  }
  std::vector<Index> counts(begin.size() - 1);
  for (Index at_block = 0; at_block < count; at_block += kBlock) {
    const std::span<double> part = std::span(block).first(at(std::min(kBlock, count - at_block)));
    const auto within = [&](Index orbit) {
      return std::clamp(orbit, at_block, at_block + static_cast<Index>(part.size()));
    };
    for (std::size_t r = 0; r < counts.size(); ++r)
      counts[r] = (within(begin[r + 1]) - within(begin[r])) * static_cast<Index>(sizeof(double));
    const double* from = mine.data() + (counts[rank] > 0 ? within(begin[rank]) - begin[rank] : 0);
    comm.gather_bytes(from, counts[rank], counts, part.data());
    if (file) {
      file->write(part.data(), part.size_bytes());
      hash = core::fnv1a(part.data(), part.size_bytes(), hash);
    }
    comm.broadcast(part.data(), static_cast<Index>(part.size_bytes()));
    take(part, at_block, first, own);
  }
  if (!file) return;
  file->write(&hash, sizeof hash);
  if (path.empty())
    core::log().info("pixel weights: no cache folder (set ARMILLA_CACHE_DIR); computed for this run only");
  else if (!file->commit())
    core::log().warn(
        "pixel weights: {} cannot be written (set ARMILLA_CACHE_DIR to another folder); computed for this run only",
        path.string());
}

}  // namespace armilla::ops
