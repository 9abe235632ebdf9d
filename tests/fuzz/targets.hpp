#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "random.hpp"

namespace armilla::fuzz {

using Bytes = std::vector<std::uint8_t>;

/// A mutation without knowledge of the format: libFuzzer's, or that of the corpus test.
using ByteMutator = std::function<void(Bytes&, std::size_t largest_size)>;

/// What is fuzzed: the readers of a format.
struct Target {
  std::string_view name;    ///< also the folder of its corpus
  std::string_view ending;  ///< of its files
  /// Reads the bytes as a file in every way that Armilla reads files of the format. Returns whether one of them could
  /// read it. An InputError is what damaged files must give; every other exception passes through.
  bool (*run)(std::span<const std::uint8_t> file);
  /// Changes a file by its structure (headers, attributes, shapes, tokens); `bytes` changes contents. Leaves the file
  /// as it is where it is too damaged to have a structure.
  void (*mutate)(Bytes& file, std::size_t largest_size, Random& random, const ByteMutator& bytes);
};

std::span<const Target> targets();

/// One mutation of `file`: of its structure in three of four cases, else of its bytes.
void mutate(const Target& target, Bytes& file, std::size_t largest_size, Random& random, const ByteMutator& bytes);

bool read_fits(std::span<const std::uint8_t> file);
bool read_hdf5(std::span<const std::uint8_t> file);
bool read_text(std::span<const std::uint8_t> file);
/// Parses and plans a job as `armilla run --dry-run` does, beside the input files of the corpus.
bool plan_job(std::span<const std::uint8_t> file);

void mutate_fits(Bytes& file, std::size_t largest_size, Random& random, const ByteMutator& bytes);
void mutate_hdf5(Bytes& file, std::size_t largest_size, Random& random, const ByteMutator& bytes);
void mutate_text_spectra(Bytes& file, std::size_t largest_size, Random& random, const ByteMutator& bytes);
void mutate_text_points(Bytes& file, std::size_t largest_size, Random& random, const ByteMutator& bytes);
void mutate_job(Bytes& file, std::size_t largest_size, Random& random, const ByteMutator& bytes);

}  // namespace armilla::fuzz
